import type { PlacedBox } from '../formula/fills.ts'
import type { CellSet } from './areas.ts'

const MAX_EDGES = 5_000_000 // beyond it the order costs more than the computation

/** Each cell after those of the set that it reads. Cells on a cycle, and what reads them, have no order. */
export function orderCells(
  cells: readonly { readonly boxes: readonly PlacedBox[] }[],
  set: CellSet,
): { readonly order: readonly number[]; readonly circular: ReadonlySet<number> } {
  const graph = linked(cells, set)
  if (!graph) return { order: [], circular: new Set(cells.keys()) }
  const { waiting, readers } = graph
  const ready: number[] = []
  for (const [node, count] of waiting.entries()) if (count === 0) ready.push(node)
  for (let at = 0; at < ready.length; at++)
    for (const reader of readers[ready[at]!]!) if (--waiting[reader]! === 0) ready.push(reader)
  const order = ready.filter(node => node < cells.length)
  const circular = new Set<number>()
  for (const index of cells.keys()) if (waiting[index]! > 0) circular.add(index)
  return { order, circular }
}

/**
 * What each node waits for. A range of cells is a node of its own between the cells in it and all who read it: a thousand
 * lookups in one table are then a thousand edges, and not a thousand for each of its rows.
 */
function linked(
  cells: readonly { readonly boxes: readonly PlacedBox[] }[],
  set: CellSet,
): { readonly waiting: number[]; readonly readers: number[][] } | undefined {
  const waiting: number[] = cells.map(() => 0)
  const readers: number[][] = cells.map(() => [])
  const ranges = new Map<string, number>()
  let edges = 0
  const link = (from: number, to: number) => {
    readers[from]!.push(to)
    waiting[to]!++
    return ++edges > MAX_EDGES
  }
  const rangeOf = (box: PlacedBox): number => {
    const name = `${box.sheet}:${box.top}:${box.left}:${box.bottom}:${box.right}`
    const known = ranges.get(name)
    if (known !== undefined) return known
    const node = waiting.push(0) - 1
    readers.push([])
    ranges.set(name, node)
    set.some(box, other => link(other, node))
    return node
  }
  for (const [index, { boxes }] of cells.entries())
    for (const box of boxes) {
      const isCell = box.top === box.bottom && box.left === box.right
      if (isCell) set.some(box, other => link(other, index))
      else link(rangeOf(box), index)
      if (edges > MAX_EDGES) return undefined
    }
  return { waiting, readers }
}
