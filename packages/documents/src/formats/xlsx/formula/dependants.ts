import type { Book } from '../book/book.ts'
import type { StaleCells } from '../book/cell-values.ts'
import { cellKey, columnOfKey, MAX_COLUMN, rowOfKey } from '../cell/address.ts'
import { filledBy, type PlacedBox } from './fills.ts'
import { type FormulaGraph, graphOf } from './formula-graph.ts'

/** Cells whose cached value an edit invalidated, by sheet id. */
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

/** Everything that reads an edited cell, directly or indirectly, through names, tables and ranges of sheets too. */
export function findStale(book: Book): StaleSet {
  const graph = graphOf(book)
  const edits = new Map(book.sheets.map(sheet => [sheet.id, sheet.cells]))
  const edited: CellPlace[] = []
  for (const sheet of book.sheets)
    for (const key of sheet.cells.keys()) edited.push({ sheet: sheet.id, key })
  const moved = graph.spans.filter(({ ends }) => isMoved(book, ends)).map(({ node }) => node)
  const isRenamed = book.rewrites.length > 0
  const touched = [
    ...nodesOverHidden(book, graph),
    ...(isRenamed || book.isRearranged ? graph.mindsSheets : []),
    // A reference built from text may name a sheet that was missing.
    ...(book.sheets.some(({ source }) => source.from === 'bytes') ? graph.dynamic : []),
    ...unsettledNodes(book, graph),
  ]
  const isKept = (sheet: number, key: number) => edits.get(sheet)?.has(key) ?? true
  if (edited.length === 0 && !isRenamed)
    return moved.length + touched.length > 0
      ? spread(graph, [], [...moved, ...touched], isKept).stale
      : new StaleSet()
  const lost = graph.users.filter(({ sheet }) => !edits.has(sheet)).map(({ node }) => node)
  const formulas = [...graph.dynamic, ...lost, ...moved, ...touched]
  return spread(graph, edited, formulas, isKept, filledByEdits(book)).stale
}

/** What formulas that edits wrote fill besides their own cell. */
function filledByEdits(book: Book): PlacedBox[] {
  return book.sheets.flatMap(sheet =>
    [...sheet.cells].flatMap(([key, { formula }]) =>
      formula ? filledBy(sheet, formula, key).map(box => ({ ...box, sheet: sheet.id })) : [],
    ),
  )
}

/** Formulas that may ignore hidden rows and read a row that was hidden or shown, or may read one. */
function nodesOverHidden(book: Book, graph: FormulaGraph): readonly number[] {
  const rows = new Map(
    book.sheets.filter(own => own.hidesRows).map(own => [own.id, own.rowsHiddenOrShown()]),
  )
  if (rows.size === 0) return []
  const minding = new Set(graph.mindsHidden)
  const over = new Set(graph.dynamic.filter(node => minding.has(node)))
  for (const { sheet, top, bottom, nodes } of graph.ranges)
    if (rows.get(sheet)?.some(row => row >= top && row <= bottom))
      for (const node of nodes) if (minding.has(node)) over.add(node)
  for (const [index, node] of graph.cellNodes.entries())
    if (minding.has(node) && rows.get(graph.cellSheets[index]!)?.includes(rowAt(graph, index)))
      over.add(node)
  return [...over]
}

const rowAt = (graph: FormulaGraph, index: number) => rowOfKey(graph.cellKeys[index]!)

/** Formulas that cells moved under: whatever the file says, their values count no more. */
function unsettledNodes({ unsettled }: Book, graph: FormulaGraph): number[] {
  if (unsettled.size === 0) return []
  const nodes: number[] = []
  for (let node = 0; node < graph.keys.length; node++)
    if (unsettled.get(graph.sheets[node]!)?.has(graph.keys[node]!)) nodes.push(node)
  return nodes
}

/** Whether the sheets from one to the other, inclusive, differ from those in the file. */
function isMoved({ sheets }: Book, [first, last]: readonly [number, number]): boolean {
  const ends = [first, last].map(id => sheets.findIndex(sheet => sheet.id === id))
  const between = sheets.slice(Math.min(...ends), Math.max(...ends) + 1)
  return between.length !== last - first + 1 || between.some(({ id }) => id < first || id > last)
}

/**
 * Formulas whose cached result any edit makes doubtful, because their inputs are only known when computed, and the
 * formulas that read them; excludes those without a cached result.
 */
export function findDoubtful(book: Book): readonly CellPlace[] {
  const graph = graphOf(book)
  if (graph.dynamic.length === 0) return []
  const edits = new Map(book.sheets.map(sheet => [sheet.id, sheet.cells]))
  const isKept = (sheet: number, key: number) => edits.get(sheet)?.has(key) ?? true
  return spread(graph, [], graph.dynamic, isKept)
    .nodes.filter(node => graph.hasValue[node])
    .map(node => ({ sheet: graph.sheets[node]!, key: graph.keys[node]! }))
}

export interface CellPlace {
  readonly sheet: number
  readonly key: number
}

/** From cells, filled areas and formulas to everything that reads them. `kept` cells are no longer formulas of the file. */
function spread(
  graph: FormulaGraph,
  cells: readonly CellPlace[],
  formulas: readonly number[],
  isKept: (sheet: number, key: number) => boolean,
  filled: readonly PlacedBox[] = [],
): { stale: StaleSet; nodes: number[] } {
  const stale = new StaleSet()
  const nodes: number[] = []
  const queue = [...cells]
  const areas = [...filled]
  const mark = (node: number) => {
    const sheet = graph.sheets[node]!
    const key = graph.keys[node]!
    if (isKept(sheet, key) || !stale.add(sheet, key)) return
    nodes.push(node)
    queue.push({ sheet, key })
    const fill = graph.fills.get(node)
    for (const filled of fill?.keys ?? []) stale.add(sheet, filled)
    for (const box of fill?.boxes ?? []) areas.push({ ...box, sheet })
  }
  for (const node of formulas) mark(node)
  const lookup = new Lookup(graph)
  for (let index = 0; index < queue.length || areas.length > 0; ) {
    const area = areas.pop()
    const isDone = area
      ? lookup.readersOf(area, mark)
      : lookup.dependants(queue[index]!.sheet, queue[index++]!.key, mark)
    if (isDone) continue
    for (let node = 0; node < graph.keys.length; node++) mark(node)
    break
  }
  return { stale, nodes }
}

/**
 * Which formulas read a cell: single cells by hash, ranges by column; a range that matched once is not checked again.
 */
class Lookup {
  readonly #graph: FormulaGraph
  readonly #heads: Int32Array
  readonly #next: Int32Array
  readonly #mask: number
  readonly #byColumn = new Map<number, number[]>()
  readonly #wide = new Map<number, number[]>()
  readonly #done: Uint8Array
  #looks = 0

  constructor(graph: FormulaGraph) {
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

  /** False when it takes too long. */
  readersOf({ sheet, top, bottom, left, right }: PlacedBox, mark: (node: number) => void): boolean {
    const { ranges, cellSheets, cellKeys, cellNodes } = this.#graph
    for (const own of ranges)
      if (own.sheet === sheet && own.top <= bottom && own.bottom >= top)
        if (own.left <= right && own.right >= left) for (const node of own.nodes) mark(node)
    for (const [index, key] of cellKeys.entries()) {
      if (cellSheets[index] !== sheet) continue
      const [row, column] = [rowOfKey(key), columnOfKey(key)]
      if (row >= top && row <= bottom && column >= left && column <= right) mark(cellNodes[index]!)
    }
    this.#looks += ranges.length + cellKeys.length
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
