import type { FormatId } from '@filewright/documents'
import {
  applyFilePatch,
  type LineMap,
  type LinePatch,
  textFormat,
} from '@filewright/documents/text'
import {
  type ChangeId,
  type Content,
  contentLength,
  inline,
  ok,
  type Result,
  type Sha256,
  type Slice,
  toBytes,
} from '@filewright/protocol'
import type { Draft, DraftFile } from '../draft/draft.ts'
import { beginBytes, type Desk, draftedBytes, engineFor } from '../draft/draft-view.ts'
import { sha256Of, sha256OfContent } from '../workspace/tree/hash-content.ts'

/** What a drafted file is to hold, on the bytes that the draft began with. */
export interface NewContent {
  /** Slices of the bytes on disk where they are the base, else inline. */
  readonly content: Content
  readonly sha256: Sha256
  readonly base: Uint8Array
  readonly lineMap?: unknown
  /** What replacing a text as a whole does to its form. */
  readonly warnings: readonly string[]
  /** Some of its changes were refused. */
  readonly isNarrowed: boolean
}

export async function contentOf(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  refused: ReadonlySet<ChangeId>,
): Promise<Result<NewContent>> {
  const base = await beginBytes(desk, file)
  if (!base.ok) return base
  const isNarrowed = refused.size > 0
  const isShown = draft.open.purpose === 'workshop' && base.value.length <= HELD_BYTES
  if (file.format === 'text' && file.log.length > 0 && (isNarrowed || !isShown))
    return replayText(file, base.value, refused)
  return isNarrowed
    ? replay(desk, file, base.value, refused)
    : shownContent(desk, draft, file, base.value)
}

/** Where nothing is refused, the new text is the one that the draft shows; a larger one is made of slices, and held once. */
const HELD_BYTES = 16 * 1024 * 1024

function replayText(
  file: DraftFile,
  base: Uint8Array,
  refused: ReadonlySet<ChangeId>,
): Result<NewContent> {
  const replayed = textFormat.replay(base, file.log.slice(), refused, nameOf(file))
  if (!replayed.ok) return replayed
  const { content: slices, warnings, lineMap } = replayed.value
  return ok({
    content: file.begin === file.disk ? slices : inline(toBytes(slices, base)),
    sha256: sha256OfContent(slices, base),
    base,
    isNarrowed: refused.size > 0,
    warnings: (isReplaced(file) && warnings) || [],
    lineMap,
  })
}

async function shownContent(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  base: Uint8Array,
): Promise<Result<NewContent>> {
  const bytes = await draftedBytes(desk, draft, file)
  if (!bytes.ok) return bytes
  const isOnBase = file.format === 'text' && file.begin === file.disk
  return ok({
    content: isOnBase ? changedRun(base, bytes.value) : inline(bytes.value),
    sha256: sha256Of(bytes.value),
    base,
    isNarrowed: false,
    warnings: [],
    ...lineMapOf(file, base, new Set()),
  })
}

async function replay(
  desk: Desk,
  file: DraftFile,
  base: Uint8Array,
  refused: ReadonlySet<ChangeId>,
): Promise<Result<NewContent>> {
  const format = file.format as FormatId
  const log = file.log.slice()
  const replayed = await engineFor(desk, format).replay({
    format,
    name: nameOf(file),
    base,
    log,
    refused,
  })
  if (!replayed.ok) return replayed
  const bytes = toBytes(replayed.value.content, base)
  const content = inline(bytes)
  return ok({ content, sha256: sha256Of(bytes), base, isNarrowed: true, warnings: [] })
}

/** All of it is new, whatever was there before. */
export function isReplaced({ log }: DraftFile): boolean {
  return log.at(0)?.operation.op === 'write_text'
}

function nameOf({ docPath, path }: DraftFile) {
  return { docPath, path }
}

/** One run of new bytes between what the two have in common. */
function changedRun(base: Uint8Array, bytes: Uint8Array): Content {
  const most = Math.min(base.length, bytes.length)
  let start = 0
  while (start < most && base[start] === bytes[start]) start++
  let same = 0
  while (same < most - start && base[base.length - 1 - same] === bytes[bytes.length - 1 - same])
    same++
  const slices: Slice[] = [
    { from: 'base', start: 0, end: start },
    { from: 'inline', bytes: bytes.subarray(start, bytes.length - same) },
    { from: 'base', start: base.length - same, end: base.length },
  ]
  return slices.filter(slice => contentLength([slice]) > 0)
}

/** Where the lines of the base went, so that the next patch needs no new read. */
function lineMapOf(
  file: DraftFile,
  base: Uint8Array,
  refused: ReadonlySet<ChangeId>,
): { lineMap?: LineMap } {
  const only = file.log.length === 1 ? file.log.at(0)!.operation : undefined
  if (only?.op !== 'line_changes') return {}
  const patch = only as unknown as LinePatch
  const changes = patch.changes.filter(change => !refused.has((change.changeId ?? '') as ChangeId))
  const applied = applyFilePatch(base, { ...patch, changes })
  return applied.ok ? { lineMap: applied.value.lineMap } : {}
}
