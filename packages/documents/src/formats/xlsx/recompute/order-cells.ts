import type { CellSet, PlacedBox } from './areas.ts'

const MAX_EDGES = 5_000_000 // beyond it the order costs more than the computation

/** Each cell after those of the set that it reads. Cells on a cycle, and what reads them, have no order. */
export function orderCells(
  cells: readonly { readonly boxes: readonly PlacedBox[] }[],
  set: CellSet,
): { readonly order: readonly number[]; readonly circular: ReadonlySet<number> } {
  const waiting = new Int32Array(cells.length)
  const readers: number[][] = cells.map(() => [])
  let edges = 0
  for (const [index, { boxes }] of cells.entries())
    for (const box of boxes)
      set.some(box, other => {
        readers[other]!.push(index)
        waiting[index]!++
        return ++edges > MAX_EDGES
      })
  if (edges > MAX_EDGES) return { order: [], circular: new Set(cells.keys()) }
  const order: number[] = []
  for (const [index, count] of waiting.entries()) if (count === 0) order.push(index)
  for (let at = 0; at < order.length; at++)
    for (const reader of readers[order[at]!]!) if (--waiting[reader]! === 0) order.push(reader)
  const circular = new Set<number>()
  for (const [index, count] of waiting.entries()) if (count > 0) circular.add(index)
  return { order, circular }
}
