import { type Box, type ChangeId, counted, LIMITS } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { defaultStyles } from '../../book/default-style.ts'
import { sizeOfBox } from '../../book/line-sizes.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, cellKey, MAX_COLUMN, MAX_ROW, placeOf, splitSheet } from '../../cell/address.ts'
import { styleWith } from '../../cell/apply-look.ts'
import { MAX_STYLES } from '../../cell/styles.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import type { LookEdit } from '../../looks/look-edit.ts'
import { boxField, gridField } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { boxesField, lookField, readingLooks } from './fields.ts'
import { edgesAt, withEdges } from './range-borders.ts'
import { StylePainter } from './style-painter.ts'

const MOST_CELLS = 250_000 // of one operation

/** Sets the look of cells; their contents stay, and so do the results of formulas. */
export function setStyle(editor: Editor, args: WorkbookArgs<'set_style'>): OperationResult {
  const sheet = gridField(editor.book, args)
  const edit = lookField(args.style)
  const source = sourceField(editor, sheet, args)
  if (!edit && !source)
    throw new Refusal(
      'INVALID_ARGUMENT',
      'set_style needs style, such as {"bold": true, "fill": "FFFF00", "number_format": "0.00"}, or like, a range whose look it copies',
    )
  const isNew = args.replace === true
  return paint(editor, sheet, args, {
    ...(source && { words: `like ${source.name}` }),
    dependsOn: source?.writers ?? [],
    styleOf: (from, row, column, box) => {
      const start = source ? source.styleAt(row - box.top, column - box.left) : isNew ? 0 : from
      return edit ? derive(editor, start, withEdges(edit, edgesAt(box, row, column))) : start
    },
  })
}

/** Takes every format away; contents stay. */
export function clearStyle(editor: Editor, args: WorkbookArgs<'clear_style'>): OperationResult {
  const sheet = gridField(editor.book, args)
  return paint(editor, sheet, args, { words: 'plain', dependsOn: [], styleOf: () => 0 })
}

interface Painting {
  /** Instead of the new look in words. */
  readonly words?: string
  readonly dependsOn: readonly ChangeId[]
  readonly styleOf: (from: number, row: number, column: number, box: Box) => number
}

function paint(
  editor: Editor,
  sheet: Sheet,
  args: WorkbookArgs<'set_style' | 'clear_style'>,
  painting: Painting,
): OperationResult {
  const boxes = boxesField(sheet, args)
  const size = boxes.reduce((sum, box) => sum + (isOpen(box) ? 0 : sizeOfBox(box)), 0)
  if (size > Math.min(MOST_CELLS, LIMITS.draftedCells))
    throw new Refusal(
      'TOO_LARGE',
      `${args.op} takes ${MOST_CELLS} cells at once, and ${args.range} has ${size}; whole columns ("A:C") and whole rows ("2:9") are no cells by themselves`,
    )
  const painted = boxes.map(box => paintBox(editor, sheet, box, painting))
  const count = painted.reduce((sum, own) => sum + (own?.count ?? 0), 0)
  const words = painting.words ?? painted.find(own => own !== undefined)?.after
  const range = boxes.map(boxName).join(',')
  return {
    op: args.op,
    sheet: sheet.name,
    range,
    cellCount: count,
    message:
      count === 0
        ? `${placeOf(sheet.name, range)} looked like that already.`
        : `Made ${placeOf(sheet.name, range)} look ${words}; ${counted(count, 'cell')} changed.`,
  }
}

function isOpen(box: Box): boolean {
  return isWholeRows(box) || isWholeColumns(box)
}

export function isWholeRows({ left, right }: Box): boolean {
  return left === 1 && right === MAX_COLUMN
}

export function isWholeColumns({ top, bottom }: Box): boolean {
  return top === 1 && bottom === MAX_ROW
}

/** One change for a range: a person decides on its look as a whole. */
function paintBox(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  painting: Painting,
): StylePainter | undefined {
  const place = `${placeOf(sheet.name, boxName(box))} format`
  if (!editor.accepts(place)) return undefined
  const painter = new StylePainter(editor, sheet)
  const styleOf = (from: number, row: number, column: number) =>
    painting.styleOf(from, row, column, box)
  if (isWholeColumns(box)) painter.columns(box, styleOf)
  else if (isWholeRows(box)) painter.rows(box, styleOf)
  else painter.cells(box, styleOf)
  if (painter.count === 0) return undefined
  editor.recordSheet(sheet, place, {
    kind: 'format',
    before: { format: painter.before },
    after: { format: painter.after },
    dependsOn: painting.dependsOn,
    carries: false,
  })
  editor.noteLook(sheet, box, place)
  return painter
}

function derive(editor: Editor, from: number, edit: LookEdit): number {
  const styles = editor.book.part.styles()
  if (!styles.isReadable)
    throw new Refusal(
      'UNREADABLE_FORMAT',
      'the styles of the workbook cannot be read, so no look can be added',
    )
  const style = readingLooks(() => styleWith(styles, from, edit))
  if (style !== undefined) return style
  throw new Refusal(
    'TOO_LARGE',
    `the workbook holds ${MAX_STYLES} cell formats, the most Excel opens; use looks that it has already (like)`,
  )
}

interface Source {
  readonly name: string
  readonly writers: readonly ChangeId[]
  /** By the distance from the first cell; a range that is larger repeats it. */
  readonly styleAt: (rows: number, columns: number) => number
}

/** `A21:G21`, or `Other!A21:G21`: the cells whose look is copied. */
function sourceField(
  editor: Editor,
  sheet: Sheet,
  args: WorkbookArgs<'set_style'>,
): Source | undefined {
  if (args.like === undefined) return undefined
  const split = splitSheet(args.like)
  const own =
    split.sheet === undefined ? sheet : gridField(editor.book, { ...args, sheet: split.sheet })
  const box = boxField(own, { ...args, like: split.address }, 'like')
  const known = cellsIn(editor.book, own, box)
  const standard = defaultStyles(own)
  const [height, width] = [box.bottom - box.top + 1, box.right - box.left + 1]
  return {
    name: placeOf(own.name, boxName(box)),
    writers: [...editor.writersOfLooks(own, box), ...editor.writersOfSheets([own.name])],
    styleAt: (rows, columns) => {
      const [row, column] = [box.top + (rows % height), box.left + (columns % width)]
      return known.get(cellKey(row, column))?.style ?? standard(row, column)
    },
  }
}
