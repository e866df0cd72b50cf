import type { Box } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, parseBox, placeOf, splitRanges, splitSheet } from '../../cell/address.ts'
import { serialOfDate } from '../../cell/cells.ts'
import { VALIDATION_TYPES } from '../../declared/objects.ts'
import type { WorkbookArgs } from '../../declared/operations.ts'
import { boxesText, touchesAny } from '../../objects/box-lists.ts'
import { LiveBook } from '../../objects/live-book.ts'
import {
  clearValidations,
  describeValidation,
  putValidation,
  type Validation,
  validationsOf,
} from '../../objects/validations.ts'
import { gridField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { changeParts, settledBook } from './change-parts.ts'
import { storedText, wrong } from './object-fields.ts'
import { findRange, fixedReference } from './references.ts'

type Args = WorkbookArgs<'data_validation'>

const MOST_LIST = 255 // characters of a list that is written in the rule itself

/** Says what cells may hold; for cells with the same rule it changes what is given. */
export function dataValidation(
  editor: Editor,
  args: WorkbookArgs<'data_validation'>,
): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, args)
  const boxes = boxesField(sheet, args)
  const before = validationAt(book, sheet, boxes)
  const rule = ruleField(book, sheet, args, before.same)
  const own: Validation = { ...rule, ...wordsOf(args, before.same) }
  const place = `${placeOf(sheet.name, shownBoxes(boxes))} validation`
  const result = {
    op: 'data_validation',
    sheet: sheet.name,
    range: shownBoxes(boxes),
    message: `${placeOf(sheet.name, shownBoxes(boxes))} takes ${describeValidation(own)}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => {
    const frame = live.sheet(sheet)
    clearValidations(frame, boxes)
    putValidation(frame, boxes, own)
  })
  record(editor, sheet, boxes, place, before.text, describeValidation(own))
  return result
}

export function removeValidation(
  editor: Editor,
  args: WorkbookArgs<'remove_validation'>,
): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, args)
  const boxes = boxesField(sheet, args)
  const { text } = validationAt(book, sheet, boxes)
  const name = shownBoxes(boxes)
  if (text === '')
    throw new Refusal('NO_SUCH_REGION', `no cell of ${placeOf(sheet.name, name)} has a validation`)
  const place = `${placeOf(sheet.name, name)} validation`
  const result = {
    op: 'remove_validation',
    sheet: sheet.name,
    range: name,
    message: `${placeOf(sheet.name, name)} takes any value.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  changeParts(editor, live => clearValidations(live.sheet(sheet), boxes))
  record(editor, sheet, boxes, place, text, '')
  return result
}

function record(
  editor: Editor,
  sheet: Sheet,
  boxes: readonly Box[],
  place: string,
  before: string,
  after: string,
): void {
  editor.recordObject(place, {
    before: before === '' ? null : { text: before },
    after: after === '' ? null : { text: after },
    objects: boxes.map(box => ({ kind: 'validation', sheet: sheet.id, box })),
    sheet: editor.book.sheets[sheet.id]!,
  })
}

/** `B2:B9`, `B2:B9,D2`. */
function boxesField(
  sheet: Sheet,
  args: WorkbookArgs<'data_validation' | 'remove_validation'>,
): readonly Box[] {
  return splitRanges(args.range).map(part => {
    const { sheet: named, address } = splitSheet(part)
    const isOwn = named === undefined || named.toLowerCase() === sheet.name.toLowerCase()
    const box = isOwn ? parseBox(address) : undefined
    if (box) return box
    throw wrong(args, `range ${JSON.stringify(part)} is no range of ${sheet.name} such as "B2:B9"`)
  })
}

function shownBoxes(boxes: readonly Box[]): string {
  return boxes.map(boxName).join(',')
}

/** What the cells take now, in words, and the rule that is for just these cells. */
function validationAt(
  book: Book,
  sheet: Sheet,
  boxes: readonly Box[],
): { readonly text: string; readonly same: Validation | undefined } {
  const all = validationsOf(new LiveBook(book).sheet(sheet))
  const touched = all.filter(own => touchesAny(own.boxes, boxes))
  const same = touched.find(own => boxesText(own.boxes) === boxesText(boxes))
  const text = touched.map(own => `${boxesText(own.boxes)}: ${describeValidation(own)}`).join('\n')
  return { text, same }
}

function ruleField(book: Book, sheet: Sheet, args: Args, same: Validation | undefined): Validation {
  const given =
    args.type ?? (args.list === undefined && args.source === undefined ? undefined : 'list')
  if (given === undefined) {
    if (same && args.min === undefined && args.max === undefined && args.value === undefined)
      return same
    throw wrong(args, `needs type: list, whole, decimal, date, time, length, custom or any`)
  }
  const type = VALIDATION_TYPES[given]
  if (type === 'none') return { type }
  if (type === 'list') return { type, formula1: listField(book, sheet, args) }
  if (type === 'custom') {
    const formula = args.formula ?? args.value
    if (typeof formula !== 'string')
      throw wrong(args, 'a custom rule needs formula, such as "=ISNUMBER(B2)", for the first cell')
    return { type, formula1: storedText(book, args, 'formula', formula) }
  }
  return { type, ...limitsField(book, args, type) }
}

function listField(book: Book, sheet: Sheet, args: Args): string {
  const { list, source } = args
  if (source !== undefined) {
    const range = findRange(book, source, sheet)
    if (range) return fixedReference(range)
    return storedText(book, args, 'source', source)
  }
  const items = (typeof list === 'string' ? list.split(',') : (list ?? [])).map(own =>
    String(own).trim(),
  )
  if (items.length === 0)
    throw wrong(args, 'a list needs list: ["Yes", "No"], or source: "Lists!A2:A9"')
  const bad = items.find(own => own.includes(',') || own === '' || own.includes('"'))
  const text = items.join(',')
  if (bad !== undefined || text.length > MOST_LIST)
    throw wrong(
      args,
      `${bad === undefined ? `a list in the rule has at most ${MOST_LIST} characters` : `${JSON.stringify(bad)} cannot be in such a list (no commas, no quotes)`}; write the items into cells and send source, such as "Lists!A2:A9"`,
    )
  return `"${text}"`
}

function limitsField(
  book: Book,
  args: Args,
  type: string,
): Pick<Validation, 'operator' | 'formula1' | 'formula2'> {
  const first = args.min ?? args.value
  const second = args.max ?? args.value2
  const limit = (value: string | number) => limitText(book, args, type, value)
  const operator =
    args.operator ??
    (first === undefined
      ? 'lessThanOrEqual'
      : second === undefined
        ? args.min === undefined
          ? 'equal'
          : 'greaterThanOrEqual'
        : 'between')
  if (operator === 'between' || operator === 'notBetween') {
    if (first === undefined || second === undefined)
      throw wrong(args, `${operator} needs min and max`)
    return { operator, formula1: limit(first), formula2: limit(second) }
  }
  const only = first ?? second
  if (only === undefined) throw wrong(args, 'needs min, max, or operator and value')
  return { operator, formula1: limit(only) }
}

function limitText(book: Book, args: Args, type: string, value: string | number): string {
  if (typeof value === 'number') return String(value)
  if (value.startsWith('=')) return storedText(book, args, 'a limit', value)
  if (type === 'date' || type === 'time') {
    const serial = serialOfDate(value, book.part.is1904)
    if (serial !== undefined) return String(serial)
  }
  if (value.trim() !== '' && Number.isFinite(Number(value))) return String(Number(value))
  throw wrong(
    args,
    `${JSON.stringify(value)} is no limit for ${type === 'textLength' ? 'a length' : `a ${type}`}; send a number${type === 'date' ? ', a date such as "2026-01-31"' : ''} or a formula such as "=C2"`,
  )
}

/** What a person is told; what is not given stays. */
function wordsOf(args: Args, same: Validation | undefined): Partial<Validation> {
  const {
    title = same?.title,
    prompt = same?.prompt,
    error = same?.error,
    level: errorStyle = same?.errorStyle,
    blank: allowBlank = same?.allowBlank,
  } = args
  return {
    ...(title && { title }),
    ...(prompt && { prompt }),
    ...(error && { error }),
    ...(same?.errorTitle && { errorTitle: same.errorTitle }),
    ...(errorStyle && { errorStyle }),
    ...(allowBlank !== undefined && { allowBlank }),
  }
}
