import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { defaultStyles } from '../../book/default-style.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, cellKey, cellName, placeOf } from '../../cell/address.ts'
import { type CellContent, type CellData, EMPTY_CONTENT } from '../../cell/cells.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { refuseInsideArrays } from '../guards.ts'
import { isFilled } from '../write-cells.ts'
import { type PatternCell, patternOf } from './pattern.ts'

/** A column of the range, or its only row: the cells in their order. */
type Line = readonly { readonly row: number; readonly column: number }[]

/** Each column goes on as its first two cells begin, or as its first does where the second is empty. */
export function fillPattern(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  fields: Fields,
): OperationResult {
  const lines = linesOf(box, fields)
  const cells = cellsIn(editor.book, sheet, box)
  // a replay takes what was filled in: the words of a language may be others in another release
  const series = editor.resolve('pattern', () =>
    lines.map(line => seriesOf(editor, sheet, line, cells, fields)),
  )
  refuseInsideArrays(sheet, box, new Set(lines.flat().map(own => cellKey(own.row, own.column))))
  const styleOf = defaultStyles(sheet)
  let count = 0
  for (const [index, { skip, contents }] of series.entries()) {
    const line = lines[index]!
    const [first, last] = [line[0]!, line[skip - 1]!]
    const source = { top: first.row, left: first.column, bottom: last.row, right: last.column }
    const dependsOn = editor.writersOfSource(sheet, source)
    const look =
      cells.get(cellKey(first.row, first.column))?.style ?? styleOf(first.row, first.column)
    for (const [place, content] of contents.entries()) {
      const { row, column } = line[skip + place]!
      const empty: CellData = { row, column, style: styleOf(row, column), content: EMPTY_CONTENT }
      const before = cells.get(cellKey(row, column)) ?? empty
      if (isSame(before, content) && before.style === look) continue
      if (editor.writeCell(sheet, before, { content, style: look }, dependsOn)) count++
    }
  }
  return {
    op: 'fill',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message: `Filled ${counted(count, 'cell')} in ${placeOf(sheet.name, boxName(box))} (${[...new Set(series.map(own => own.words))].join(', ')}).`,
  }
}

function linesOf(box: Box, { direction }: Fields): readonly Line[] {
  const isRight = box.top === box.bottom || direction === 'right'
  const [count, length] = isRight
    ? [box.bottom - box.top + 1, box.right - box.left + 1]
    : [box.right - box.left + 1, box.bottom - box.top + 1]
  return Array.from({ length: count }, (_, line) =>
    Array.from({ length }, (_cell, index) =>
      isRight
        ? { row: box.top + line, column: box.left + index }
        : { row: box.top + index, column: box.left + line },
    ),
  )
}

function seriesOf(
  { book }: Editor,
  sheet: Sheet,
  line: Line,
  cells: ReadonlyMap<number, CellData>,
  { locale }: Fields,
): { readonly skip: number; readonly contents: readonly CellContent[]; readonly words: string } {
  const styles = book.part.styles()
  const begin: PatternCell[] = []
  for (const { row, column } of line.slice(0, 2)) {
    const cell = cells.get(cellKey(row, column))
    if (!cell || !isFilled(cell)) break
    if (cell.formula)
      refuse(sheet, line, `${cellName(row, column)} is a formula; without pattern it is copied`)
    begin.push({ content: cell.content, isDate: styles.isDate(cell.style) })
  }
  const clues = { is1904: book.part.is1904, locale: localeOf(locale), length: line.length }
  const pattern = patternOf(begin, clues)
  if (typeof pattern === 'string') return refuse(sheet, line, pattern)
  const skip = begin.length
  const contents = line.slice(skip).map((_, index) => pattern.at(skip + index))
  return { skip, contents, words: pattern.words }
}

function localeOf(locale: unknown): string | undefined {
  if (locale === undefined) return undefined
  try {
    // an unknown language would be read as English
    const [known] = Intl.DateTimeFormat.supportedLocalesOf(String(locale))
    if (known !== undefined) return known
  } catch {
    // no language at all
  }
  throw new Refusal(
    'INVALID_ARGUMENT',
    `fill: locale ${JSON.stringify(locale)} is not one such as "de-DE"`,
  )
}

function refuse(sheet: Sheet, line: Line, why: string): never {
  const [first, last] = [line[0]!, line.at(-1)!]
  const range = boxName({
    top: first.row,
    left: first.column,
    bottom: last.row,
    right: last.column,
  })
  throw new Refusal(
    'INVALID_ARGUMENT',
    `fill: nothing tells how ${placeOf(sheet.name, range)} goes on: ${why}`,
  )
}

function isSame({ content, formula }: CellData, other: CellContent): boolean {
  return !formula && content.type === other.type && content.value === other.value
}
