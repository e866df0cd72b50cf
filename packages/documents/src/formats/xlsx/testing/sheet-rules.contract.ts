import { unwrap } from '@filewright/protocol'
import { OpcPackage } from '../../../opc/index.ts'
import { contains, covers, intersects, parseBox, parseCell } from '../cell/address.ts'
import { LOOK_RULES } from './look-rules.contract.ts'
import { type FlatElement, flatElements } from './structure.contract.ts'

/** One thing in a workbook that Excel repairs, drops or refuses, and that its schema does not forbid. */
export interface SheetRule {
  readonly id: string
  check(book: LintedBook): Iterable<string>
}

export interface LintedBook {
  readonly opc: OpcPackage
  readonly workbook: readonly FlatElement[]
  readonly sheets: readonly LintedSheet[]
}

export interface LintedSheet {
  readonly name: string
  readonly sheetId: string
  readonly part: string
  readonly elements: readonly FlatElement[]
  /** The parts it links to, by kind. */
  linked(kind: string): readonly (readonly FlatElement[])[]
  readonly linkIds: ReadonlySet<string>
}

const named = (list: readonly FlatElement[], local: string) =>
  list.filter(own => own.name === local)
const boxOf = (own: FlatElement, attribute = 'ref') => parseBox(own.attributes[attribute] ?? '')

function* onSheets(
  book: LintedBook,
  check: (sheet: LintedSheet) => Iterable<string>,
): Iterable<string> {
  for (const sheet of book.sheets) for (const fault of check(sheet)) yield `${sheet.name}: ${fault}`
}

const perSheet = (id: string, check: (sheet: LintedSheet) => Iterable<string>): SheetRule => ({
  id,
  check: book => onSheets(book, check),
})

function* twice(values: readonly string[], what: string): Iterable<string> {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) yield `${what} ${value} is there twice`
    seen.add(value)
  }
}

interface Table {
  readonly root: FlatElement
  readonly elements: readonly FlatElement[]
  readonly box: NonNullable<ReturnType<typeof parseBox>>
}

function tablesOf(sheet: LintedSheet): Table[] {
  return sheet.linked('table').flatMap(elements => {
    const root = elements[0]
    const box = root && boxOf(root)
    return root && box ? [{ root, elements, box }] : []
  })
}

/** The text of cells that hold it inline or shared, by address. */
function textsOf({ elements }: LintedSheet, strings: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>()
  let cell: FlatElement | undefined
  for (const own of elements) {
    if (own.name === 'c') cell = own
    const at = cell?.attributes.r
    if (at === undefined) continue
    if (own.name === 't') texts.set(at, (texts.get(at) ?? '') + own.text)
    if (own.name === 'v' && cell?.attributes.t === 's')
      texts.set(at, strings[Number(own.text)] ?? '')
    if (own.name === 'v' && cell?.attributes.t === 'str') texts.set(at, own.text)
  }
  return texts
}

const stringsOfBooks = new WeakMap<LintedBook, string[]>()

function stringsOf(book: LintedBook): string[] {
  const strings = stringsOfBooks.get(book) ?? readStrings(book)
  stringsOfBooks.set(book, strings)
  return strings
}

function readStrings({ opc }: LintedBook): string[] {
  const name = opc.names.find(own => /sharedStrings\.xml$/i.test(own))
  const strings: string[] = []
  for (const own of name ? flatElements(unwrap(opc.part(name))) : []) {
    if (own.name === 'si') strings.push('')
    if (own.name === 't') strings[strings.length - 1] += own.text
  }
  return strings
}

const ORDER =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture oleObjects controls webPublishItems tableParts extLst'.split(
    ' ',
  )

export const SHEET_RULES: readonly SheetRule[] = [
  perSheet('xlsx/elements-out-of-order', function* ({ elements }) {
    const own = elements
      .filter(({ parent }) => parent === 'worksheet')
      .map(({ name }) => ORDER.indexOf(name))
    const known = own.filter(at => at >= 0)
    if (known.some((at, index) => at < (known[index - 1] ?? 0)))
      yield 'its elements are not in the order of the schema'
  }),
  perSheet('xlsx/rows-out-of-order', function* ({ elements }) {
    const rows = named(elements, 'row').map(own => Number(own.attributes.r ?? Number.NaN))
    if (rows.some((row, index) => row <= (rows[index - 1] ?? 0))) yield 'its rows are not in order'
  }),
  perSheet('xlsx/cell-in-another-row', function* ({ elements }) {
    let row = ''
    for (const own of elements) {
      if (own.name === 'row') row = own.attributes.r ?? ''
      const at = own.name === 'c' ? own.attributes.r : undefined
      if (row !== '' && at !== undefined && at.replace(/^[A-Z]+/, '') !== row)
        yield `the cell ${at} is in row ${row}`
    }
  }),
  perSheet('xlsx/cell-twice', ({ elements }) =>
    twice(
      named(elements, 'c').flatMap(own => own.attributes.r ?? []),
      'the cell',
    ),
  ),
  perSheet('xlsx/cell-beyond-the-end', function* ({ elements }) {
    for (const { attributes } of named(elements, 'c'))
      if (attributes.r !== undefined && !parseCell(attributes.r))
        yield `${attributes.r} is not a cell`
  }),
  perSheet('xlsx/shared-formula-without-text', function* ({ elements }) {
    const shared = named(elements, 'f').filter(own => own.attributes.t === 'shared')
    const held = new Set(shared.filter(own => own.text !== '').map(own => own.attributes.si))
    for (const { attributes } of shared)
      if (!held.has(attributes.si)) yield `the shared formula ${attributes.si} has no text`
  }),
  perSheet('xlsx/array-beside-its-range', function* ({ elements }) {
    let cell = ''
    for (const own of elements) {
      if (own.name === 'c') cell = own.attributes.r ?? ''
      if (
        own.name !== 'f' ||
        !['array', 'shared'].includes(own.attributes.t ?? '') ||
        own.attributes.ref === undefined
      )
        continue
      const [at, box] = [parseCell(cell), boxOf(own)]
      if (at && (!box || !contains(box, at.row, at.column)))
        yield `the formula of ${cell} fills ${own.attributes.ref}`
    }
  }),
  perSheet('xlsx/merges-overlap', function* ({ elements }) {
    const boxes = named(elements, 'mergeCell').flatMap(own => boxOf(own) ?? [])
    let open: typeof boxes = []
    for (const box of boxes.sort((a, b) => a.top - b.top)) {
      open = open.filter(other => other.bottom >= box.top)
      if (open.some(other => intersects(other, box))) yield 'merged ranges overlap'
      open.push(box)
    }
  }),
  perSheet('xlsx/merge-of-one-cell', function* ({ elements }) {
    for (const own of named(elements, 'mergeCell'))
      if (!own.attributes.ref?.includes(':')) yield `${own.attributes.ref} is merged with nothing`
  }),
  perSheet('xlsx/list-empty', function* ({ elements }) {
    for (const [list, entry] of [
      ['mergeCells', 'mergeCell'],
      ['hyperlinks', 'hyperlink'],
      ['dataValidations', 'dataValidation'],
      ['cols', 'col'],
      ['protectedRanges', 'protectedRange'],
      ['ignoredErrors', 'ignoredError'],
    ] as const)
      if (named(elements, list).length > 0 && named(elements, entry).length === 0)
        yield `${list} holds nothing`
  }),
  perSheet('xlsx/columns-overlap', function* ({ elements }) {
    let last = 0
    for (const { attributes } of named(elements, 'col')) {
      if (Number(attributes.min) <= last || Number(attributes.max) < Number(attributes.min))
        yield `the columns ${attributes.min} to ${attributes.max} overlap others`
      last = Number(attributes.max)
    }
  }),
  perSheet('xlsx/count-wrong', function* ({ elements }) {
    for (const [list, entry] of [
      ['mergeCells', 'mergeCell'],
      ['dataValidations', 'dataValidation'],
      ['rowBreaks', 'brk'],
    ] as const)
      for (const { attributes } of named(elements, list)) {
        const held = elements.filter(({ name, parent }) => name === entry && parent === list).length
        if (
          attributes.count !== undefined &&
          Number(attributes.count) !== held &&
          named(elements, list).length === 1
        )
          yield `${list} says ${attributes.count} and holds ${held}`
      }
  }),
  perSheet('xlsx/range-unreadable', function* ({ elements }) {
    for (const { name, attributes } of elements) {
      if (
        !['conditionalFormatting', 'dataValidation', 'protectedRange', 'ignoredError'].includes(
          name,
        )
      )
        continue
      const ranges = (attributes.sqref ?? '').split(' ')
      if (attributes.sqref !== undefined && ranges.some(own => !parseBox(own)))
        yield `${name} is for ${JSON.stringify(attributes.sqref)}`
    }
  }),
  perSheet('xlsx/formula-of-nothing', function* ({ elements }) {
    for (const { name, text, parent } of elements)
      if (
        ['formula', 'formula1'].includes(name) &&
        ['cfRule', 'dataValidation'].includes(parent) &&
        text.trim() === ''
      )
        yield `${name} of a ${parent} is empty`
  }),
  perSheet('xlsx/link-without-target', function* ({ elements, linkIds }) {
    for (const { name, attributes } of elements)
      if (
        ['hyperlink', 'drawing', 'legacyDrawing', 'tablePart'].includes(name) &&
        attributes[':id'] !== undefined &&
        !linkIds.has(attributes[':id'])
      )
        yield `${name} names the link ${attributes[':id']}, which is not there`
  }),
  perSheet('xlsx/x14-id-unpaired', function* ({ elements }) {
    const ids = elements
      .filter(own => own.name === 'id' && own.parent === 'ext')
      .map(own => own.text)
    const rules = new Set(named(elements, 'cfRule').flatMap(own => own.attributes.id ?? []))
    for (const id of ids)
      if (!rules.has(id)) yield `a conditional format names ${id}, which no extension has`
  }),
  perSheet('xlsx/sparkline-without-cell', function* ({ elements }) {
    const count = named(elements, 'sparkline').length
    if (elements.filter(own => own.name === 'sqref' && own.parent === 'sparkline').length !== count)
      yield 'a sparkline has no cell'
  }),
  perSheet('xlsx/tables-overlap', function* (sheet) {
    const tables = tablesOf(sheet)
    for (const [index, { box }] of tables.entries())
      if (tables.slice(0, index).some(other => intersects(other.box, box)))
        yield 'two tables overlap'
  }),
  perSheet('xlsx/merge-in-table', function* (sheet) {
    const merges = named(sheet.elements, 'mergeCell').flatMap(own => boxOf(own) ?? [])
    for (const { box, root } of tablesOf(sheet))
      if (merges.some(own => intersects(own, box)))
        yield `the table ${root.attributes.displayName} has merged cells`
  }),
  perSheet('xlsx/table-columns-wrong', function* (sheet) {
    for (const { elements, box, root } of tablesOf(sheet)) {
      const columns = named(elements, 'tableColumn')
      const [list] = named(elements, 'tableColumns')
      const width = box.right - box.left + 1
      if (columns.length !== width || Number(list?.attributes.count ?? width) !== width)
        yield `the table ${root.attributes.displayName} has ${columns.length} columns in ${root.attributes.ref}`
    }
  }),
  perSheet('xlsx/table-column-twice', function* (sheet) {
    for (const { elements } of tablesOf(sheet)) {
      const columns = named(elements, 'tableColumn')
      yield* twice(
        columns.map(own => own.attributes.name!.toLowerCase()),
        'the column',
      )
      yield* twice(
        columns.map(own => own.attributes.id!),
        'the column id',
      )
    }
  }),
  perSheet('xlsx/table-filter-outside', function* (sheet) {
    for (const { elements, box } of tablesOf(sheet))
      for (const own of named(elements, 'autoFilter')) {
        const filter = boxOf(own)
        if (filter && !covers(box, filter))
          yield `the filter of a table is at ${own.attributes.ref}`
      }
  }),
  perSheet('xlsx/table-without-rows', function* (sheet) {
    for (const { root, box } of tablesOf(sheet)) {
      const rest =
        Number(root.attributes.headerRowCount ?? 1) + Number(root.attributes.totalsRowCount ?? 0)
      if (box.bottom - box.top + 1 <= rest)
        yield `the table ${root.attributes.displayName} has no row of data`
    }
  }),
  {
    id: 'xlsx/table-header-unlike-its-cell',
    *check(book) {
      const strings = stringsOf(book)
      for (const sheet of book.sheets) {
        const texts = textsOf(sheet, strings)
        for (const { elements, box, root } of tablesOf(sheet)) {
          if (root.attributes.headerRowCount === '0') continue
          for (const [index, own] of named(elements, 'tableColumn').entries()) {
            const at = [...texts.keys()].find(cell => {
              const place = parseCell(cell)
              return place?.row === box.top && place.column === box.left + index
            })
            const text = (at === undefined ? '' : texts.get(at)!).replace(/_x005F(?=_x)/gi, '')
            const name = own.attributes
              .name!.replace(/_x005F(?=_x)/gi, '')
              .replace(/_x000a_/gi, '\n')
            if (text.toLowerCase() !== name.toLowerCase())
              yield `the column ${JSON.stringify(name)} of ${root.attributes.displayName} has the header ${JSON.stringify(text)}`
          }
        }
      }
    },
  },
  {
    id: 'xlsx/table-named-twice',
    *check(book) {
      const roots = book.sheets.flatMap(tablesOf).map(({ root }) => root.attributes)
      yield* twice(
        roots.map(own => (own.displayName ?? '').toLowerCase()),
        'the table',
      )
      yield* twice(
        roots.map(own => own.id ?? ''),
        'the table id',
      )
    },
  },
  {
    id: 'xlsx/name-twice',
    check: book =>
      twice(
        named(book.workbook, 'definedName').map(({ attributes }) =>
          `${attributes.name?.toLowerCase()} ${attributes.localSheetId ?? ''}`.trim(),
        ),
        'the name',
      ),
  },
  {
    id: 'xlsx/name-of-no-sheet',
    *check(book) {
      for (const { attributes } of named(book.workbook, 'definedName'))
        if (Number(attributes.localSheetId ?? 0) >= book.sheets.length)
          yield `the name ${attributes.name} belongs to no sheet`
    },
  },
  {
    id: 'xlsx/name-of-nothing',
    *check(book) {
      for (const { attributes, text } of named(book.workbook, 'definedName'))
        if (text.trim() === '') yield `the name ${attributes.name} is empty`
    },
  },
  {
    id: 'xlsx/chain-without-formula',
    *check({ opc, sheets }) {
      const name = opc.names.find(own => /calcChain\.xml$/i.test(own))
      const formulas = new Map(sheets.map(sheet => [sheet.sheetId, formulaCells(sheet)]))
      let sheet = ''
      for (const { attributes } of name ? named(flatElements(unwrap(opc.part(name))), 'c') : []) {
        sheet = attributes.i ?? sheet
        if (!formulas.get(sheet)?.has(attributes.r ?? ''))
          yield `the calculation chain lists ${attributes.r} of sheet ${sheet}`
      }
    },
  },
  perSheet('xlsx/comment-twice', sheet =>
    twice(
      sheet
        .linked('comments')
        .flatMap(list => named(list, 'comment').map(own => own.attributes.ref ?? '')),
      'the comment of',
    ),
  ),
  perSheet('xlsx/comment-without-author', function* (sheet) {
    for (const list of sheet.linked('comments')) {
      const authors = named(list, 'author').length
      for (const { attributes } of named(list, 'comment'))
        if (Number(attributes.authorId ?? 0) >= authors)
          yield `the comment of ${attributes.ref} has no author`
    }
  }),
  perSheet('xlsx/anchor-turned-over', function* (sheet) {
    for (const list of sheet.linked('drawing')) {
      const places = list.filter(
        own => ['row', 'col'].includes(own.name) && ['from', 'to'].includes(own.parent),
      )
      for (let index = 0; index + 3 < places.length; index += 4) {
        const [a, b, c, d] = places.slice(index, index + 4).map(own => Number(own.text))
        if (places[index + 2]?.parent === 'to' && (c! < a! || d! < b!))
          yield 'a drawing ends before it starts'
      }
    }
  }),
]

function formulaCells({ elements }: LintedSheet): Set<string> {
  const found = new Set<string>()
  let cell = ''
  for (const own of elements) {
    if (own.name === 'c') cell = own.attributes.r ?? ''
    if (own.name === 'f') found.add(cell)
  }
  return found
}

const ALL_RULES = [...SHEET_RULES, ...LOOK_RULES]

export function lintedBook(bytes: Uint8Array): LintedBook {
  const opc = unwrap(OpcPackage.open(bytes))
  const main = opc.relationships('').find(({ kind }) => kind === 'officeDocument')!.target
  const workbook = flatElements(unwrap(opc.part(main)))
  const links = new Map(opc.relationships(main).map(own => [own.id, own.target]))
  const parsed = new Map<string, FlatElement[]>() // many rules ask for the same part
  const elementsOf = (part: string) => {
    const elements = parsed.get(part) ?? flatElements(unwrap(opc.part(part)))
    parsed.set(part, elements)
    return elements
  }
  const sheets = named(workbook, 'sheet').flatMap(({ attributes }) => {
    const part = links.get(attributes[':id'] ?? '')
    if (part === undefined || !opc.has(part)) return []
    const own = opc.relationships(part)
    return [
      {
        name: attributes.name ?? '',
        sheetId: attributes.sheetId ?? '',
        part,
        elements: elementsOf(part),
        linked: (kind: string) =>
          own
            .filter(link => link.kind === kind && opc.has(link.target))
            .map(link => elementsOf(link.target)),
        linkIds: new Set(own.map(({ id }) => id)),
      },
    ]
  })
  return { opc, workbook, sheets }
}

/** What Excel would repair in a workbook: the id of a rule and what is wrong, for each fault. */
export function sheetFaults(bytes: Uint8Array): string[] {
  const book = lintedBook(bytes)
  return ALL_RULES.flatMap(rule => [...rule.check(book)].map(what => `${rule.id}: ${what}`))
}

/** Faults that an edit brought: real files may have some before. */
export function newSheetFaults(before: Uint8Array, after: Uint8Array): string[] {
  const faults = sheetFaults(after)
  if (faults.length === 0) return []
  const known = new Set(sheetFaults(before).map(fault => fault.split(': ')[0]))
  return faults.filter(fault => !known.has(fault.split(': ')[0]))
}
