import { type ChangeId, similarNames } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import { parseBox } from '../cell/address.ts'
import { decodeEscapes } from '../cell/strings.ts'
import type { NamedColumn } from '../formula/values.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import { isSameColumn } from '../table/structured-references.ts'
import { withHeaders } from '../table/table-columns.ts'
import type { Editor } from './editor.ts'

const MOST_COLUMNS = 50

/**
 * Refuses a formula that names a column which its table lacks: Excel would repair the file. Checked when the formula is
 * written, since the same operation may write the header. Returns the changes that wrote those headers.
 */
export function writersOfColumns(
  editor: Editor,
  place: string,
  columns: readonly NamedColumn[],
): readonly ChangeId[] {
  return columns.flatMap(named => writersOfColumn(editor, place, named))
}

function writersOfColumn(editor: Editor, place: string, named: NamedColumn): readonly ChangeId[] {
  const { book } = editor
  for (const sheet of book.sheets)
    for (const own of tablesOf(book.part, sheet)) {
      if (own.name.toLowerCase() !== named.table.toLowerCase()) continue
      const { columns, ref, headerRows } = withHeaders(book, sheet, own)
      const index = columns.findIndex(name => isSameColumn(name, named.column))
      if (index < 0) throw missing(place, named, own.name, columns.map(decodeEscapes))
      const box = parseBox(ref)
      if (!box || headerRows === 0 || sheet.cells.size === 0) return []
      const column = box.left + index
      return editor.writersOfCells(sheet, {
        top: box.top,
        bottom: box.top,
        left: column,
        right: column,
      })
    }
  return []
}

function missing(
  place: string,
  { column, formula }: NamedColumn,
  table: string,
  columns: readonly string[],
): Refusal {
  const [near] = similarNames(column, columns, 1)
  const shown = columns.slice(0, MOST_COLUMNS).map(name => JSON.stringify(name))
  const more = columns.length > shown.length ? ` and ${columns.length - shown.length} more` : ''
  const hint = near === undefined ? 'its' : `did you mean ${JSON.stringify(near)}? Its`
  const problem = `${place}: the formula ${JSON.stringify(`=${formula}`)} names the column ${JSON.stringify(column)}, which the table ${table} does not have; ${hint} columns are ${shown.join(', ')}${more}`
  return new Refusal('INVALID_ARGUMENT', problem)
}
