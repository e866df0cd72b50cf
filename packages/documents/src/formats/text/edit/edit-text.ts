import { counted, fail, LIMITS, type LoggedOperation, ok, type Result } from '@filewright/protocol'
import { z } from 'zod'
import type { DocumentName } from '../../../format.ts'
import { NUL_IS_BINARY } from '../decode/binary.ts'
import { findUnencodable } from '../decode/codec.ts'
import type { TextDocument } from '../decode/text.ts'
import { comparePositions, type Position } from '../write/splice.ts'
import { describeNotFound, describeSeveral } from './describe-search.ts'
import { type FoundText, findText } from './find-text.ts'
import { type OperationRunner, refuseShape } from './operation.ts'
import { planReplacement } from './plan-text-edit.ts'
import { LEAD, MAX_LINE, showLines } from './shown-change.ts'

/** Each is looked for in other places, and explained: a long list of them would take minutes. */
const MOST_FAULTS = 20

const editTextSchema = z.object({
  op: z.literal('edit_text'),
  edits: z
    .array(
      z.object({ search: z.string().min(1), replace: z.string(), all: z.boolean().optional() }),
    )
    .min(1),
})
type TextEdit = z.output<typeof editTextSchema>['edits'][number]

/** Divisible by place. Each edit applies to the result of the ones before it. */
export const editText: OperationRunner = (history, logged, name) => {
  const parsed = editTextSchema.safeParse(logged.operation)
  if (!parsed.success)
    return refuseShape('edit_text {edits: [{search, replace, all?}]}', parsed.error)
  let edited = history
  let count = 0
  const errors: string[] = []
  const { edits } = parsed.data
  for (const [index, edit] of edits.entries()) {
    if (errors.length === MOST_FAULTS) {
      errors.push(`edits[${index}]: from here on the edits were not looked at; correct these first`)
      break
    }
    const places = findPlaces(edited.current, edit, {
      begun: history.current,
      most: LIMITS.replacedPlaces - count,
    })
    if (!places.ok) {
      errors.push(`edits[${index}].${places.failure.message}`)
      continue
    }
    if (edit.search === edit.replace) continue // nothing changed, so nobody is asked to review it
    edited = edited.withEdits(
      planPlaces(edited.current, edit, places.value, { index, logged, name }),
    )
    count += places.value.length
  }
  if (errors.length > 0)
    return fail('INVALID_ARGUMENT', `Nothing was written: ${errors.join(' · ')}.`, { errors })
  const message = describeCount(count)
  return ok({ history: edited, result: { op: 'edit_text', message, places: count }, warnings: [] })
}

function describeCount(count: number): string {
  if (count === 0) return 'The file already has this text.'
  return `Replaced ${counted(count, 'occurrence')}.`
}

interface SearchLimits {
  /** The text before the first edit of the operation. */
  readonly begun: TextDocument
  /** How much of the limit per call the earlier edits left. */
  readonly most: number
}

function findPlaces(
  doc: TextDocument,
  { search, replace, all }: TextEdit,
  { begun, most }: SearchLimits,
): Result<FoundText[], 'INVALID_ARGUMENT'> {
  const places: FoundText[] = []
  for (const place of findText(doc, search, { overlapping: !all })) {
    places.push(place)
    if (!all && places.length > MAX_LISTED) break
    if (places.length > most) return fail('INVALID_ARGUMENT', `search: ${describeTooMany(most)}`)
  }
  const [first] = places
  if (!first) return fail('INVALID_ARGUMENT', `search: ${describeNotFound(doc, search, begun)}`)
  if (!all && places.length > 1)
    return fail('INVALID_ARGUMENT', `search: ${describeSeveral(doc, places)}`)
  if (replace.includes('\0') && !search.includes('\0'))
    return fail('INVALID_ARGUMENT', `replace: ${NUL_IS_BINARY}`)
  const unknown = doc.codec.encode(replace) === null && findUnencodable(doc.codec, replace)
  if (unknown)
    return fail(
      'INVALID_ARGUMENT',
      `replace: holds "${unknown}", which the file's encoding ${doc.encoding} cannot represent; use a character that it has`,
    )
  return ok(places)
}

const MAX_LISTED = 20

/** Created on first use: loading a locale's number format takes milliseconds. */
function describeTooMany(most: number): string {
  const [allowed, found] = [LIMITS.replacedPlaces, most].map(n => n.toLocaleString('en'))
  const many =
    most === LIMITS.replacedPlaces ? `more than ${allowed}` : `more than ${found} further`
  return `it occurs ${many} times, and one call replaces at most ${allowed}; search for longer text that occurs less often, and replace the rest in further drafts`
}

interface EditContext {
  readonly index: number
  readonly logged: LoggedOperation
  readonly name: DocumentName
}

function planPlaces(
  doc: TextDocument,
  { replace }: TextEdit,
  places: readonly FoundText[],
  context: EditContext,
) {
  const planned = planReplacement(doc, replace)
  let shift = 0
  let isAtLineStart = true // whether the text so far ends at a line start, for a place right after the last
  let left: Left | undefined
  return places.map((place, i) => {
    const isAdjacent = i > 0 && comparePositions(places[i - 1]!.to, place.from) === 0
    const startsLine = isAdjacent ? isAtLineStart : place.from.column === 0
    isAtLineStart = replace === '' ? startsLine : replace.endsWith('\n')
    const edit = planned(place, { startsLine })
    const around = linesAround(doc, place, replace, left)
    const { lines, newLines } = around
    left = around.left
    const firstLine = place.from.line
    const shown = showLines(context.name, context.logged, {
      key: `edit ${context.index} at ${place.from.line}:${place.from.column}`,
      before: { firstLine, lines },
      after: { firstLine: firstLine + shift, lines: newLines },
    })
    shift += newLines.length - lines.length
    return { edit, shown }
  })
}

/** State after a place: the next one on its last line is shown in the line as it then reads. */
interface Left {
  readonly to: Position
  /** That line up to the end of the place. */
  readonly head: string
  /** Length of the line up to there before the edit, in characters. */
  readonly wasLength: number
}

/** The whole lines that a place touches, before and after. */
function linesAround(doc: TextDocument, place: FoundText, replace: string, left?: Left) {
  const { lines, head, tail, wasLength } = isInLongLine(doc, place)
    ? partOfLine(doc, place)
    : wholeLines(doc, place, left)
  const text = [head, replace, tail].join('') // flattened: a concatenated string would keep all of its parts
  const newLines = replace.includes('\n') ? text.split(/\r?\n/) : [text]
  const last = newLines.at(-1)!
  // a partly shown line is shown at each place as it was, not copied for all of them
  const isShort = wasLength !== undefined && last.length <= MAX_LINE
  return {
    lines,
    newLines,
    ...(isShort && {
      left: { to: place.to, head: last.slice(0, last.length - tail.length), wasLength },
    }),
  }
}

function wholeLines(doc: TextDocument, { from, to }: FoundText, left?: Left) {
  const lines = doc.lines(from.line, Math.min(to.line, doc.lineCount))
  const [was] = cutLine(doc, from, lines[0]!)
  const [matched, tail] = to.line > doc.lineCount ? ['', ''] : cutLine(doc, to, lines.at(-1)!)
  const wasLength = matched.length
  if (left?.to.line !== from.line) return { lines, head: was, tail, wasLength }
  const head = left.head + was.slice(left.wasLength)
  lines[0] = [head, lines[0]!.slice(was.length)].join('')
  return { lines, head, tail, wasLength }
}

const BYTES_OF_CHARACTER = 4 // at most, in every encoding
const TAIL = MAX_LINE - 2 * LEAD // the rest leaves room for the search and its replacement

function isInLongLine(doc: TextDocument, { from: { line }, to }: FoundText): boolean {
  return to.line === line && doc.endOf(line) - doc.startOf(line) > BYTES_OF_CHARACTER * MAX_LINE
}

/** The part of a long line that a review shows: it may have thousands of places, and each would keep the whole line. */
function partOfLine(doc: TextDocument, { from, to }: FoundText) {
  const start = doc.startOf(from.line)
  const end = doc.textEndOf(from.line)
  const border = (offset: number) =>
    doc.characterBorder(start, Math.min(Math.max(start, offset), end))
  const first = border(start + from.column - BYTES_OF_CHARACTER * LEAD)
  const last = border(start + to.column + BYTES_OF_CHARACTER * MAX_LINE)
  const decode = (a: number, b: number) => doc.codec.decode(doc.bytes.subarray(a, b))
  const before = decode(first, start + from.column)
  const behind = decode(start + to.column, last)
  const isCutBefore = first > start || before.length > LEAD
  const isCutBehind = last < end || behind.length > TAIL
  const head = `${isCutBefore ? '…' : ''}${before.slice(-LEAD)}`
  const tail = `${behind.slice(0, TAIL)}${isCutBehind ? '…' : ''}`
  const found = decode(start + from.column, start + to.column)
  return { lines: [[head, found, tail].join('')], head, tail, wasLength: undefined }
}

/** A line before and after a position in it. If each character is one byte, the text is cut by bytes. */
function cutLine(doc: TextDocument, { line, column }: Position, text: string): [string, string] {
  const isByBytes = doc.textEndOf(line) - doc.startOf(line) === text.length
  if (isByBytes) return [text.slice(0, column), text.slice(column)]
  const bytes = doc.lineBytes(line)
  return [doc.codec.decode(bytes.subarray(0, column)), doc.codec.decode(bytes.subarray(column))]
}
