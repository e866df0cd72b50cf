import type { Box } from '@filewright/protocol'
import { decodeText } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import type { WorkbookPart } from '../book/workbook-part.ts'
import { cellKey, columnOfKey, rowOfKey } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { contentOf } from '../cell/cells.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { decodeTag, type SharedMaster } from '../cell/formula-tags.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { structuredBox } from '../table/structured-references.ts'
import { type Filled, fillOf } from './fills.ts'
import { foldDynamic } from './fold-dynamic.ts'
import { NameResolver } from './name-resolver.ts'
import { findReferences, type Reference, type References } from './references.ts'
import { SimpleReferences } from './simple-references.ts'

/** The formulas of the file and their inputs; built once, since edits are kept separately. */
export interface FormulaGraph {
  readonly sheets: number[]
  readonly keys: number[]
  readonly hasValue: boolean[]
  /** Formulas whose inputs are only known when computed. */
  readonly dynamic: number[]
  /** Formulas that may ignore hidden rows. */
  readonly mindsHidden: number[]
  /** Formulas that count the sheets. */
  readonly mindsSheets: number[]
  /** Which formula names which sheet; used when a sheet is deleted. */
  readonly users: { readonly sheet: number; readonly node: number }[]
  /** Which formula reads all sheets from one to another: the sheets between them may change. */
  readonly spans: { readonly ends: readonly [number, number]; readonly node: number }[]
  /** What array formulas, spills and data tables fill besides their own cell. */
  readonly fills: Map<number, Filled>
  readonly cellSheets: number[]
  readonly cellKeys: number[]
  readonly cellNodes: number[]
  readonly ranges: Range[]
  /** How many formulas were looked into for what they mean. */
  folded: number
}

export interface Range {
  readonly sheet: number
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly nodes: number[]
}

const graphs = new WeakMap<WorkbookPart, FormulaGraph>()

export function graphOf(book: Book): FormulaGraph {
  const known = graphs.get(book.part)
  if (known) return known
  const graph = buildGraph(book)
  graphs.set(book.part, graph)
  return graph
}

function buildGraph(book: Book): FormulaGraph {
  const graph: FormulaGraph = {
    sheets: [],
    keys: [],
    hasValue: [],
    dynamic: [],
    mindsHidden: [],
    mindsSheets: [],
    users: [],
    spans: [],
    fills: new Map(),
    cellSheets: [],
    cellKeys: [],
    cellNodes: [],
    ranges: [],
    folded: 0,
  }
  const resolver = new NameResolver(book)
  const building: Building = { book, graph, resolver, ranges: new Map() }
  for (const [id] of book.part.sheets.entries()) {
    const sheet = resolver.sheets[id]
    const opened = sheet?.xml()
    if (!sheet || !opened?.ok) continue
    addSheet(building, sheet, opened.value)
  }
  return graph
}

interface Building {
  readonly book: Book
  readonly graph: FormulaGraph
  readonly resolver: NameResolver
  /** References interned in the graph, so that formulas over the same cells share one. */
  readonly ranges: Map<string, Range>
}

function addSheet(building: Building, sheet: Sheet, xml: SheetXml): void {
  const { graph } = building
  const shared = new Map<SharedMaster, References>()
  const sharedReferences = (master: SharedMaster) => {
    const known = shared.get(master) ?? findReferences(master.text)
    shared.set(master, known)
    return known
  }
  const simple = new SimpleReferences()
  scanFormulas(xml, own => {
    const node = graph.keys.length
    graph.sheets.push(sheet.id)
    graph.keys.push(cellKey(own.row, own.column))
    graph.hasValue.push(own.isComputed)
    const tag = decodeTag(own)
    if (!tag && simple.read(own.bytes, own.formulaText, own.formulaTextEnd)) {
      addSimple(building, sheet.id, node, simple)
      return
    }
    let references: References
    let moved = UNMOVED
    if (tag?.t === 'shared' && tag.si !== undefined && own.formulaTextEnd === own.formulaText) {
      const master = sheet.masterOf(xml, tag.si, own)
      if (!master) {
        graph.dynamic.push(node)
        return
      }
      references = sharedReferences(master)
      moved = { rows: own.row - master.row, columns: own.column - master.column }
    } else {
      references = findReferences(decodeText(own.bytes, own.formulaText, own.formulaTextEnd))
      const formula = tag?.t ? sheet.formulaOf(xml, own) : undefined
      const fill = formula && fillOf(xml, formula, own.row, own.column)
      if (fill) graph.fills.set(node, fill)
      if (formula?.kind === 'dataTable')
        addDataTable(building, { sheet: sheet.id, node }, fill?.boxes[0])
    }
    const isFolded = references.isDynamic && addFolded(building, sheet, own, node)
    const known = isFolded ? { ...references, isDynamic: false } : references
    addReferences(building, { sheet: sheet.id, node }, known, moved)
  })
}

/** INDIRECT and OFFSET whose target the file's own values give: they read that, until those values change. */
function addFolded(building: Building, sheet: Sheet, own: CellScan, node: number): boolean {
  const { graph, book, resolver } = building
  const xml = sheet.xml()
  const formula = xml.ok ? sheet.formulaOf(xml.value, own) : undefined
  const at = { row: own.row, column: own.column }
  const areas =
    formula &&
    graph.folded++ < MAX_FOLDED &&
    foldDynamic(formula.text, {
      sheet: sheet.id,
      ...at,
      sheetNamed: name => resolver.sheetsOf([name])?.[0],
      valueAt: (id, row, column) => storedValue(book, resolver.sheets[id], row, column),
    })
  if (!areas) return false
  graph.mindsSheets.push(node)
  for (const { sheet: id, top, left, bottom, right } of areas) {
    if (id !== sheet.id) graph.users.push({ sheet: id, node })
    addArea(building, node, id, top, left, bottom, right)
  }
  return true
}

const MAX_FOLDED = 5_000 // of one workbook: each is parsed

/** A text or number of the file, whatever was edited since. */
function storedValue(
  book: Book,
  sheet: Sheet | undefined,
  row: number,
  column: number,
): string | number | undefined {
  const xml = sheet?.xml()
  const strings = book.part.strings()
  if (!xml?.ok || !strings.ok) return undefined
  let found: string | number | undefined
  const index = xml.value.findRow(row)
  if (xml.value.rows.numbers[index] !== row) return undefined
  xml.value.scanRow(index, new CellScan(), cell => {
    if (cell.column !== column || (cell.formulaStart >= 0 && !cell.isComputed)) return
    const { type, value } = contentOf(cell, strings.value, book.part.is1904)
    if (type === 'text' || type === 'number') found = value
  })
  return found
}

/** The offset of a cell from the owner of its shared formula. */
interface Moved {
  readonly rows: number
  readonly columns: number
}

const UNMOVED: Moved = { rows: 0, columns: 0 }

function addSimple(
  building: Building,
  sheet: number,
  node: number,
  { count, corners }: SimpleReferences,
): void {
  for (let at = 0; at < 4 * count; at += 4)
    addArea(
      building,
      node,
      sheet,
      corners[at]!,
      corners[at + 1]!,
      corners[at + 2]!,
      corners[at + 3]!,
    )
}

/**
 * A data table computes the formulas above and left of it with the values next to them in place of its input cells.
 * Every other input makes those formulas stale first.
 */
function addDataTable(
  building: Building,
  { sheet, node }: { readonly sheet: number; readonly node: number },
  box: Box | undefined,
): void {
  if (!box || box.top === 1 || box.left === 1) building.graph.dynamic.push(node)
  else {
    const { top, left, bottom, right } = box
    addArea(building, node, sheet, top - 1, left - 1, top - 1, right)
    addArea(building, node, sheet, top - 1, left - 1, bottom, left - 1)
  }
}

function addReferences(
  building: Building,
  { sheet: ownSheet, node }: { readonly sheet: number; readonly node: number },
  references: References,
  { rows, columns }: Moved,
): void {
  const { graph, resolver } = building
  if (references.isDynamic) graph.dynamic.push(node)
  if (references.mindsHidden) graph.mindsHidden.push(node)
  if (references.mindsSheets) graph.mindsSheets.push(node)
  const add = (sheet: number, area: Reference, moves: boolean) => {
    const top = area.top + (area.fixedTop || !moves ? 0 : rows)
    const bottom = area.bottom + (area.fixedBottom || !moves ? 0 : rows)
    const left = area.left + (area.fixedLeft || !moves ? 0 : columns)
    const right = area.right + (area.fixedRight || !moves ? 0 : columns)
    if (sheet !== ownSheet) graph.users.push({ sheet, node })
    addArea(building, node, sheet, top, left, bottom, right)
  }
  for (const area of references.areas) {
    if (!area.sheets) {
      add(ownSheet, area, true)
      continue
    }
    const sheets = resolver.sheetsOf(area.sheets)
    // `A1:Sheet2!B2` looks like a range of sheets, and is one of cells where no sheet is called A1.
    if (!sheets && area.sheets.length > 1) graph.dynamic.push(node)
    if (!sheets) continue
    for (const sheet of sheets) add(sheet, area, true)
    if (sheets.length > 1) graph.spans.push({ ends: [sheets[0]!, sheets.at(-1)!], node })
  }
  for (const name of references.names) {
    const target = resolver.name(name, ownSheet)
    if (!target) continue
    if (target.isDynamic) graph.dynamic.push(node)
    if (target.mindsHidden) graph.mindsHidden.push(node)
    if (target.mindsSheets) graph.mindsSheets.push(node)
    for (const { sheet, area } of target.areas) add(sheet, area, false)
    for (const ends of target.spans) graph.spans.push({ ends, node })
  }
  for (const { table, part } of references.structured) {
    const key = graph.keys[node]!
    const around =
      table === '' ? resolver.tableAround(ownSheet, rowOfKey(key), columnOfKey(key)) : undefined
    const own = around ? { sheet: ownSheet, table: around } : resolver.table(table)
    const box = own && structuredBox(own.table, part, rowOfKey(key))
    if (!box && table === '') graph.dynamic.push(node)
    if (!box) continue
    if (own.sheet !== ownSheet) graph.users.push({ sheet: own.sheet, node })
    addArea(building, node, own.sheet, box.top, box.left, box.bottom, box.right)
  }
}

function addArea(
  { graph, ranges }: Building,
  node: number,
  sheet: number,
  top: number,
  left: number,
  bottom: number,
  right: number,
): void {
  if (top === bottom && left === right) {
    graph.cellSheets.push(sheet)
    graph.cellKeys.push(cellKey(top, left))
    graph.cellNodes.push(node)
    return
  }
  const key = `${sheet}:${top}:${left}:${bottom}:${right}`
  let range = ranges.get(key)
  if (!range) {
    range = {
      sheet,
      top: Math.min(top, bottom),
      left: Math.min(left, right),
      bottom: Math.max(top, bottom),
      right: Math.max(left, right),
      nodes: [],
    }
    ranges.set(key, range)
    graph.ranges.push(range)
  }
  range.nodes.push(node)
}
