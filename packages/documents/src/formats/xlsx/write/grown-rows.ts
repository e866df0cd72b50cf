import { attribute, bufferOf } from '../../../opc/index.ts'
import { oneAround } from '../book/around.ts'
import type { Book } from '../book/book.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { isTrue } from '../book/workbook-part.ts'
import { columnOfKey, rowOfKey, WHOLE_SHEET } from '../cell/address.ts'
import { CellScan, readTag } from '../cell/cell-scan.ts'
import { contentOf } from '../cell/cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { Styles } from '../cell/styles.ts'

/** A cell after its edit: its text, unless only its style is new. */
interface NewCell {
  readonly style: number
  readonly edit?: CellEdit
}

/**
 * Rows whose edited cells need more lines, larger letters or another direction than their stored height was measured for. A
 * program measures a row without one; a height that a person set stays.
 */
export function grownRows(book: Book, sheet: Sheet): ReadonlySet<number> {
  const grown = new Set<number>()
  const strings = book.part.strings()
  const opened = sheet.xml()
  if (!sheet.isTouched || !opened.ok || !strings.ok) return grown
  if (isTrue(attribute(oneAround(sheet, 'sheetFormatPr')?.root, 'customHeight'))) return grown
  const xml = opened.value
  const styles = book.part.styles()
  const old = new CellScan()
  for (const [row, cells] of editedRows(sheet, xml)) {
    const left = new Map(cells)
    const note = (isHigher: boolean) => isHigher && grown.add(row)
    xml.scanRow(xml.findRow(row), old, own => {
      const now = cells.get(own.column)
      if (!now) return
      left.delete(own.column)
      const before = { look: styles.look(own.style), text: textOf(contentOf(own, strings.value, book.part.is1904)) } // biome-ignore format: one line
      const text = now.edit ? textOf(now.edit.content) : before.text
      note(isHigher(before, { look: styles.look(now.style), text }))
    })
    const nothing = { look: styles.look(0), text: '' }
    for (const { style, edit } of left.values())
      note(isHigher(nothing, { look: styles.look(style), text: textOf(edit?.content) }))
  }
  return grown
}

/** The edited cells of rows that have a measured height. */
function editedRows(sheet: Sheet, xml: SheetXml): Map<number, Map<number, NewCell>> {
  const rows = new Map<number, Map<number, NewCell> | undefined>()
  const add = (row: number, column: number, cell: NewCell) => {
    if (!rows.has(row)) rows.set(row, hasMeasuredHeight(xml, row) ? new Map() : undefined)
    rows.get(row)?.set(column, cell)
  }
  for (const { row, column, style } of sheet.looksIn(WHOLE_SHEET)) add(row, column, { style })
  for (const key of sheet.editedKeys) {
    const edit = sheet.cells.get(key)!
    add(rowOfKey(key), columnOfKey(key), { style: edit.style, edit })
  }
  return new Map([...rows].flatMap(([row, cells]) => (cells ? [[row, cells] as const] : [])))
}

/** A height in the file that its program measured. */
function hasMeasuredHeight(xml: SheetXml, row: number): boolean {
  const { bytes, rows } = xml
  const index = xml.findRow(row)
  if (rows.numbers[index] !== row) return false
  const start = rows.starts[index]!
  const tag = { end: 0, isEmpty: false, row: 0 }
  readTag(bytes, start, tag)
  const text = bufferOf(bytes).toString('latin1', start, tag.end)
  return /\sht\s*=/.test(text) && !/\scustomHeight\s*=\s*["'](?:1|true)["']/.test(text)
}

function textOf(content: CellEdit['content'] | undefined): string {
  return content?.type === 'text' ? content.value : ''
}

interface Measured {
  readonly look: ReturnType<Styles['look']>
  readonly text: string
}

function isHigher(before: Measured, now: Measured): boolean {
  const isLonger = now.text.length > before.text.length
  if (now.look.wrap && now.text !== '' && (isLonger || !before.look.wrap)) return true
  return now.look.size > before.look.size || now.look.rotate !== before.look.rotate
}
