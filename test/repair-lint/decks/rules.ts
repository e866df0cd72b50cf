import type { LiveNode, LiveTree } from '../../../packages/documents/src/opc/index.ts'
import { elements, type OfficeFile, twice } from '../office-file.ts'
import type { RepairRule, RuleSet } from '../rule.ts'

interface DeckPart {
  readonly name: string
  readonly tree: LiveTree
}

function partsOf(file: OfficeFile, root: string): readonly DeckPart[] {
  return file.xmlParts.flatMap(name => {
    const tree = file.tree(name)
    return tree?.root.name === root ? [{ name, tree }] : []
  })
}

const slidesOf = (file: OfficeFile) => partsOf(file, 'p:sld')

function named({ tree }: DeckPart, ...names: readonly string[]): readonly LiveNode[] {
  return [...elements(tree.root)].filter(({ name }) => names.includes(name))
}

function valuesOf(part: DeckPart, name: string, attribute: string): readonly string[] {
  return named(part, name).flatMap(node => part.tree.attribute(node, attribute) ?? [])
}

function mainOf(file: OfficeFile): DeckPart {
  return { name: file.main ?? '', tree: file.tree(file.main)! }
}

const slideIdTwice: RepairRule = {
  id: 'pptx/slide-id-twice',
  *check(file) {
    for (const id of twice(valuesOf(mainOf(file), 'p:sldId', 'id')))
      yield `two slides have the id ${id}`
  },
}

const slideIdOutOfRange: RepairRule = {
  id: 'pptx/slide-id-out-of-range',
  *check(file) {
    for (const id of valuesOf(mainOf(file), 'p:sldId', 'id'))
      if (!(Number(id) >= 256 && Number(id) < 2 ** 31)) yield `${id} is no id of a slide`
  },
}

const slideListedTwice: RepairRule = {
  id: 'pptx/slide-listed-twice',
  *check(file) {
    const main = mainOf(file)
    for (const id of twice(valuesOf(main, 'p:sldId', 'r:id'))) yield `${id} is listed twice`
  },
}

const slideNotListed: RepairRule = {
  id: 'pptx/slide-not-listed',
  *check(file) {
    const main = mainOf(file)
    const listed = new Set(valuesOf(main, 'p:sldId', 'r:id'))
    for (const { id, kind } of file.links(main.name))
      if (kind === 'slide' && !listed.has(id)) yield `a slide is linked and not listed`
  },
}

const slideWithoutLayout: RepairRule = {
  id: 'pptx/slide-without-layout',
  *check(file) {
    for (const { name } of slidesOf(file))
      if (file.linked(name, 'slideLayout').length !== 1) yield `a slide has not one layout`
  },
}

const layoutWithoutMaster: RepairRule = {
  id: 'pptx/layout-without-master',
  *check(file) {
    for (const { name } of partsOf(file, 'p:sldLayout'))
      if (file.linked(name, 'slideMaster').length !== 1) yield `a layout has not one master`
  },
}

const shapeIdTwice: RepairRule = {
  id: 'pptx/shape-id-twice',
  *check(file) {
    for (const slide of slidesOf(file)) {
      const ids = named(slide, 'p:cNvPr')
        .filter(node => !node.closest('mc:Fallback'))
        .flatMap(node => slide.tree.attribute(node, 'id') ?? [])
      for (const id of twice(ids)) yield `two shapes of a slide have the id ${id}`
    }
  },
}

const sectionOfNoSlide: RepairRule = {
  id: 'pptx/section-of-no-slide',
  *check(file) {
    const main = mainOf(file)
    const ids = new Set(valuesOf(main, 'p:sldId', 'id'))
    for (const id of valuesOf(main, 'p14:sldId', 'id'))
      if (!ids.has(id)) yield `a section names the slide ${id}, which is not there`
  },
}

const slideInNoSection: RepairRule = {
  id: 'pptx/slide-in-no-section',
  *check(file) {
    const main = mainOf(file)
    const own = valuesOf(main, 'p14:sldId', 'id')
    if (named(main, 'p14:section').length === 0) return
    for (const id of valuesOf(main, 'p:sldId', 'id'))
      if (!own.includes(id)) yield `the slide ${id} is in no section`
    for (const id of twice(own)) yield `the slide ${id} is in two sections`
  },
}

const textWithoutParagraph: RepairRule = {
  id: 'pptx/text-without-paragraph',
  *check(file) {
    for (const part of [...slidesOf(file), ...partsOf(file, 'p:notes')])
      for (const body of named(part, 'p:txBody', 'a:txBody'))
        if (!body.child('a:p') || !body.child('a:bodyPr')) yield `a text has no paragraph`
  },
}

const tableNotRectangular: RepairRule = {
  id: 'pptx/table-not-rectangular',
  *check(file) {
    for (const part of slidesOf(file))
      for (const table of named(part, 'a:tbl')) {
        const columns = table.child('a:tblGrid')?.children.filter(own => own.name === 'a:gridCol')
        for (const row of table.children.filter(({ name }) => name === 'a:tr'))
          if (row.children.filter(({ name }) => name === 'a:tc').length !== columns?.length)
            yield `a row has not as many cells as its table has columns`
      }
  },
}

const spanOutsideTable: RepairRule = {
  id: 'pptx/span-without-cells',
  *check(file) {
    for (const { tree, ...part } of slidesOf(file))
      for (const table of named({ tree, ...part }, 'a:tbl')) {
        const rows = table.children.filter(({ name }) => name === 'a:tr')
        const cells = rows.map(row => row.children.filter(({ name }) => name === 'a:tc'))
        for (const [y, row] of cells.entries())
          for (const [x, cell] of row.entries()) {
            const wide = Number(tree.attribute(cell, 'gridSpan') ?? 1)
            const high = Number(tree.attribute(cell, 'rowSpan') ?? 1)
            for (let at = 1; at < wide; at++)
              if (tree.attribute(row[x + at], 'hMerge') !== '1') yield `a cell spans no cell`
            for (let at = 1; at < high; at++)
              if (tree.attribute(cells[y + at]?.[x], 'vMerge') !== '1') yield `a cell spans no cell`
          }
      }
  },
}

const masterIdTwice: RepairRule = {
  id: 'pptx/master-or-layout-id-twice',
  *check(file) {
    const ids = [
      ...valuesOf(mainOf(file), 'p:sldMasterId', 'id'),
      ...partsOf(file, 'p:sldMaster').flatMap(part => valuesOf(part, 'p:sldLayoutId', 'id')),
    ]
    for (const id of twice(ids)) yield `two masters or layouts have the id ${id}`
  },
}

const notesOfNoSlide: RepairRule = {
  id: 'pptx/notes-of-no-slide',
  *check(file) {
    for (const { name } of partsOf(file, 'p:notes')) {
      const [slide] = file.linked(name, 'slide')
      if (slide === undefined || !file.linked(slide, 'notesSlide').includes(name))
        yield `notes and their slide do not name each other`
      if (file.linked(name, 'notesMaster').length !== 1) yield `notes have no master`
    }
  },
}

const cacheOfOtherLength: RepairRule = {
  id: 'pptx/chart-points-beyond-count',
  *check(file) {
    for (const part of partsOf(file, 'c:chartSpace'))
      for (const cache of named(part, 'c:numCache', 'c:strCache')) {
        const count = Number(part.tree.attribute(cache.child('c:ptCount'), 'val') ?? 0)
        for (const point of cache.children.filter(({ name }) => name === 'c:pt'))
          if (Number(part.tree.attribute(point, 'idx')) >= count)
            yield `a chart has a point beyond the count of its values`
      }
  },
}

/** What PowerPoint repairs, drops or refuses. */
export const DECK_RULES: RuleSet = {
  mainRoot: 'p:presentation',
  rules: [
    slideIdTwice,
    slideIdOutOfRange,
    slideListedTwice,
    slideNotListed,
    slideWithoutLayout,
    layoutWithoutMaster,
    shapeIdTwice,
    sectionOfNoSlide,
    slideInNoSection,
    textWithoutParagraph,
    tableNotRectangular,
    spanOutsideTable,
    masterIdTwice,
    notesOfNoSlide,
    cacheOfOtherLength,
  ],
}
