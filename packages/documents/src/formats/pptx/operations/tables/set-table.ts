import { counted } from '@filewright/protocol'
import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { linesOf, setLines } from '../../edit/lines.ts'
import { textBodyAt } from '../../edit/matches.ts'
import { cellsOf, columnsOf, rowsOf } from '../../slide/table.ts'
import { gridOf, lineOf, type SlideTable, valueText } from './grid.ts'

interface CellWrite {
  readonly row: number
  readonly column: number
  readonly text: string
}

/** Writes cells, each a change of its own; null leaves a cell as it is. */
export function setTable(editor: DeckEditor, args: DeckArgs<'set_table'>) {
  const grid = gridOf(editor, args)
  const writes = editor.resolve('cells', () => writesOf(grid, args))
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

function writesOf(
  grid: SlideTable,
  { values = [], cells = [], row, column }: DeckArgs<'set_table'>,
): readonly CellWrite[] {
  const top = row === undefined ? 1 : lineOf(grid, 'row', row)
  const left = column === undefined ? 1 : lineOf(grid, 'column', column)
  const block = values.flatMap((line, y) =>
    [line]
      .flat()
      .flatMap((value, x) =>
        value === null ? [] : [{ row: top + y, column: left + x, text: valueText(value) }],
      ),
  )
  const single = cells.map(cell => ({
    row: lineOf(grid, 'row', cell.row),
    column: lineOf(grid, 'column', cell.column),
    text: valueText(cell.value),
  }))
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
