import { unwrap } from '@filewright/protocol'
import { parseBox } from '../cell/address.ts'
import type { LintedBook, LintedSheet, SheetRule } from './sheet-rules.contract.ts'
import { type FlatElement, flatElements } from './structure.contract.ts'

const PANES = new Set(['topLeft', 'topRight', 'bottomLeft', 'bottomRight'])
const MARGINS = ['left', 'right', 'top', 'bottom', 'header', 'footer']

function onSheets(
  id: string,
  check: (sheet: LintedSheet, styles: StyleCounts) => Iterable<string>,
): SheetRule {
  return {
    id,
    *check(book) {
      const styles = countStyles(book)
      for (const sheet of book.sheets)
        for (const fault of check(sheet, styles)) yield `${sheet.name}: ${fault}`
    },
  }
}

interface StyleCounts {
  readonly elements: readonly FlatElement[]
  of(list: string): number
}

/** Every rule about looks asks for them, and a workbook may have 64,000. */
const countedStyles = new WeakMap<LintedBook, StyleCounts>()

function countStyles(book: LintedBook): StyleCounts {
  const counts = countedStyles.get(book) ?? countStylesOf(book)
  countedStyles.set(book, counts)
  return counts
}

function countStylesOf({ opc }: LintedBook): StyleCounts {
  const name = opc.names.find(own => /styles\d*\.xml$/i.test(own))
  const elements = name ? flatElements(unwrap(opc.part(name))) : []
  const counts = new Map<string, number>()
  for (const { parent } of elements) counts.set(parent, (counts.get(parent) ?? 0) + 1)
  return { elements, of: list => counts.get(list) ?? 0 }
}

const LISTS: Readonly<Record<string, string>> = {
  fontId: 'fonts',
  fillId: 'fills',
  borderId: 'borders',
  xfId: 'cellStyleXfs',
}

/** What Excel would repair in looks: of cells, and around them. */
export const LOOK_RULES: readonly SheetRule[] = [
  onSheets('xlsx/style-of-nothing', function* ({ elements }, styles) {
    const most = Math.max(styles.of('cellXfs'), 1)
    for (const { name, attributes } of elements) {
      const style =
        name === 'col' ? attributes.style : ['c', 'row'].includes(name) ? attributes.s : undefined
      if (Number(style ?? 0) >= most)
        yield `${name} ${attributes.r ?? ''} has style ${style}, and there are ${most}`
    }
  }),
  onSheets('xlsx/rule-look-of-nothing', function* ({ elements }, styles) {
    for (const { name, attributes } of elements)
      if (name === 'cfRule' && Number(attributes.dxfId ?? -1) >= styles.of('dxfs'))
        yield `a rule has look ${attributes.dxfId}`
  }),
  {
    id: 'xlsx/format-part-of-nothing',
    *check(book) {
      const styles = countStyles(book)
      const formats = styles.elements.filter(({ parent }) => parent === 'cellXfs')
      for (const { attributes } of formats)
        for (const [name, list] of Object.entries(LISTS))
          if (Number(attributes[name] ?? 0) >= Math.max(styles.of(list), 1))
            yield `a format has ${name} ${attributes[name]}`
    },
  },
  {
    id: 'xlsx/style-count-wrong',
    *check(book) {
      const { elements, of } = countStyles(book)
      for (const { name, parent, attributes } of elements)
        if (
          parent === 'styleSheet' &&
          attributes.count !== undefined &&
          of(name) !== Number(attributes.count)
        )
          yield `${name} says ${attributes.count}, and has ${of(name)}`
    },
  },
  {
    id: 'xlsx/number-format-twice',
    *check(book) {
      const ids = countStyles(book)
        .elements.filter(({ name, parent }) => name === 'numFmt' && parent === 'numFmts')
        .map(({ attributes }) => attributes.numFmtId)
      if (new Set(ids).size < ids.length) yield 'two number formats have one number'
    },
  },
  {
    id: 'xlsx/cell-style-twice',
    *check(book) {
      const names = countStyles(book)
        .elements.filter(({ name }) => name === 'cellStyle')
        .map(({ attributes }) => attributes.name?.toLowerCase())
      if (new Set(names).size < names.length) yield 'two cell styles have one name'
    },
  },
  onSheets('xlsx/filter-column-outside', function* ({ elements }) {
    const filter = elements.find(
      ({ name, parent }) => name === 'autoFilter' && parent === 'worksheet',
    )
    const box = parseBox(filter?.attributes.ref ?? '')
    const ids = elements
      .filter(({ name, parent }) => name === 'filterColumn' && parent === 'autoFilter')
      .map(({ attributes }) => Number(attributes.colId))
    for (const id of ids)
      if (!box || id > box.right - box.left) yield `column ${id} of the filter is outside it`
  }),
  onSheets('xlsx/panes-wrong', function* ({ elements }) {
    const pane = elements.find(({ name }) => name === 'pane')
    if (pane && !pane.attributes.xSplit && !pane.attributes.ySplit) yield 'a pane is not split'
    const selected = elements
      .filter(({ name, parent }) => name === 'selection' && parent === 'sheetView')
      .map(({ attributes }) => attributes.pane ?? 'topLeft')
    if (selected.some(own => !PANES.has(own)) || new Set(selected).size < selected.length)
      yield 'a pane is selected twice'
    if (!pane && selected.some(own => own !== 'topLeft'))
      yield 'a pane that is not there is selected'
  }),
  onSheets('xlsx/margins-missing', function* ({ elements }) {
    for (const { name, attributes } of elements)
      if (name === 'pageMargins' && MARGINS.some(side => attributes[side] === undefined))
        yield 'a margin is missing'
  }),
  onSheets('xlsx/header-too-long', function* ({ elements }) {
    for (const { name, text } of elements)
      if (/^(?:odd|even|first)(?:Header|Footer)$/.test(name) && text.length > 255)
        yield `${name} has ${text.length} characters`
  }),
  onSheets('xlsx/level-too-deep', function* ({ elements }) {
    for (const { name, attributes } of elements)
      if (['row', 'col'].includes(name) && Number(attributes.outlineLevel ?? 0) > 7)
        yield `a ${name} is in ${attributes.outlineLevel} groups`
  }),
]
