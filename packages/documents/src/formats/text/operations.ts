import { type ChangeId, fail, type LoggedOperation, ok, type Result } from '@filewright/protocol'
import { z } from 'zod'
import type { DocumentName, OperationResult } from '../../format.ts'
import { join } from './arguments.ts'
import { checkAgainstBase } from './check-line-changes.ts'
import { asBuffer, findUnencodable } from './codec.ts'
import { describeNotFound, describeSeveral } from './describe-search.ts'
import { diffDocuments } from './document-diff.ts'
import { findText, type Place } from './find-text.ts'
import type { History, ShownChange } from './history.ts'
import { describePlace, type LineChange } from './line-changes.ts'
import { describeLineMap, type LineMap, toLineMap } from './line-map.ts'
import { parseLinePatch } from './parse-file-patch.ts'
import { planLineChanges, planSettings } from './plan-line-changes.ts'
import { planTextEdit } from './plan-text-edit.ts'
import { showLines, showProperty } from './shown-change.ts'
import { comparePositions, type Edit } from './splice.ts'
import { decodeTextAs, type TextDocument } from './text.ts'

export const OPERATIONS = ['write_text', 'edit_text', 'line_changes'] as const

/** An operation done: the history with it, and what to say about it. */
export interface Done {
  readonly history: History
  readonly result: OperationResult
  readonly warnings: readonly string[]
}

/** Does one operation on the text with all changes so far; on failure the history is as it was. */
export function runOperation(
  history: History,
  logged: LoggedOperation,
  name: DocumentName,
): Result<Done> {
  switch (logged.operation.op) {
    case 'write_text':
      return writeText(history, logged, name)
    case 'edit_text':
      return editText(history, logged, name)
    case 'line_changes':
      return changeLines(history, logged, name)
    default:
      return fail(
        'INVALID_ARGUMENT',
        `Nothing was written: a text file has no operation ${JSON.stringify(logged.operation.op)}. Its operations are ${OPERATIONS.join(', ')}.`,
      )
  }
}

const writeTextSchema = z.object({
  op: z.literal('write_text'),
  content: z.string(),
  eol: z.enum(['lf', 'crlf']).optional(),
})

/** Atomic. UTF-8 without BOM; the line ends are LF, or those of the CRLF file it replaces. */
function writeText(history: History, logged: LoggedOperation, name: DocumentName): Result<Done> {
  const parsed = writeTextSchema.safeParse(logged.operation)
  if (!parsed.success) return refuseShape('write_text {content, eol?}', parsed.error)
  const before = history.current
  const { content, eol } = parsed.data
  const warnings: string[] = []
  const keepsCrlf = eol === undefined && before.eol === 'crlf'
  if (keepsCrlf && content.includes('\n'))
    warnings.push('The file had CRLF line ends and keeps them; pass eol: "lf" to write \\n.')
  if (before.lineCount > 0 && before.encoding !== 'utf-8')
    warnings.push(`The file was ${before.encoding} and is UTF-8 now.`)
  const bytes = toUtf8(content, eol ?? (keepsCrlf ? 'crlf' : 'lf'))
  if (!bytes)
    return fail(
      'INVALID_ARGUMENT',
      'Nothing was written: the content holds a lone surrogate, which no encoding of a file can hold. Send whole characters.',
    )
  const after = decodeTextAs(bytes, { label: 'utf-8', bomLength: 0 })
  const result = {
    op: 'write_text',
    message: `Wrote ${after.lineCount === 1 ? '1 line' : `${after.lineCount} lines`} (${after.sizeBytes} bytes).`,
    lineCount: after.lineCount,
  }
  if (asBuffer(bytes).equals(before.bytes))
    return ok({
      history,
      result: { ...result, message: 'The file has this content already.' },
      warnings,
    })
  const shown = showWriting(before, after, logged, name)
  return ok({
    history: history.withText(after, shown, { keepsEol: eol === undefined }),
    result,
    warnings,
  })
}

/** Without a BOM, with one kind of line end; null for a text that is not Unicode. */
function toUtf8(content: string, eol: 'lf' | 'crlf'): Uint8Array | null {
  if (/\p{Surrogate}/u.test(content)) return null
  const text = content.startsWith('\ufeff') ? content.slice(1) : content
  const unified = text.replace(/\r\n?/g, '\n') // a lone CR too (TUL-004 §5.1)
  return new TextEncoder().encode(eol === 'crlf' ? unified.replaceAll('\n', '\r\n') : unified)
}

function showWriting(
  before: TextDocument,
  after: TextDocument,
  logged: LoggedOperation,
  name: DocumentName,
): ShownChange[] {
  const hunks = diffDocuments(before, after, { lineEnds: false })
  const shown = hunks.map(({ aStart, aEnd, bStart, bEnd }, i) =>
    showLines(name, logged, {
      key: `text ${i}`,
      before:
        aEnd > aStart ? { firstLine: aStart + 1, lines: before.lines(aStart + 1, aEnd) } : null,
      after: bEnd > bStart ? { firstLine: bStart + 1, lines: after.lines(bStart + 1, bEnd) } : null,
      atomic: true,
    }),
  )
  const [was, is] = [describeForm(before), describeForm(after)]
  if (was !== is && (before.lineCount > 0 || shown.length === 0))
    shown.push(
      showProperty(name, logged, {
        place: 'form of the file',
        before: was,
        after: is,
        atomic: true,
      }),
    )
  return shown
}

function describeForm(doc: TextDocument): string {
  return [
    doc.encoding,
    ...(doc.bom ? ['BOM'] : []),
    `eol ${doc.eol}`,
    ...(doc.finalNewline ? [] : ['no final newline']),
  ].join(', ')
}

const editTextSchema = z.object({
  op: z.literal('edit_text'),
  edits: z
    .array(
      z.object({ search: z.string().min(1), replace: z.string(), all: z.boolean().optional() }),
    )
    .min(1),
})
type TextEdit = z.output<typeof editTextSchema>['edits'][number]

/** Divisible by place. Each edit sees what the ones before it made. */
function editText(history: History, logged: LoggedOperation, name: DocumentName): Result<Done> {
  const parsed = editTextSchema.safeParse(logged.operation)
  if (!parsed.success)
    return refuseShape('edit_text {edits: [{search, replace, all?}]}', parsed.error)
  let edited = history
  let count = 0
  const errors: string[] = []
  parsed.data.edits.forEach((edit, index) => {
    const places = findPlaces(edited.current, edit)
    if (!places.ok) {
      errors.push(`edits[${index}]: ${places.failure.message}`)
      return
    }
    edited = edited.withEdits(
      planPlaces(edited.current, edit, places.value, { index, logged, name }),
    )
    count += places.value.length
  })
  if (errors.length > 0)
    return fail('INVALID_ARGUMENT', `Nothing was written: ${errors.join(' · ')}.`, { errors })
  const message =
    count === 1 ? 'Replaced the text at 1 place.' : `Replaced the text at ${count} places.`
  return ok({ history: edited, result: { op: 'edit_text', message, places: count }, warnings: [] })
}

function findPlaces(
  doc: TextDocument,
  { search, replace, all }: TextEdit,
): Result<Place[], 'INVALID_ARGUMENT'> {
  const places: Place[] = []
  for (const place of findText(doc, search, { overlapping: !all })) {
    places.push(place)
    if (!all && places.length > MAX_LISTED) break
  }
  const [first] = places
  if (!first) return fail('INVALID_ARGUMENT', describeNotFound(doc, search))
  if (!all && places.length > 1) return fail('INVALID_ARGUMENT', describeSeveral(places))
  const unknown = doc.codec.encode(replace) === null && findUnencodable(doc.codec, replace)
  if (unknown)
    return fail(
      'INVALID_ARGUMENT',
      `replace holds "${unknown}", which the file's encoding ${doc.encoding} cannot hold; use a character that it has`,
    )
  return ok(places)
}

const MAX_LISTED = 20

interface EditContext {
  readonly index: number
  readonly logged: LoggedOperation
  readonly name: DocumentName
}

function planPlaces(
  doc: TextDocument,
  { replace }: TextEdit,
  places: readonly Place[],
  context: EditContext,
) {
  let shift = 0
  let isAtLineStart = true // whether the text so far ends where a line begins, for a place right behind the last
  return places.map((place, i) => {
    const isAdjacent = i > 0 && comparePositions(places[i - 1]!.to, place.from) === 0
    const startsLine = isAdjacent ? isAtLineStart : place.from.column === 0
    isAtLineStart = replace === '' ? startsLine : replace.endsWith('\n')
    const edit = planTextEdit(doc, place, replace, { startsLine })
    const { lines, newLines } = linesAround(doc, place, replace)
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

/** The whole lines that a place touches, before and after. */
function linesAround(doc: TextDocument, { from, to }: Place, replace: string) {
  const last = Math.min(to.line, doc.lineCount)
  const head = doc.codec.decode(doc.lineBytes(from.line).subarray(0, from.column))
  const tail =
    to.line > doc.lineCount ? '' : doc.codec.decode(doc.lineBytes(to.line).subarray(to.column))
  return {
    lines: doc.lines(from.line, last),
    newLines: `${head}${replace}${tail}`.split(/\r?\n/),
  }
}

/** Divisible by change; the properties of the file are changes of their own. */
function changeLines(history: History, logged: LoggedOperation, name: DocumentName): Result<Done> {
  const { op: _, ...args } = logged.operation
  const parsed = parseLinePatch(args)
  if (!parsed.ok) return parsed
  const doc = history.current
  const patch = parsed.value.value
  const checked = checkAgainstBase(doc, patch)
  if (!checked.ok) return checked
  const lineMap = toLineMap(patch.changes, doc.lineCount)
  const planned = planLineChanges(doc, patch).map(({ index, edit }) => ({
    edit,
    shown: showChange(doc, patch.changes[index]!, index, lineMap, { logged, name }),
  }))
  const settings = planSettings(patch).map(edit => ({
    edit,
    shown: showSetting(doc, edit, { logged, name }),
  }))
  const count = planned.length + settings.length
  const counted = count === 1 ? '1 change' : `${count} changes`
  return ok({
    history: history.withEdits([...planned, ...settings]),
    result: {
      op: 'line_changes',
      message: `Applied ${counted}. Lines: ${describeLineMap(lineMap)}.`,
      lineMap,
    },
    warnings: [...parsed.value.warnings, ...checked.value.warnings],
  })
}

type Named = Omit<EditContext, 'index'>

function showChange(
  doc: TextDocument,
  change: LineChange,
  index: number,
  lineMap: LineMap,
  { logged, name }: Named,
): ShownChange {
  const isInsert = change.operation === 'insert'
  const first = isInsert ? change.afterLine + 1 : change.startLine
  const newStart = lineMap.find(run => !run.kept && run.oldStart === first)?.newStart ?? first
  return showLines(name, logged, {
    key: `change ${index} ${describePlace(change)}`,
    ...(change.changeId !== undefined && { id: change.changeId as ChangeId }),
    before: isInsert ? null : { firstLine: first, lines: doc.lines(first, change.endLine) },
    after: change.operation === 'delete' ? null : { firstLine: newStart, lines: change.newLines },
    ...(change.description !== undefined && { description: change.description }),
  })
}

function showSetting(doc: TextDocument, { settings }: Edit, { logged, name }: Named): ShownChange {
  if (settings?.eol)
    return showProperty(name, logged, { place: 'line ends', before: doc.eol, after: settings.eol })
  const [place, before, after]: [string, boolean, boolean] =
    settings?.bom !== undefined
      ? ['byte order mark', doc.bom, settings.bom]
      : ['final newline', doc.finalNewline, settings?.finalNewline ?? doc.finalNewline]
  return showProperty(name, logged, {
    place,
    before: before ? 'present' : 'absent',
    after: after ? 'present' : 'absent',
  })
}

function refuseShape(usage: string, error: z.ZodError) {
  const errors = error.issues.map(
    issue =>
      `${issue.path.reduce<string>((at, part) => (typeof part === 'number' ? `${at}[${part}]` : join(at, String(part))), '')}: ${issue.message}`,
  )
  return fail('INVALID_ARGUMENT', `Nothing was written: use ${usage}. ${errors.join(' · ')}`, {
    errors,
  })
}
