import { decodeText } from '../../opc/index.ts'
import { cellKey, MAX_COLUMN, parseBox } from './address.ts'
import type { Book, StaleCells } from './book.ts'
import { CellScan } from './cell-scan.ts'
import { scanFormulas } from './formula-cells.ts'
import { findReferences, type Reference, type References } from './references.ts'
import { decodeTag, type Sheet } from './sheet.ts'
import { tablesOf } from './sheet-parts.ts'
import type { SheetXml } from './sheet-xml.ts'
import { SimpleReferences } from './simple-references.ts'

/** Cells whose cached value an edit made false, by sheet id. */
export class StaleSet implements StaleCells {
  readonly #bySheet = new Map<number, Set<number>>()

  has(sheetId: number, row: number, column: number): boolean {
    return this.#bySheet.get(sheetId)?.has(cellKey(row, column)) ?? false
  }

  keysOf(sheetId: number): ReadonlySet<number> {
    return this.#bySheet.get(sheetId) ?? NOTHING
  }

  add(sheetId: number, key: number): boolean {
    let keys = this.#bySheet.get(sheetId)
    if (!keys) {
      keys = new Set()
      this.#bySheet.set(sheetId, keys)
    }
    if (keys.has(key)) return false
    keys.add(key)
    return true
  }
}

const NOTHING: ReadonlySet<number> = new Set()
const MAX_LOOKS = 300_000_000 // about a second; beyond it every formula counts as stale

/** Everything that reads an edited cell, directly or through others, names, tables and ranges of sheets. */
export function findStale(book: Book): StaleSet {
  const graph = graphOf(book)
  const edits = new Map(book.sheets.map(sheet => [sheet.id, sheet.cells]))
  const edited: Place[] = []
  for (const sheet of book.sheets)
    for (const key of sheet.cells.keys()) edited.push({ sheet: sheet.id, key })
  if (edited.length === 0 && book.rewrites.length === 0) return new StaleSet()
  const lost = graph.users.filter(({ sheet }) => !edits.has(sheet)).map(({ node }) => node)
  const isKept = (sheet: number, key: number) => edits.get(sheet)?.has(key) ?? true
  return spread(graph, edited, [...graph.dynamic, ...lost], isKept).stale
}

/**
 * Formulas whose cached result any edit makes doubtful, because only computing them says what they read, and those that
 * read them in turn; without those that have no cached result.
 */
export function findDoubtful(book: Book): readonly Place[] {
  const graph = graphOf(book)
  if (graph.dynamic.length === 0) return []
  const edits = new Map(book.sheets.map(sheet => [sheet.id, sheet.cells]))
  const isKept = (sheet: number, key: number) => edits.get(sheet)?.has(key) ?? true
  return spread(graph, [], graph.dynamic, isKept)
    .nodes.filter(node => graph.hasValue[node])
    .map(node => ({ sheet: graph.sheets[node]!, key: graph.keys[node]! }))
}

export interface Place {
  readonly sheet: number
  readonly key: number
}

/** From cells and formulas to all that reads them. What is kept is no longer a formula of the file. */
function spread(
  graph: Graph,
  cells: readonly Place[],
  formulas: readonly number[],
  isKept: (sheet: number, key: number) => boolean,
): { stale: StaleSet; nodes: number[] } {
  const stale = new StaleSet()
  const nodes: number[] = []
  const queue = [...cells]
  const mark = (node: number) => {
    const sheet = graph.sheets[node]!
    const key = graph.keys[node]!
    if (isKept(sheet, key) || !stale.add(sheet, key)) return
    nodes.push(node)
    queue.push({ sheet, key })
    for (const filled of graph.filledBy.get(node) ?? [])
      if (stale.add(sheet, filled)) queue.push({ sheet, key: filled })
  }
  for (const node of formulas) mark(node)
  const lookup = new Lookup(graph)
  for (let index = 0; index < queue.length; index++) {
    const { sheet, key } = queue[index]!
    if (lookup.dependants(sheet, key, mark)) continue
    for (let node = 0; node < graph.keys.length; node++) mark(node)
    break
  }
  return { stale, nodes }
}

/** Formulas of the file and what they read; made once, since edits lie over it. */
interface Graph {
  readonly sheets: number[]
  readonly keys: number[]
  readonly hasValue: boolean[]
  /** Formulas whose reads are only known when computed. */
  readonly dynamic: number[]
  /** Which formula names which sheet, for sheets that go. */
  readonly users: { readonly sheet: number; readonly node: number }[]
  /** Cells that an array formula fills beside its own. */
  readonly filledBy: Map<number, readonly number[]>
  readonly cellSheets: number[]
  readonly cellKeys: number[]
  readonly cellNodes: number[]
  readonly ranges: Range[]
}

interface Range {
  readonly sheet: number
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly nodes: number[]
}

const graphs = new WeakMap<Book, Graph>()

function graphOf(book: Book): Graph {
  const known = graphs.get(book)
  if (known) return known
  const graph = buildGraph(book)
  graphs.set(book, graph)
  return graph
}

function buildGraph(book: Book): Graph {
  const graph: Graph = {
    sheets: [],
    keys: [],
    hasValue: [],
    dynamic: [],
    users: [],
    filledBy: new Map(),
    cellSheets: [],
    cellKeys: [],
    cellNodes: [],
    ranges: [],
  }
  const resolver = new Resolver(book)
  const rangeIndex = new Map<string, Range>()
  for (const [id] of book.part.sheets.entries()) {
    const sheet = resolver.sheets[id]
    const opened = sheet?.xml()
    if (!sheet || !opened?.ok) continue
    addSheet(graph, resolver, rangeIndex, sheet, opened.value)
  }
  return graph
}

function addSheet(
  graph: Graph,
  resolver: Resolver,
  rangeIndex: Map<string, Range>,
  sheet: Sheet,
  xml: SheetXml,
): void {
  const masters = new Map<string, { row: number; column: number; references: References }>()
  const simple = new SimpleReferences()
  scanFormulas(xml, own => {
    const node = graph.keys.length
    graph.sheets.push(sheet.id)
    graph.keys.push(cellKey(own.row, own.column))
    graph.hasValue.push(own.valueStart >= 0)
    const tag = decodeTag(own)
    if (!tag && simple.read(own.bytes, own.formulaText, own.formulaTextEnd)) {
      addSimple(graph, rangeIndex, sheet.id, node, simple)
      return
    }
    let references: References
    let rows = 0
    let columns = 0
    if (tag?.t === 'shared' && tag.si !== undefined && own.formulaTextEnd === own.formulaText) {
      const master = masters.get(tag.si) ?? laterMaster(sheet, tag.si)
      if (!master) {
        graph.dynamic.push(node)
        return
      }
      references = master.references
      rows = own.row - master.row
      columns = own.column - master.column
    } else {
      references = findReferences(decodeText(own.bytes, own.formulaText, own.formulaTextEnd))
      if (tag?.t === 'shared' && tag.si !== undefined)
        masters.set(tag.si, { row: own.row, column: own.column, references })
      if (tag?.t === 'dataTable') graph.dynamic.push(node)
      const box = (tag?.t === 'array' || tag?.t === 'dataTable') && parseBox(tag.ref ?? '')
      if (box) graph.filledBy.set(node, filledCells(xml, box, own.row, own.column))
    }
    addReferences(graph, resolver, rangeIndex, sheet.id, node, references, rows, columns)
  })
}

function addSimple(
  graph: Graph,
  rangeIndex: Map<string, Range>,
  sheet: number,
  node: number,
  { count, corners }: SimpleReferences,
): void {
  for (let at = 0; at < 4 * count; at += 4)
    addArea(
      graph,
      rangeIndex,
      node,
      sheet,
      corners[at]!,
      corners[at + 1]!,
      corners[at + 2]!,
      corners[at + 3]!,
    )
}

/** A shared formula whose text stands below or right of its first use. */
function laterMaster(sheet: Sheet, index: string) {
  const master = sheet.sharedMasters().get(index)
  return (
    master && { row: master.row, column: master.column, references: findReferences(master.text) }
  )
}

function filledCells(
  xml: SheetXml,
  box: { top: number; left: number; bottom: number; right: number },
  row: number,
  column: number,
): number[] {
  const keys: number[] = []
  if (box.top === box.bottom && box.left === box.right) return keys
  const cell = new CellScan()
  for (
    let index = xml.findRow(box.top);
    index < xml.rows.count && xml.rows.numbers[index]! <= box.bottom;
    index++
  )
    xml.scanRow(index, cell, own => {
      const isInside = own.column >= box.left && own.column <= box.right
      if (isInside && own.valueStart >= 0 && (own.row !== row || own.column !== column))
        keys.push(cellKey(own.row, own.column))
    })
  return keys
}

function addReferences(
  graph: Graph,
  resolver: Resolver,
  rangeIndex: Map<string, Range>,
  ownSheet: number,
  node: number,
  references: References,
  rows: number,
  columns: number,
): void {
  if (references.isDynamic) graph.dynamic.push(node)
  const add = (sheet: number, area: Reference, moves: boolean) => {
    const top = area.top + (area.fixedTop || !moves ? 0 : rows)
    const bottom = area.bottom + (area.fixedBottom || !moves ? 0 : rows)
    const left = area.left + (area.fixedLeft || !moves ? 0 : columns)
    const right = area.right + (area.fixedRight || !moves ? 0 : columns)
    if (sheet !== ownSheet) graph.users.push({ sheet, node })
    addArea(graph, rangeIndex, node, sheet, top, left, bottom, right)
  }
  for (const area of references.areas) {
    if (!area.sheets) {
      add(ownSheet, area, true)
      continue
    }
    const sheets = resolver.sheetsOf(area.sheets)
    if (!sheets) continue
    for (const sheet of sheets) add(sheet, area, true)
  }
  for (const name of references.names) {
    const target = resolver.name(name, ownSheet)
    if (!target) continue
    if (target.isDynamic) graph.dynamic.push(node)
    for (const { sheet, area } of target.areas) add(sheet, area, false)
  }
}

function addArea(
  graph: Graph,
  rangeIndex: Map<string, Range>,
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
  let range = rangeIndex.get(key)
  if (!range) {
    range = {
      sheet,
      top: Math.min(top, bottom),
      left: Math.min(left, right),
      bottom: Math.max(top, bottom),
      right: Math.max(left, right),
      nodes: [],
    }
    rangeIndex.set(key, range)
    graph.ranges.push(range)
  }
  range.nodes.push(node)
}

interface NamedTarget {
  readonly areas: readonly { readonly sheet: number; readonly area: Reference }[]
  readonly isDynamic: boolean
}

/** Sheet names, defined names and tables as the file has them: ids are positions in the file. */
class Resolver {
  readonly sheets: readonly (Sheet | undefined)[]
  readonly #book: Book
  readonly #ids = new Map<string, number>()
  readonly #names = new Map<string, NamedTarget | undefined>()
  #tables: Map<string, NamedTarget> | undefined

  constructor(book: Book) {
    this.#book = book
    this.sheets = book.part.sheets.map((_, id) => book.sheets.find(sheet => sheet.id === id))
    for (const [id, entry] of book.part.sheets.entries())
      this.#ids.set(entry.name.toLowerCase(), id)
  }

  /** Undefined for another workbook's, or an unknown sheet. */
  sheetsOf(names: readonly string[]): readonly number[] | undefined {
    const [first, last] = names.map(name => this.#ids.get(name.toLowerCase()))
    if (first === undefined) return undefined
    if (names.length < 2) return [first]
    if (last === undefined) return undefined
    const [from, to] = first <= last ? [first, last] : [last, first]
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  }

  name(name: string, ownSheet: number): NamedTarget | undefined {
    const key = `${ownSheet}:${name}`
    if (this.#names.has(key)) return this.#names.get(key)
    this.#names.set(key, undefined) // a name that uses itself ends here
    const target = this.#resolve(name, ownSheet)
    this.#names.set(key, target)
    return target
  }

  #resolve(name: string, ownSheet: number): NamedTarget | undefined {
    const names = this.#book.part.definedNames.filter(own => own.name.toLowerCase() === name)
    const defined =
      names.find(own => own.localSheet === ownSheet) ??
      names.find(own => own.localSheet === undefined)
    if (!defined) return this.#tablesByName().get(name)
    const references = findReferences(defined.text)
    const areas: { sheet: number; area: Reference }[] = []
    let { isDynamic } = references
    for (const area of references.areas)
      for (const sheet of area.sheets ? (this.sheetsOf(area.sheets) ?? []) : [ownSheet])
        areas.push({ sheet, area })
    for (const other of references.names) {
      const target = this.name(other, ownSheet)
      if (target?.isDynamic) isDynamic = true
      if (target) areas.push(...target.areas)
    }
    // A name with a reference that moves means another cell for each formula.
    if (references.areas.some(own => !own.fixedTop || !own.fixedLeft)) isDynamic = true
    return { areas, isDynamic }
  }

  #tablesByName(): Map<string, NamedTarget> {
    if (this.#tables) return this.#tables
    this.#tables = new Map()
    for (const sheet of this.sheets) {
      if (!sheet) continue
      for (const table of tablesOf(this.#book.part, sheet)) {
        const box = parseBox(table.ref)
        if (!box) continue
        const area: Reference = {
          ...box,
          sheets: undefined,
          fixedTop: true,
          fixedLeft: true,
          fixedBottom: true,
          fixedRight: true,
        }
        this.#tables.set(table.name.toLowerCase(), {
          areas: [{ sheet: sheet.id, area }],
          isDynamic: false,
        })
      }
    }
    return this.#tables
  }
}

/** Which formulas read a cell: single cells by a hash, ranges by their columns; a range that was hit is not asked again. */
class Lookup {
  readonly #graph: Graph
  readonly #heads: Int32Array
  readonly #next: Int32Array
  readonly #mask: number
  readonly #byColumn = new Map<number, number[]>()
  readonly #wide = new Map<number, number[]>()
  readonly #done: Uint8Array
  #looks = 0

  constructor(graph: Graph) {
    this.#graph = graph
    const count = graph.cellKeys.length
    let size = 16
    while (size < count * 2) size *= 2
    this.#mask = size - 1
    this.#heads = new Int32Array(size).fill(-1)
    this.#next = new Int32Array(count)
    for (let index = 0; index < count; index++) {
      const slot = this.#slot(graph.cellSheets[index]!, graph.cellKeys[index]!)
      this.#next[index] = this.#heads[slot]!
      this.#heads[slot] = index
    }
    this.#done = new Uint8Array(graph.ranges.length)
    for (const [index, range] of graph.ranges.entries()) {
      if (range.right - range.left >= 64) append(this.#wide, range.sheet, index)
      else
        for (let column = range.left; column <= range.right; column++)
          append(this.#byColumn, range.sheet * MAX_COLUMN + column - 1, index)
    }
  }

  /** False when it takes too long. */
  dependants(sheet: number, key: number, mark: (node: number) => void): boolean {
    const graph = this.#graph
    for (let index = this.#heads[this.#slot(sheet, key)]!; index >= 0; index = this.#next[index]!)
      if (graph.cellKeys[index] === key && graph.cellSheets[index] === sheet)
        mark(graph.cellNodes[index]!)
    const row = Math.floor(key / MAX_COLUMN)
    const column = (key % MAX_COLUMN) + 1
    this.#ask(this.#byColumn.get(sheet * MAX_COLUMN + column - 1), row, column, mark)
    this.#ask(this.#wide.get(sheet), row, column, mark)
    return this.#looks < MAX_LOOKS
  }

  #ask(
    list: number[] | undefined,
    row: number,
    column: number,
    mark: (node: number) => void,
  ): void {
    if (!list) return
    this.#looks += list.length
    for (let at = list.length - 1; at >= 0; at--) {
      const index = list[at]!
      const range = this.#graph.ranges[index]!
      const isDone = this.#done[index] === 1
      if (
        !isDone &&
        (row < range.top || row > range.bottom || column < range.left || column > range.right)
      )
        continue
      list[at] = list[list.length - 1]!
      list.pop()
      if (isDone) continue
      this.#done[index] = 1
      for (const node of range.nodes) mark(node)
    }
  }

  #slot(sheet: number, key: number): number {
    const low = key % 0x7fffffff
    return (
      (Math.imul(low ^ Math.floor(key / 0x7fffffff), 0x9e3779b1) ^
        Math.imul(sheet + 1, 0x85ebca6b)) &
      this.#mask
    )
  }
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
