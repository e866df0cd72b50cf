import { counted, type Fields, isFields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { linesOf, setLines } from '../../edit/lines.ts'
import { textBodyAt } from '../../edit/matches.ts'
import { cellsOf, columnsOf, rowsOf } from '../../slide/table.ts'
import { gridField, lineField, type SlideTable, valueText } from './grid.ts'

interface CellWrite {
  readonly row: number
  readonly column: number
  readonly text: string
}

/** Writes cells, each a change of its own; null leaves a cell as it is. */
export function setTable(editor: DeckEditor, operation: Fields): OperationResult {
  const grid = gridField(editor, operation)
  const writes = editor.resolve('cells', () => writesOf(grid, operation))
  let count = 0
  for (const { row, column, text } of writes) {
    const body = textBodyAt(editor, `${grid.ref}/${row},${column}`)
    const lines = linesOf(text, 'a value')
    if (editor.editBody(body, (tree, node) => setLines(tree, node, lines))) count++
  }
  return {
    op: 'set_table',
    message: `Set ${counted(count, 'cell')} of ${grid.shape.name} on slide ${grid.slide.index}.`,
    cells: count,
  }
}

function writesOf(grid: SlideTable, operation: Fields): readonly CellWrite[] {
  const { values, cells, op } = operation
  if (!Array.isArray(values) && !Array.isArray(cells))
    throw wrongArgument('set_table needs values, such as [["a", "b"]], or cells')
  const top = operation.row === undefined ? 1 : lineField(grid, 'row', operation.row, op)
  const left = operation.column === undefined ? 1 : lineField(grid, 'column', operation.column, op)
  const block = (Array.isArray(values) ? values : []).flatMap((row: unknown, y) =>
    (Array.isArray(row) ? row : [row]).flatMap((value: unknown, x) =>
      value === null ? [] : [{ row: top + y, column: left + x, text: valueText(value) }],
    ),
  )
  const single = (Array.isArray(cells) ? cells : []).map((cell: unknown) => {
    if (!isFields(cell)) throw wrongArgument('cells is a list of {row, column, value}')
    return {
      row: lineField(grid, 'row', cell.row, op),
      column: lineField(grid, 'column', cell.column, op),
      text: valueText(cell.value),
    }
  })
  const writes = [...block, ...single]
  refuseOutside(grid, writes)
  return writes
}

function refuseOutside({ tree, node, shape }: SlideTable, writes: readonly CellWrite[]): void {
  const rows = rowsOf(node).length
  const columns = columnsOf(node).length
  const covered = new Set(
    cellsOf(tree, node)
      .filter(({ isCovered }) => isCovered)
      .map(({ row, column }) => `${row},${column}`),
  )
  for (const { row, column } of writes) {
    if (row > rows || column > columns)
      throw new Refusal(
        'NO_SUCH_REGION',
        `row ${row}, column ${column} is outside ${shape.name}, which has ${rows} rows and ${columns} columns; insert_table_rows and insert_table_columns make room`,
      )
    if (covered.has(`${row},${column}`))
      throw new Refusal(
        'CONFLICT',
        `row ${row}, column ${column} is covered by a merged cell; write to the cell that covers it, or leave it out with null`,
      )
  }
}
