import { type Box, type Fields, isFields, takeField } from '@filewright/protocol'
import { Refusal } from '../../../refusal.ts'
import type { Sheet } from '../book/sheet.ts'
import { renderCell } from '../book/show.ts'
import { usedBox } from '../book/used.ts'
import { boxName, cellName } from '../cell/address.ts'
import type { CellData } from '../cell/cells.ts'
import { gridField } from './arguments.ts'
import { cellsIn, type Editor } from './editor.ts'

/** No operation appends rows: the refusal says where they would go, and offers `set_range` there. */
export function refuseAppend(editor: Editor, fields: Fields): Refusal {
  const sheet = gridField(editor.book, fields)
  const found = usedBox(sheet)
  const used = found.ok ? found.value : undefined
  const start = used ? cellName(used.bottom + 1, used.left) : 'A1'
  const rows = rowsOf(editor, sheet, used, fields)
  return new Refusal(
    'INVALID_ARGUMENT',
    `rows are written with set_range; ${describeEnd(editor, sheet, used)}, so the next one starts at ${JSON.stringify(start)}`,
    { usedRange: used ? boxName(used) : null, start },
    rows && [{ op: 'set_range', sheet: sheet.name, start, values: rows }],
  )
}

const MOST_SHOWN = 200

/** With what is in the last row: below a total nothing should go. */
function describeEnd(editor: Editor, sheet: Sheet, used: Box | undefined): string {
  if (!used) return 'the sheet is empty'
  const last = textsOf(editor, sheet, { ...used, top: used.bottom }).join(' | ')
  const shown = last.length > MOST_SHOWN ? `${last.slice(0, MOST_SHOWN)}…` : last
  return `the last row with content is ${used.bottom} (${shown})`
}

/** Undefined unless it is clear which cell each value is for. */
function rowsOf(
  editor: Editor,
  sheet: Sheet,
  used: Box | undefined,
  fields: Fields,
): readonly (readonly unknown[])[] | undefined {
  const { op: _, sheet: __, ...others } = fields
  const [sent, rest] = takeField(others, ['values', 'rows', 'data', 'row', 'records', 'record'])
  if (sent === undefined || Object.keys(rest).length > 0) return undefined
  const list = Array.isArray(sent) ? sent : [sent]
  if (list.length === 0) return undefined
  if (list.every(Array.isArray)) return list
  if (list.every(isRecord))
    return used && byHeader(list, textsOf(editor, sheet, { ...used, bottom: used.top }))
  return Array.isArray(sent) && !list.some(Array.isArray) ? [list] : undefined
}

/** A value such as `{"formula": "A1"}` is none. */
function isRecord(item: unknown): item is Fields {
  return (
    isFields(item) && !['formula', 'date', 'error', 'text', 'rich_text'].some(kind => kind in item)
  )
}

/** Each value in the column with its name; undefined if a name is not in the header. */
function byHeader(records: readonly Fields[], header: readonly string[]) {
  const isNamed = (name: string) => header.filter(own => own === name).length === 1
  if (!records.every(record => Object.keys(record).every(isNamed))) return undefined
  return records.map(record => header.map(name => record[name] ?? null))
}

/** One for each column of the box. */
function textsOf({ book }: Editor, sheet: Sheet, box: Box): string[] {
  const byColumn = new Map<number, CellData>()
  for (const cell of cellsIn(book, sheet, box).values()) byColumn.set(cell.column, cell)
  return Array.from({ length: box.right - box.left + 1 }, (_, i) => {
    const cell = byColumn.get(box.left + i)
    return cell ? renderCell(book, cell, undefined) : ''
  })
}
