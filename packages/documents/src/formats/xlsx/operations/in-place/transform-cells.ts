import { type Box, counted, type Fields } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import { runsOf } from '../../book/rich-text.ts'
import type { Sheet } from '../../book/sheet.ts'
import { showCell } from '../../book/show.ts'
import { boxName, cellName, intersects, placeOf } from '../../cell/address.ts'
import { type CellContent, type CellData, serialOfDate } from '../../cell/cells.ts'
import { findReferences } from '../../formula/references.ts'
import { isForeign, parseValue } from '../../formula/values.ts'
import { boxField, gridField } from '../arguments.ts'
import { cellsIn, type Editor } from '../editor.ts'
import { filledCells } from '../guards.ts'
import { type CellWrite, isFilled, writeCells } from '../write-cells.ts'
import { listed } from '../write-hints.ts'
import { type Step, stepsOf } from './steps.ts'
import {
  dateOf,
  decimalComma,
  doubtfulNumbers,
  inOrder,
  numberOf,
  numberStyle,
} from './text-values.ts'

/** A cell on its way through the steps. */
interface Item {
  readonly cell: CellData
  readonly row: number
  readonly column: number
  content: CellContent
  style: number
  /** The step that it does not fit. */
  unfit?: string
}

/** Values are calculated or rewritten in their cells, step by step; what does not fit a step stays as it is. */
export function transformCells(editor: Editor, fields: Fields): OperationResult {
  const sheet = gridField(editor.book, fields)
  const box = boxField(sheet, fields)
  const steps = stepsOf(fields)
  const isFilledByArray = filledCells(sheet)
  const cells = inOrder(cellsIn(editor.book, sheet, box)).filter(isFilled)
  const isComputed = ({ formula, row, column }: CellData) =>
    formula !== undefined || isFilledByArray(row, column)
  const items = cells.filter(own => !isComputed(own)).map(toItem)
  for (const [index, step] of steps.entries()) {
    const left = items.filter(({ unfit }) => unfit === undefined)
    if (step.kind === 'read' && step.name !== 'text')
      readTexts(editor, left, { step, index }, fields)
    else for (const item of left) take(editor, sheet, item, step)
  }
  const formulas = cells.filter(isComputed)
  const isWrapped = fields.wrap_formulas === true
  if (items.length === 0 && formulas.length > 0 && !isWrapped) refuseFormulas(sheet, box, formulas)
  const wrapped = isWrapped ? wrapFormulas(editor, sheet, box, formulas, steps) : 0
  if (!isWrapped && formulas.length > 0)
    editor.warnings.push(
      `Formulas left as they are, because they follow the cells that they read: ${listed(formulas.map(nameOf))}. wrap_formulas: true changes them too.`,
    )
  const count = write(editor, sheet, items) + wrapped
  warnOfUnfit(editor, items)
  const place = placeOf(sheet.name, boxName(box))
  return {
    op: 'transform_cells',
    sheet: sheet.name,
    range: boxName(box),
    cellCount: count,
    message: `Changed ${counted(count, 'cell')} of ${place} (${steps.map(own => own.name).join(', ')}).`,
  }
}

function toItem(cell: CellData): Item {
  const { row, column, content, style } = cell
  return { cell, row, column, content, style }
}

function nameOf({ row, column }: Pick<CellData, 'row' | 'column'>): string {
  return cellName(row, column)
}

/** One step of one cell. */
function take({ book }: Editor, sheet: Sheet, item: Item, step: Step): void {
  const { content, style } = item
  const styles = book.part.styles()
  if (step.kind === 'number') {
    const isDate = styles.isDate(style)
    const fits = content.type === 'number' && (step.fitsDates || !isDate)
    const value = fits ? Number(step.apply(content.value).toPrecision(15)) : Number.NaN
    if (Number.isFinite(value)) item.content = { ...content, type: 'number', value } as CellContent
    else item.unfit = step.name
    return
  }
  const takesAll = step.kind === 'read' || step.takesNumbers
  if (content.type === 'number' && !takesAll) return
  const isText = content.type === 'text' || (content.type === 'number' && takesAll)
  const hasLooks =
    content.type === 'text' && runsOf(book, sheet, item.row, item.column) !== undefined
  const text = showCell(book, { content, style }).text
  const changed = step.kind === 'read' ? text : step.apply(text)
  if (!isText || changed === undefined || changed.length > MOST_TEXT) item.unfit = step.name
  else if (changed === content.value) return
  else if (hasLooks) item.unfit = `${step.name} (parts of the text have looks of their own)`
  else item.content = { type: 'text', value: changed }
}

const MOST_TEXT = 32_767 // Excel's limit of characters in a cell

/** Texts that are certainly numbers or dates become those. */
function readTexts(
  editor: Editor,
  items: readonly Item[],
  { step, index }: { readonly step: Step; readonly index: number },
  fields: Fields,
): void {
  const isNumber = step.name === 'number'
  const comma = decimalComma(fields)
  // a replay without some earlier changes takes the same texts for doubtful
  const doubtful = new Set(
    isNumber && fields.locale === undefined
      ? editor.resolve(`doubtful ${index}`, () => [...doubtfulNumbers(items)].map(nameOf))
      : [],
  )
  for (const item of items) {
    const { content, style } = item
    if (content.type === 'number') continue
    const text = content.type === 'text' && !doubtful.has(nameOf(item)) ? content.value : undefined
    const read =
      text === undefined
        ? undefined
        : isNumber
          ? numberOf(text, comma)
          : serialOf(editor, text, fields)
    if (read === undefined) {
      item.unfit = step.name
      continue
    }
    item.content = { type: 'number', value: read }
    item.style = isNumber
      ? numberStyle(editor, style, text!.includes('%') ? read : undefined)
      : dateStyle(editor, style)
  }
}

function serialOf({ book }: Editor, text: string, fields: Fields): number | undefined {
  const iso = dateOf(text, fields)
  return iso === undefined ? undefined : serialOfDate(iso, book.part.is1904)
}

function dateStyle({ book }: Editor, style: number): number {
  const styles = book.part.styles()
  return styles.isDate(style) ? style : (styles.derive(style, 'yyyy-mm-dd') ?? style)
}

function write(editor: Editor, sheet: Sheet, items: readonly Item[]): number {
  let count = 0
  for (const { cell, content, style, unfit } of items) {
    const isSame = content.type === cell.content.type && content.value === cell.content.value
    if (unfit !== undefined || (isSame && style === cell.style)) continue
    if (editor.writeCell(sheet, cell, { content, style })) count++
  }
  return count
}

function warnOfUnfit(editor: Editor, items: readonly Item[]): void {
  const unfit = items.filter(own => own.unfit !== undefined)
  if (unfit.length === 0) return
  const names = unfit.map(own => `${nameOf(own)} (${own.unfit})`)
  editor.warnings.push(
    `${counted(unfit.length, 'cell')} left as ${unfit.length === 1 ? 'it is' : 'they are'}, each with what it does not fit: ${listed(names)}.`,
  )
}

function refuseFormulas(sheet: Sheet, box: Box, formulas: readonly CellData[]): never {
  throw new Refusal(
    'CONFLICT',
    `${placeOf(sheet.name, boxName(box))} holds formulas alone (${listed(formulas.map(nameOf))}), which follow the cells that they read; change those, send wrap_formulas: true to calculate around the formulas, or freeze_values first`,
  )
}

/** `B2*2` becomes `ROUND((B2*2)*1.05,2)`. */
function wrapFormulas(
  editor: Editor,
  sheet: Sheet,
  box: Box,
  cells: readonly CellData[],
  steps: readonly Step[],
): number {
  const missing = steps.find(own => own.kind === 'read' || !own.wrap)
  if (missing && cells.length > 0)
    throw new Refusal(
      'INVALID_ARGUMENT',
      `transform_cells: ${missing.name} cannot be written around a formula; leave wrap_formulas out, or freeze_values first`,
    )
  const writes: CellWrite[] = []
  const twice: string[] = []
  for (const { row, column, formula } of cells) {
    if (formula?.kind !== 'normal' && formula?.kind !== 'shared')
      throw new Refusal(
        'CONFLICT',
        `${cellName(row, column)} is filled by an array formula or a data table, which nothing can be written around; leave it out, or freeze_values first`,
      )
    const text = steps.reduce(
      (own, step) => (step.kind === 'read' ? own : step.wrap!(own)),
      formula.text,
    )
    const input = parseValue(editor.book, { formula: text }, true, { sheet, row, column })
    if (typeof input === 'string' || isForeign(input))
      throw new Refusal(
        'INVALID_ARGUMENT',
        `transform_cells: ${cellName(row, column)}: ${typeof input === 'string' ? input : input.problem}`,
      )
    const { areas } = findReferences(formula.text)
    const isOwn = (names: readonly string[] | undefined) =>
      !names || names[0]?.toLowerCase() === sheet.name.toLowerCase()
    if (areas.some(own => isOwn(own.sheets) && intersects(own, box)))
      twice.push(cellName(row, column))
    writes.push({ row, column, input })
  }
  if (twice.length > 0)
    editor.warnings.push(
      `These formulas read cells of the range, so the change may count twice in them: ${listed(twice)}.`,
    )
  return writeCells(editor, sheet, writes, 'transform_cells', 'Changed').cellCount as number
}
