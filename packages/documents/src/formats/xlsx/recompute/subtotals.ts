import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import { hiddenLines } from '../book/hidden.ts'
import type { Sheet } from '../book/sheet.ts'
import { columnOfKey, contains, rowOfKey } from '../cell/address.ts'
import type { PlacedBox } from '../formula/fills.ts'
import type { FormulaGraph } from '../formula/formula-graph.ts'

const MINDS_HIDDEN = /SUBTOTAL|AGGREGATE/i

/** Whether a range has hidden rows or subtotals of its own, which SUBTOTAL and AGGREGATE may leave out. */
export function hidesIn(
  book: Book,
  graph: FormulaGraph,
  boxes: readonly PlacedBox[],
  home: Sheet,
  at: { readonly row: number; readonly column: number },
): boolean {
  return boxes.some(box => {
    const sheet = book.sheets.find(own => own.id === box.sheet)
    if (!sheet || hiddenLines(sheet, box).rows.length > 0) return true
    const isOther = (row: number, column: number) =>
      contains(box as Box, row, column) &&
      !(sheet === home && row === at.row && column === at.column)
    const isStored = graph.mindsHidden.some(
      node =>
        graph.sheets[node] === box.sheet &&
        isOther(rowOfKey(graph.keys[node]!), columnOfKey(graph.keys[node]!)),
    )
    if (isStored || (sheet.source.from === 'bytes' && holdsSubtotals(book, sheet, box, isOther)))
      return true
    for (const [key, { formula }] of sheet.editsWithin(box))
      if (formula && MINDS_HIDDEN.test(formula.text) && isOther(rowOfKey(key), columnOfKey(key)))
        return true
    return false
  })
}

const MOST_CELLS = 100_000

/** The graph of formulas knows nothing of a sheet that an operation made. */
function holdsSubtotals(
  book: Book,
  sheet: Sheet,
  box: PlacedBox,
  isOther: (row: number, column: number) => boolean,
): boolean {
  if ((box.bottom - box.top + 1) * (box.right - box.left + 1) > MOST_CELLS) return true
  const cells = book.cellsIn(sheet, box as Box)
  if (!cells.ok) return true
  return [...cells.value.values()].some(
    ({ row, column, formula }) =>
      formula !== undefined && MINDS_HIDDEN.test(formula.text) && isOther(row, column),
  )
}
