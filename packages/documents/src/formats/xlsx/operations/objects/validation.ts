import { type Box, type Fields, lookUp } from '@filewright/protocol'
import type { OperationResult } from '../../../../format.ts'
import { Refusal } from '../../../../refusal.ts'
import type { Book } from '../../book/book.ts'
import type { Sheet } from '../../book/sheet.ts'
import { boxName, parseBox, placeOf, splitRanges, splitSheet } from '../../cell/address.ts'
import { serialOfDate } from '../../cell/cells.ts'
import { boxesText, touchesAny } from '../../objects/box-lists.ts'
import { LiveBook } from '../../objects/live-book.ts'
import {
  clearValidations,
  describeValidation,
  putValidation,
  type Validation,
  validationsOf,
} from '../../objects/validations.ts'
import { gridField, textField } from '../arguments.ts'
import type { Editor } from '../editor.ts'
import { changeParts, settledBook } from './change-parts.ts'
import { optionalFlag, optionalText, storedText, wordField, wrong } from './object-fields.ts'
import { findRange, fixedReference } from './references.ts'

const TYPES: Readonly<Record<string, string>> = {
  list: 'list',
  whole: 'whole',
  integer: 'whole',
  number: 'decimal',
  decimal: 'decimal',
  date: 'date',
  time: 'time',
  length: 'textLength',
  text_length: 'textLength',
  custom: 'custom',
  formula: 'custom',
  any: 'none',
}
const OPERATORS = [
  'between',
  'notBetween',
  'equal',
  'notEqual',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
] as const
const SIGNS: Readonly<Record<string, (typeof OPERATORS)[number]>> = {
  '=': 'equal',
  '==': 'equal',
  '!=': 'notEqual',
  '<>': 'notEqual',
  '>': 'greaterThan',
  '<': 'lessThan',
  '>=': 'greaterThanOrEqual',
  '<=': 'lessThanOrEqual',
}
const MOST_LIST = 255 // characters of a list that is written in the rule itself
const MOST_TITLE = 32
const MOST_MESSAGE = 255

/** Says what cells may hold; for cells with the same rule it changes what is given. */
export function dataValidation(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, fields)
  const boxes = boxesField(sheet, fields)
  const before = validationAt(book, sheet, boxes)
  const rule = ruleField(book, sheet, fields, before.same)
  const own: Validation = { ...rule, ...wordsField(fields, before.same) }
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

export function removeValidation(editor: Editor, fields: Fields): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, fields)
  const boxes = boxesField(sheet, fields)
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
function boxesField(sheet: Sheet, fields: Fields): readonly Box[] {
  const text = textField(fields, 'range', 'B2:B9')
  return splitRanges(text).map(part => {
    const { sheet: named, address } = splitSheet(part)
    const isOwn = named === undefined || named.toLowerCase() === sheet.name.toLowerCase()
    const box = isOwn ? parseBox(address) : undefined
    if (box) return box
    throw wrong(
      fields,
      `range ${JSON.stringify(part)} is no range of ${sheet.name} such as "B2:B9"`,
    )
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

function ruleField(
  book: Book,
  sheet: Sheet,
  fields: Fields,
  same: Validation | undefined,
): Validation {
  const given =
    fields.type ?? (fields.list === undefined && fields.source === undefined ? undefined : 'list')
  if (given === undefined) {
    if (same && fields.min === undefined && fields.max === undefined && fields.value === undefined)
      return same
    throw wrong(fields, `needs type: list, whole, decimal, date, time, length, custom or any`)
  }
  const word = typeof given === 'string' ? given.toLowerCase().replace(/[\s-]+/g, '_') : ''
  const type = lookUp(TYPES, word)
  if (type === undefined)
    throw wrong(
      fields,
      `type is one of ${Object.keys(TYPES).join(', ')}, not ${JSON.stringify(given)}`,
    )
  if (type === 'none') return { type }
  if (type === 'list') return { type, formula1: listField(book, sheet, fields) }
  if (type === 'custom') {
    const formula = fields.formula ?? fields.value
    if (typeof formula !== 'string')
      throw wrong(
        fields,
        'a custom rule needs formula, such as "=ISNUMBER(B2)", for the first cell',
      )
    return { type, formula1: storedText(book, fields, 'formula', formula) }
  }
  return { type, ...limitsField(book, fields, type) }
}

function listField(book: Book, sheet: Sheet, fields: Fields): string {
  const { list, source } = fields
  if (typeof source === 'string') {
    const range = findRange(book, source, sheet)
    if (range) return fixedReference(range)
    return storedText(book, fields, 'source', source)
  }
  const items = (Array.isArray(list) ? list : typeof list === 'string' ? list.split(',') : []).map(
    own => String(own).trim(),
  )
  if (items.length === 0)
    throw wrong(fields, 'a list needs list: ["Yes", "No"], or source: "Lists!A2:A9"')
  const bad = items.find(own => own.includes(',') || own === '' || own.includes('"'))
  const text = items.join(',')
  if (bad !== undefined || text.length > MOST_LIST)
    throw wrong(
      fields,
      `${bad === undefined ? `a list in the rule has at most ${MOST_LIST} characters` : `${JSON.stringify(bad)} cannot be in such a list (no commas, no quotes)`}; write the items into cells and send source, such as "Lists!A2:A9"`,
    )
  return `"${text}"`
}

function limitsField(
  book: Book,
  fields: Fields,
  type: string,
): Pick<Validation, 'operator' | 'formula1' | 'formula2'> {
  const first = fields.min ?? fields.value
  const second = fields.max ?? fields.value2
  const limit = (value: unknown) => limitText(book, fields, type, value)
  const operator =
    operatorField(fields) ??
    (first === undefined
      ? 'lessThanOrEqual'
      : second === undefined
        ? fields.min === undefined
          ? 'equal'
          : 'greaterThanOrEqual'
        : 'between')
  if (operator === 'between' || operator === 'notBetween') {
    if (first === undefined || second === undefined)
      throw wrong(fields, `${operator} needs min and max`)
    return { operator, formula1: limit(first), formula2: limit(second) }
  }
  const only = first ?? second
  if (only === undefined) throw wrong(fields, 'needs min, max, or operator and value')
  return { operator, formula1: limit(only) }
}

function operatorField(fields: Fields): (typeof OPERATORS)[number] | undefined {
  const sign =
    typeof fields.operator === 'string' ? lookUp(SIGNS, fields.operator.trim()) : undefined
  return sign ?? wordField(fields, 'operator', OPERATORS)
}

function limitText(book: Book, fields: Fields, type: string, value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'string' && value.startsWith('='))
    return storedText(book, fields, 'a limit', value)
  if (typeof value === 'string' && (type === 'date' || type === 'time')) {
    const serial = serialOfDate(value, book.part.is1904)
    if (serial !== undefined) return String(serial)
  }
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return String(Number(value))
  throw wrong(
    fields,
    `${JSON.stringify(value)} is no limit for ${type === 'textLength' ? 'a length' : `a ${type}`}; send a number${type === 'date' ? ', a date such as "2026-01-31"' : ''} or a formula such as "=C2"`,
  )
}

/** What a person is told; what is not given stays. */
function wordsField(fields: Fields, same: Validation | undefined): Partial<Validation> {
  const title = optionalText(fields, 'title', MOST_TITLE) ?? same?.title
  const prompt = optionalText(fields, 'prompt', MOST_MESSAGE) ?? same?.prompt
  const error = optionalText(fields, 'error', MOST_MESSAGE) ?? same?.error
  const errorStyle =
    wordField(fields, 'level', ['stop', 'warning', 'information'] as const) ?? same?.errorStyle
  const allowBlank = optionalFlag(fields, 'blank') ?? same?.allowBlank
  return {
    ...(title && { title }),
    ...(prompt && { prompt }),
    ...(error && { error }),
    ...(same?.errorTitle && { errorTitle: same.errorTitle }),
    ...(errorStyle && { errorStyle }),
    ...(allowBlank !== undefined && { allowBlank }),
  }
}
