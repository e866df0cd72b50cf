import { Refusal } from '../../../../refusal.ts'
import type { Sheet } from '../../book/sheet.ts'
import { showCell } from '../../book/show.ts'
import { usedBox } from '../../book/used.ts'
import { columnName, contains } from '../../cell/address.ts'
import { rulesOf } from '../../conditional/rule.ts'
import type { CellLook } from '../../looks/look.ts'
import type { Editor } from '../editor.ts'

const DIGIT = 7 // pixels of a digit in Calibri 11
const PADDING = 5 // pixels on both sides together
const ICON = 18 // pixels of the icon that a rule draws beside a number
const LEAST = 3 // characters, so that an almost empty column can still be grasped
const MOST = 80 // characters: a longer text is better wrapped than on one line

/** Widths that show the content of columns, by what their cells show in their fonts. */
export function autoWidths(
  editor: Editor,
  sheet: Sheet,
  first: number,
  last: number,
): ReadonlyMap<number, number> {
  const key = `widths of ${columnName(first)}:${columnName(last)}`
  return new Map(editor.resolve(key, () => [...measured(editor, sheet, first, last)]))
}

function measured(
  { book }: Editor,
  sheet: Sheet,
  first: number,
  last: number,
): ReadonlyMap<number, number> {
  const used = usedBox(sheet)
  const merges = book.mergesOf(sheet)
  if (!used.ok || !merges.ok)
    throw new Refusal('UNREADABLE_FORMAT', `the sheet ${JSON.stringify(sheet.name)} cannot be read`)
  const widths = new Map<number, number>()
  if (!used.value) return widths
  const styles = book.part.styles()
  const unit = Math.round(DIGIT * scaleOf(styles.look(0))) // a width counts digits of the workbook's own font
  const withIcons = rulesOf(book, sheet).flatMap(({ icons, boxes }) => (icons?.showsValue ? boxes : [])) // biome-ignore format: one line
  book.values.scan(sheet, { ...used.value, left: first, right: last }, cell => {
    const { row, column } = cell
    const look = styles.look(cell.style)
    const isWide = merges.value.some(box => box.right > box.left && contains(box, row, column))
    if (isWide || look.wrap || look.rotate !== 0) return
    const lines = showCell(book, cell).text.split(/\r?\n/)
    const icon = withIcons.some(box => contains(box, row, column)) ? ICON : 0
    const pixels = Math.max(...lines.map(line => textPixels(line, look))) + look.indent * 9 + icon
    if (pixels > 0) widths.set(column, Math.max(widths.get(column) ?? 0, pixels))
  })
  for (const [column, pixels] of widths) {
    const characters = Math.ceil(((pixels + PADDING) / unit) * 100) / 100
    widths.set(column, Math.min(Math.max(characters, LEAST), MOST))
  }
  return widths
}

function textPixels(text: string, look: CellLook): number {
  let pixels = 0
  for (const letter of text) pixels += letterPixels(letter)
  return pixels * scaleOf(look) * (look.bold ? 1.07 : 1)
}

const CALIBRI = 0.477 // of its size: a digit of 7 pixels in 11 points

/** Widths of a digit, as parts of the size of the letters. */
const DIGITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:calibri|carlito)/i, CALIBRI],
  [/^(?:times|liberation serif|garamond|angsana)/i, 0.5],
  [/^(?:verdana|dejavu sans|lucida)/i, 0.636],
  [/^(?:courier|liberation mono|dejavu sans mono|menlo|monaco)/i, 0.602],
  [/^georgia/i, 0.614],
]
const USUAL_DIGIT = 0.556 // in Arial, Helvetica, Segoe UI, Cambria, Aptos and most others

/** How much wider letters are than in Calibri 11. */
function scaleOf({ font, size }: Pick<CellLook, 'font' | 'size'>): number {
  const digit = DIGITS.find(([name]) => name.test(font))?.[1] ?? USUAL_DIGIT
  return (size / 11) * (digit / CALIBRI)
}

/** About the widths of Calibri 11; letters of East Asian scripts are twice as wide. */
function letterPixels(letter: string): number {
  if (
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
      letter,
    )
  )
    return 14
  if (/[iljtfIr.,:;'|!()[\] ]/.test(letter)) return 4.2
  if (/[mwMW@%&]/.test(letter)) return 11.5
  if (/\p{Lu}/u.test(letter)) return 8.5
  return DIGIT
}
