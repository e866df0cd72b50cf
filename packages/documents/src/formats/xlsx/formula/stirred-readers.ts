import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import { cellKey, columnOfKey, MAX_COLUMN, MAX_ROW, rowOfKey } from '../cell/address.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { type FormulaGraph, graphOf } from './formula-graph.ts'

/** Cells of one sheet about to be in other places. */
export interface Stir {
  readonly sheet: number
  /** Where a reference to the box is afterwards; undefined: it is lost. */
  box(box: Box): Box | undefined
  /** Whether one of the box's cells is elsewhere afterwards, or overwritten. */
  movesIn(box: Box): boolean
  /** None is lost, and they keep their order and those beside them, as when a whole row is inserted. */
  readonly keepsOrder: boolean
}

/**
 * Formulas that will not read the same cells in the same order, directly or through names and tables, so that their
 * stored results count no more: by sheet id, keys of their places before.
 */
export function stirredReaders(book: Book, stir: Stir): Map<number, Set<number>> {
  const graph = graphOf(book)
  const nodes = new Set([...graph.dynamic, ...graph.mindsSheets, ...spanning(book, graph, stir)])
  const wholes = new Set<number>()
  for (const range of graph.ranges) {
    if (range.sheet !== stir.sheet) continue
    const found = isStirred(stir, range)
    if (found) for (const node of range.nodes) (isWhole(range) ? wholes : nodes).add(node)
  }
  for (const [index, node] of graph.cellNodes.entries())
    if (graph.cellSheets[index] === stir.sheet && !nodes.has(node)) {
      const key = graph.cellKeys[index]!
      const [row, column] = [rowOfKey(key), columnOfKey(key)]
      const box = { top: row, bottom: row, left: column, right: column }
      if (isStirred(stir, box)) nodes.add(node)
    }
  const found = new Map<number, Set<number>>()
  for (const node of nodes) add(found, graph.sheets[node]!, graph.keys[node]!)
  const mindful = stir.keepsOrder ? whereOrderCounts(book, graph, wholes) : wholes
  for (const node of mindful) add(found, graph.sheets[node]!, graph.keys[node]!)
  return found
}

function add(found: Map<number, Set<number>>, sheet: number, key: number): void {
  const keys = found.get(sheet)
  if (keys) keys.add(key)
  else found.set(sheet, new Set([key]))
}

function isStirred(stir: Stir, box: Box): boolean {
  const after = stir.box(box)
  if (!after) return false // it reads #REF! now, and is told
  const isSameSize =
    after.bottom - after.top === box.bottom - box.top &&
    after.right - after.left === box.right - box.left
  if (!isSameSize) return true
  const isMoved = after.top !== box.top || after.left !== box.left
  return !isMoved && stir.movesIn(box)
}

function isWhole({ top, bottom, left, right }: Box): boolean {
  return (top === 1 && bottom === MAX_ROW) || (left === 1 && right === MAX_COLUMN)
}

/** A reference to a range of sheets stays where it is. */
function spanning({ sheets }: Book, graph: FormulaGraph, { sheet }: Stir): number[] {
  const at = sheets.findIndex(({ id }) => id === sheet)
  return graph.spans.flatMap(({ ends, node }) => {
    const [first = 0, last = 0] = ends.map(id => sheets.findIndex(own => own.id === id))
    return at >= Math.min(first, last) && at <= Math.max(first, last) ? [node] : []
  })
}

/** Sums and searches of a whole column give the same whatever row a value is in; a place does not. */
const PLACES = /\b(?:X?MATCH|INDEX|TAKE|DROP|CHOOSEROWS|CHOOSECOLS|ROWS?|COLUMNS?)\s*\(/i
/** The row that is found is asked for again, in columns that moved alike. */
const FOUND_AGAIN =
  /\bINDEX\(\s*((?:'(?:[^']|'')*'|[\w.]+)!|)\$?([A-Z]{1,3}):\$?\2\s*,\s*MATCH\(\s*[^(),]+,\s*\1\$?([A-Z]{1,3}):\$?\3\s*,\s*(?:0|FALSE)\s*\)\s*\)/gi
/** One cell of the column: that of the formula's own row. */
const OWN_ROW =
  /(?:^|[-+*/^&=<>@\s])(?:'(?:[^']|'')*'!|[\w.]+!)?\$?([A-Z]{1,3}:\$?[A-Z]{1,3}|\d+:\$?\d+)(?=$|[-+*/^&=<>\s])/i

function whereOrderCounts(
  book: Book,
  graph: FormulaGraph,
  wholes: ReadonlySet<number>,
): readonly number[] {
  const bySheet = new Map<number, Map<number, number>>()
  for (const node of wholes) {
    const sheet = graph.sheets[node]!
    const keys = bySheet.get(sheet) ?? new Map<number, number>()
    bySheet.set(sheet, keys.set(graph.keys[node]!, node))
  }
  const found: number[] = []
  for (const [id, keys] of bySheet) {
    const sheet = book.sheets.find(own => own.id === id)
    const xml = sheet?.xml()
    if (!sheet || !xml?.ok) continue
    scanFormulas(xml.value, own => {
      const node = keys.get(cellKey(own.row, own.column))
      if (node === undefined) return
      const text = (sheet.formulaOf(xml.value, own)?.text ?? '').replaceAll(FOUND_AGAIN, '1')
      if (PLACES.test(text) || OWN_ROW.test(text)) found.push(node)
    })
  }
  return found
}
