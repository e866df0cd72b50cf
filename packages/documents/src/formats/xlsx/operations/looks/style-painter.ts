import type { Box } from '@filewright/protocol'
import { defaultStyles } from '../../book/default-style.ts'
import { columnFormats, rowFormats } from '../../book/line-sizes.ts'
import type { LineEdit, Sheet } from '../../book/sheet.ts'
import { cellKey, MAX_COLUMN } from '../../cell/address.ts'
import type { CellData } from '../../cell/cells.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { refuseLines } from '../rows/line-fields.ts'

type StyleOf = (from: number, row: number, column: number) => number

const MOST_WORDS = 3

/** Gives cells, columns and rows other styles, and remembers how they looked. */
export class StylePainter {
  /** How many cells, columns and rows changed. */
  count = 0
  readonly #editor: Editor
  readonly #sheet: Sheet
  readonly #before = new Set<number>()
  readonly #after = new Set<number>()

  constructor(editor: Editor, sheet: Sheet) {
    this.#editor = editor
    this.#sheet = sheet
  }

  /** In words; several where the cells differ. */
  get before(): string {
    return this.#words(this.#before)
  }

  get after(): string {
    return this.#words(this.#after)
  }

  #words(list: ReadonlySet<number>): string {
    const styles = this.#editor.book.part.styles()
    const words = [...new Set([...list].map(style => styles.describe(style) || 'plain'))]
    const more = words.length > MOST_WORDS ? ` | and ${words.length - MOST_WORDS} more` : ''
    return `${words.slice(0, MOST_WORDS).join(' | ')}${more}`
  }

  cells(box: Box, styleOf: StyleOf): void {
    const known = cellsIn(this.#editor.book, this.#sheet, box)
    const standard = defaultStyles(this.#sheet)
    for (let row = box.top; row <= box.bottom; row++)
      for (let column = box.left; column <= box.right; column++) {
        const cell = known.get(cellKey(row, column))
        const from = cell?.style ?? standard(row, column)
        this.#set(row, column, from, styleOf(from, row, column))
      }
  }

  /** Whole columns: the columns themselves, and the cells in them that have a style of their own. */
  columns(box: Box, styleOf: StyleOf): void {
    const known = this.#existing(box)
    const formats = columnFormats(this.#sheet, box.left, box.right)
    const rows = [...rowFormats(this.#sheet, box.top, box.bottom)].filter(([, own]) => own.style)
    const keys = new Set(known.map(cell => cellKey(cell.row, cell.column)))
    const last = known.at(-1)?.row ?? 1
    for (let column = box.left; column <= box.right; column++) {
      const from = formats.get(column)?.style ?? 0
      // an inner row, so that lines around the range are not drawn below every cell
      const style = styleOf(from, Math.min(last + 1, box.bottom - 1), column)
      this.#line(this.#sheet.columns, column, from, style)
      // a row's style goes before its column's
      for (const [row, own] of rows)
        if (!keys.has(cellKey(row, column)))
          this.#set(row, column, own.style!, styleOf(own.style!, row, column))
    }
    for (const { row, column, style } of known)
      this.#set(row, column, style, styleOf(style, row, column))
  }

  /** Whole rows: the rows themselves, and the cells in them. */
  rows(box: Box, styleOf: StyleOf): void {
    refuseLines('rows', box.top, box.bottom)
    const known = this.#existing(box)
    const formats = rowFormats(this.#sheet, box.top, box.bottom)
    const standard = defaultStyles(this.#sheet)
    const keys = new Set(known.map(cell => cellKey(cell.row, cell.column)))
    const columns = [...columnFormats(this.#sheet, 1, MAX_COLUMN)].filter(([, own]) => own.style)
    for (let row = box.top; row <= box.bottom; row++) {
      const from = formats.get(row)?.style ?? 0
      const style = styleOf(from, row, MAX_COLUMN - 1)
      this.#line(this.#sheet.rows, row, from, style)
      // plain is no style of a row, so its cells take that of their columns: those are in the way
      if (style === 0)
        for (const [column] of columns)
          if (!keys.has(cellKey(row, column))) this.#set(row, column, standard(row, column), 0)
    }
    for (const { row, column, style } of known)
      this.#set(row, column, style, styleOf(style, row, column))
  }

  #existing(box: Box): readonly CellData[] {
    const cells = [...cellsIn(this.#editor.book, this.#sheet, box).values()]
    return cells.sort((a, b) => a.row - b.row || a.column - b.column)
  }

  #set(row: number, column: number, from: number, to: number): void {
    if (from === to) return
    this.#editor.onUndo(this.#sheet.setLook(cellKey(row, column), to))
    this.#note(from, to)
  }

  #line(lines: Map<number, LineEdit>, line: number, from: number, to: number): void {
    if (from === to) return
    this.#editor.onUndo(setLine(lines, line, { style: to }))
    this.#note(from, to)
  }

  #note(from: number, to: number): void {
    this.count++
    this.#before.add(from)
    this.#after.add(to)
  }
}

/** Adds to what edits say about a row or column. Returns how to go back. */
export function setLine(lines: Map<number, LineEdit>, line: number, edit: LineEdit): () => void {
  const before = lines.get(line)
  lines.set(line, { ...before, ...edit })
  return () => {
    if (before) lines.set(line, before)
    else lines.delete(line)
  }
}
