import { type Content, type Failure, fail, ok, type Result, toBytes } from '@filewright/protocol'
import { findEncoding } from '../decode/encoding.ts'
import { decodeText, decodeTextAs, type TextDocument } from '../decode/text.ts'
import { diffDocuments } from '../diff/document-diff.ts'
import { applyToDocument } from './apply-file-patch.ts'
import { join } from './arguments.ts'
import { checkAgainstBase } from './check-line-changes.ts'
import { findBlock } from './find-block.ts'
import { forcing } from './force-change.ts'
import { describeLines, describePlace, type LineChange, type LinePatch } from './line-changes.ts'
import { type LineMap, lineMapOfHunks } from './line-map.ts'
import { LineMapper, type Window } from './map-lines.ts'

export interface RebaseOptions {
  /** The place of the file patch in the arguments. */
  readonly at?: string
  readonly path?: string
  /** The version of the current bytes, for the message. */
  readonly version?: string
  /**
   * What would work, for a patch that nobody sent: messages name its changes by their lines, because nobody knows their
   * order.
   */
  readonly advice?: string
  /** Since when the text differs; absent: since the author of the patch read it. */
  readonly since?: string
  /** A person decided for the patch: a change that cannot be mapped replaces what its lines are now. */
  readonly isForced?: boolean
}

export interface RebasedPatch<Patch extends LinePatch> {
  /** The same changes with line numbers of the current text. */
  readonly patch: Patch
  /** Slices of the current bytes. */
  readonly content: Content
  /** From the lines of the base, which the author of the patch knows, to the new ones. */
  readonly lineMap: LineMap
  /** Where each change was in the base and is now; by its index. */
  readonly moved: readonly { readonly from: string; readonly to: string }[]
  readonly warnings: readonly string[]
}

/** Why one change could not be mapped, with the current lines there. */
export interface ConflictingChange {
  readonly at: string
  readonly message: string
  /** The current lines around the place, three on either side. */
  readonly current: { readonly firstLine: number; readonly lines: readonly string[] }
  /** Present if its lines occur unchanged at exactly one place: the change for that place. */
  readonly corrected?: LineChange
}

/**
 * Maps a patch planned on `base` onto the current bytes. Every change must provably mean the same there: its lines and
 * neighbours are intact, and occur nowhere else. Otherwise the result is a conflict, and nothing is mapped.
 */
export function rebaseFilePatch<Patch extends LinePatch>(
  base: Uint8Array,
  current: Uint8Array,
  patch: Patch,
  options: RebaseOptions = {},
): Result<RebasedPatch<Patch>, 'CONFLICT' | 'INVALID_ARGUMENT'> {
  const old = decodeText(base)
  const now = decodeText(current)
  const checked = checkAgainstBase(old, patch, options.at)
  if (!checked.ok) return checked
  const mapper = new LineMapper(old, now)
  const shifts = patch.changes.map(change => mapper.shiftOf(windowOf(change)))
  const isMapped = !shifts.includes(null)
  if (!isMapped && !options.isForced) return refuse({ old, now, mapper }, patch, shifts, options)
  const force = isMapped ? undefined : forcing(old, now, mapper)
  const changes = patch.changes.map((change, i) =>
    shifts[i] == null ? force!(change) : shiftChange(change, shifts[i]),
  )
  if (!changes.every(isPlaced)) return refuse({ old, now, mapper }, patch, shifts, options)
  const rebased = { ...patch, changes }
  const applied = applyToDocument(now, rebased, options.at)
  if (!applied.ok) return toConflict(applied.failure, options)
  return ok({
    patch: rebased,
    content: applied.value.content,
    lineMap: lineMapFrom(old, toBytes(applied.value.content, current), now.encoding),
    moved: changes.map((change, i) => ({
      from: describePlace(patch.changes[i]!),
      to: describePlace(change),
    })),
    warnings: [...checked.value.warnings, ...applied.value.warnings],
  })
}

function isPlaced(change: LineChange | undefined): change is LineChange {
  return change !== undefined
}

function lineMapFrom(
  old: TextDocument,
  after: Uint8Array,
  label: TextDocument['encoding'],
): LineMap {
  const fresh = decodeTextAs(after, { label, bomLength: findEncoding(after).bomLength })
  return lineMapOfHunks(diffDocuments(old, fresh, { lineEnds: false }), old.lineCount)
}

function windowOf(change: LineChange): Window {
  if (change.operation === 'insert') return { first: change.afterLine, last: change.afterLine + 1 }
  return { first: change.startLine - 1, last: change.endLine + 1 }
}

function shiftChange(change: LineChange, by: number): LineChange {
  if (change.operation === 'insert') return { ...change, afterLine: change.afterLine + by }
  return { ...change, startLine: change.startLine + by, endLine: change.endLine + by }
}

interface Texts {
  readonly old: TextDocument
  readonly now: TextDocument
  readonly mapper: LineMapper
}

function refuse(
  texts: Texts,
  patch: LinePatch,
  shifts: readonly (number | null)[],
  options: RebaseOptions,
) {
  const conflicts = patch.changes.flatMap((change, i) =>
    shifts[i] === null
      ? [describeConflict(texts, change, join(options.at ?? '', `changes[${i}]`))]
      : [],
  )
  const corrected = patch.changes.map((change, i) => {
    const shift = shifts[i]
    return shift == null
      ? conflicts.find(({ at }) => at.endsWith(`changes[${i}]`))?.corrected
      : shiftChange(change, shift)
  })
  const canResend = corrected.every(change => change !== undefined)
  const errors = conflicts.map(({ at, message }) =>
    options.advice === undefined ? `${at}: ${message}` : message,
  )
  return fail('CONFLICT', [headline(options), ...errors, adviceOn(options, canResend)].join(' '), {
    errors,
    details: {
      ...(options.version && { version: options.version }),
      conflicts,
      ...(canResend && { correctedChanges: corrected }),
    },
  })
}

function toConflict(failure: Failure, options: RebaseOptions) {
  const sentences = [
    headline(options),
    ...failure.errors,
    ...(options.advice ? [options.advice] : []),
  ]
  return fail('CONFLICT', sentences.join(' '), {
    errors: failure.errors,
    details: { ...failure.details, ...(options.version && { version: options.version }) },
  })
}

function headline({ path, version, since }: RebaseOptions): string {
  const file = path ? `"${path}"` : 'the file'
  const now = version ? ` (it is version ${version} now)` : ''
  const changed = since ? `changed on disk ${since}` : `changed since it was read${now}`
  return `Nothing was written: ${file} ${changed}, and not every change can be proven to mean the same there.`
}

function adviceOn({ version, advice }: RebaseOptions, canResend: boolean): string {
  if (advice !== undefined) return advice
  const base = version ? `on version ${version}` : 'on the current version'
  return canResend
    ? `If the corrected changes are what you mean, send "correctedChanges" ${base}.`
    : `Read the lines shown and plan the change again ${base}.`
}

const AROUND = 3

function describeConflict(
  { old, now, mapper }: Texts,
  change: LineChange,
  at: string,
): ConflictingChange {
  const block = blockOf(old, change)
  const found = findBlock(now, block.lines, 6)
  const places = found.length === 1 ? found.filter(place => !isOther(mapper, block, place)) : found
  const near = nearestPlace(mapper, change, places)
  const size = change.operation === 'insert' ? 0 : change.endLine - change.startLine + 1
  const firstLine = Math.max(1, near - AROUND)
  const current = {
    firstLine,
    lines: now.lines(firstLine, Math.min(now.lineCount, near + size + AROUND - 1)),
  }
  const [only] = places
  const place = `${describePlace(change)} of the base`
  if (only === undefined || places.length > 1)
    return { at, message: `${place}: ${explain(change, places)}.`, current }
  const where = describeLines(only, only + block.lines.length - 1)
  return {
    at,
    message: `${place}: the original lines are unchanged at ${where}, but with other lines around them.`,
    current,
    corrected: moveTo(change, only, block),
  }
}

interface Block {
  readonly lines: readonly string[]
  /** Its first line in the base. */
  readonly first: number
  /** Lines of the block above the insertion. */
  readonly above: number
}

/** What a change relies on: its own lines, or the lines next to an insert. */
function blockOf(old: TextDocument, change: LineChange): Block {
  if (change.operation !== 'insert')
    return {
      lines: old.lines(change.startLine, change.endLine),
      first: change.startLine,
      above: 0,
    }
  const first = Math.max(1, change.afterLine)
  const last = Math.min(old.lineCount, change.afterLine + 1)
  return { lines: old.lines(first, last), first, above: change.afterLine === 0 ? 0 : 1 }
}

/** Equal lines that were next to the block in the base: they are not the moved block. */
function isOther(mapper: LineMapper, block: Block, place: number): boolean {
  return block.lines.some((_, i) => {
    const origin = mapper.originOf(place + i)
    return origin !== undefined && origin !== block.first + i
  })
}

/** A resent insert names the lines next to it, so that it cannot land elsewhere. */
function moveTo(change: LineChange, first: number, block: Block): LineChange {
  if (change.operation !== 'insert')
    return { ...change, startLine: first, endLine: first + block.lines.length - 1 }
  const { expectedBefore: _before, expectedAfter: _after, ...rest } = change
  const above = block.lines.slice(0, block.above)
  const below = block.lines.slice(block.above)
  return {
    ...rest,
    afterLine: first + block.above - 1,
    ...(above.length > 0 && { expectedBefore: above }),
    ...(below.length > 0 && { expectedAfter: below }),
  }
}

function nearestPlace(mapper: LineMapper, change: LineChange, places: readonly number[]): number {
  const wanted = mapper.placeNear(
    change.operation === 'insert' ? change.afterLine + 1 : change.startLine,
  )
  const [nearest] = [...places].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))
  return nearest ?? wanted
}

function explain(change: LineChange, places: readonly number[]): string {
  if (places.length > 1) {
    const more = places.length > 5 ? ' and more' : ''
    return `the original lines now occur several times, starting at lines ${places.slice(0, 5).join(', ')}${more}, so it is unclear which place is meant`
  }
  return change.operation === 'insert'
    ? 'the lines next to it changed'
    : 'the original lines have changed'
}
