import type { FormatId } from '@filewright/documents'
import {
  applyFilePatch,
  type LineMap,
  type LinePatch,
  patchBetween,
  rebaseFilePatch,
  textFormat,
} from '@filewright/documents/text'
import {
  type Change,
  type ChangeId,
  type ChangeSet,
  type ChangeSetId,
  type Content,
  contentLength,
  type Failure,
  type FileChange,
  fail,
  inline,
  ok,
  type Result,
  type Sha256,
  type Slice,
  toBytes,
  toVersion,
} from '@filewright/protocol'
import { nothingWritten } from '../apply/nothing-written.ts'
import { type Draft, type DraftFile, isRespelled, unspelled } from '../draft/draft.ts'
import { beginBytes, type Desk, draftedBytes, engineFor } from '../draft/draft-view.ts'
import { sha256Of, sha256OfContent } from '../workspace/tree/hash-content.ts'
import {
  closeOverDependants,
  operationKey,
  operationKeys,
  type ReviewedFile,
  reviewFiles,
} from './review.ts'

/** A draft made ready to be applied. */
export interface Plan {
  readonly changeSet: ChangeSet
  /** What is applied. */
  readonly accepted: readonly Change[]
  /** With its file and place. */
  readonly refused: ReadonlyMap<ChangeId, string>
  /** Went with a refused change. */
  readonly dropped: readonly ChangeId[]
  /** Their disk had moved on, and every change was mapped onto the bytes found there. */
  readonly rebased: ReadonlySet<string>
  /** What was found there: the bytes that rebased files are changed from. */
  readonly found: ReadonlyMap<string, Uint8Array>
  /** Old lines to new lines, of rebased and plain text files. */
  readonly lineMaps: ReadonlyMap<string, unknown>
  /** What replacing texts as a whole does to their form. */
  readonly warnings: readonly string[]
}

const MOST_IDS = 100 // named in a refusal

/** Replays the accepted changes on their bases, and onto the disk where it moved on and that is proven. */
export async function planPublish(
  desk: Desk,
  draft: Draft,
  refusedIds: Iterable<ChangeId>,
  changeSetId: ChangeSetId,
): Promise<Result<Plan>> {
  const reviewed = await reviewFiles(desk, draft)
  if (!reviewed.ok) return reviewed
  const all = reviewed.value.flatMap(file => file.changes)
  const known = new Set(all.map(({ id }) => id))
  const unknown = [...refusedIds].filter(id => !known.has(id))
  if (unknown.length > 0)
    return fail(
      'NOT_FOUND',
      `Nothing was written: the draft has no change ${unknown.join(', ')}. Its changes are ${all
        .slice(0, MOST_IDS)
        .map(change => change.id)
        .join(', ')}${all.length > MOST_IDS ? ` and ${all.length - MOST_IDS} more` : ''}.`,
    )
  const { refused, dropped } = closeOverDependants(all, refusedIds)
  const files: FileChange[] = []
  const found = new Map<string, Uint8Array>()
  const conflicts: Failure[] = []
  const lineMaps = new Map<string, unknown>()
  const warnings: string[] = []
  const left: DraftFile[] = []
  const occupied = new Set<string>()
  for (const file of reviewed.value) {
    const isWhole = !file.whole || !refused.has(file.whole.id)
    const kept = isWhole ? file : withoutWhole(file)
    if (!kept) continue
    const planned = await planFile(desk, draft, kept, refused)
    if (!planned.ok) {
      if (planned.failure.code !== 'CONFLICT') return planned
      conflicts.push(planned.failure)
      continue
    }
    const { docPath } = kept.file
    files.push(...planned.value.changes)
    if (planned.value.isThere) occupied.add(docPath)
    if (isWhole && file.file.origin?.source) left.push(file.file.origin.source)
    if (planned.value.found) found.set(docPath, planned.value.found)
    if (planned.value.lineMap) lineMaps.set(docPath, planned.value.lineMap)
    if (isReplaced(kept.file)) warnings.push(...(planned.value.warnings ?? []))
  }
  for (const source of left.filter(({ docPath }) => !occupied.has(docPath))) {
    const found = await currentOnDisk(desk, source)
    if (!found.ok) return found
    if (found.value.sha256 === source.disk) files.push(toDeletion(source))
    else conflicts.push(goneButChanged('moved', source, found.value.sha256).failure)
  }
  if (conflicts.length > 0) return joinConflicts(conflicts)
  const accepted = all.filter(change => !refused.has(change.id))
  return ok({
    changeSet: { id: changeSetId, ...(draft.open.label && { label: draft.open.label }), files },
    accepted,
    refused: new Map(
      all
        .filter(({ id }) => refused.has(id))
        .map(({ id, path, place }) => [id, `${path}, ${place}`]),
    ),
    dropped,
    rebased: new Set(found.keys()),
    found,
    lineMaps,
    warnings,
  })
}

/** All at once: whoever plans again needs to know of every file that moved on. */
function joinConflicts(conflicts: readonly Failure[]): Result<never> {
  const [first] = conflicts
  if (conflicts.length === 1) return { ok: false, failure: first! }
  const prefix = /^Nothing was written: /
  const messages = conflicts.map(({ message }) => message.replace(prefix, ''))
  return fail(
    'CONFLICT',
    `Nothing was written: ${conflicts.length} files are in conflict. ${messages.join(' ')}`,
    {
      errors: conflicts.flatMap(({ message, errors, details }) =>
        errors[0] === message
          ? [message.replace(prefix, '')]
          : errors.map(error => `"${details?.path}": ${error}`),
      ),
      details: { files: conflicts.map(({ details }) => details) },
    },
  )
}

/** The move or deletion is refused: what was done to the file before it stays, where the file is. */
function withoutWhole(reviewed: ReviewedFile): ReviewedFile | undefined {
  const { file, whole, changes } = reviewed
  if (isRespelled(file)) return { file: unspelled(file), changes: changes.filter(isNotWhole) }
  if (file.deletion?.edited)
    return { file: file.deletion.edited, changes: changes.filter(isNotWhole) }
  const source = file.origin?.source
  if (!source || source.log.length === 0) return undefined
  const before = operationKeys(source.log.slice())
  const own = changes.filter(({ operation }) => before.has(operationKey(operation)))
  return { file: source, changes: own }

  function isNotWhole({ id }: Change): boolean {
    return id !== whole?.id
  }
}

function toDeletion({ docPath, path, disk }: DraftFile): FileChange {
  return { docPath, path, base: disk, content: null, sha256: null }
}

/** A draft stays on the bytes it began with: what is planned again there meets the same conflict. */
const AGAIN =
  'Publish the other changes alone (untick this one on the page, or "filewright publish --only"), or discard the draft; then make this one again on the file as it is now.'

/** To whom the change was for one answer: there is no draft to go on with. */
const READ_AGAIN = 'Read it as it is now, and plan the change on that.'
const MAKE_ANEW = 'Look at the files there are now; if it is still wanted, create it anew.'

function goneButChanged(
  how: 'deleted' | 'moved',
  { docPath, path, disk }: DraftFile,
  found: Sha256 | null,
) {
  const version = found && toVersion(found)
  const now = version ? `it is version ${version} now` : 'it is gone'
  return fail(
    'CONFLICT',
    `Nothing was written: "${path}" was to be ${how}, and changed on disk since the draft began (${now}). ${AGAIN}`,
    { details: { docPath, path, expected: disk, found, ...(version && { version }) } },
  )
}

interface PlannedFile {
  /** None when the file is to stay as it is on disk. */
  readonly changes: readonly FileChange[]
  /** The draft has a file here, so a move away from here deletes nothing. */
  readonly isThere: boolean
  /** The bytes on disk, where they are not those the draft was made on. */
  readonly found?: Uint8Array
  readonly lineMap?: unknown
  readonly warnings?: readonly string[]
}

async function planFile(
  desk: Desk,
  draft: Draft,
  { file, changes }: ReviewedFile,
  refused: ReadonlySet<ChangeId>,
): Promise<Result<PlannedFile>> {
  const { docPath, path, disk } = file
  if (file.isDeleted) {
    const found = await currentOnDisk(desk, file)
    if (!found.ok) return found
    if (found.value.sha256 !== null && found.value.sha256 !== disk)
      return goneButChanged('deleted', file, found.value.sha256)
    return ok({ changes: [toDeletion(file)], isThere: false })
  }
  const own = changes
    .filter(change => change.kind !== 'file' && refused.has(change.id))
    .map(change => change.id)
  const isUntouched = file.log.length > 0 && disk !== null && own.length === changes.length
  if (isUntouched) return ok({ changes: [], isThere: false })
  const content = await contentOf(desk, draft, file, new Set(own))
  if (!content.ok) return content
  const current = await currentOnDisk(desk, file)
  if (!current.ok) return current
  if (current.value.sha256 !== disk) {
    const isDone =
      draft.open.purpose === 'workshop' && content.value.sha256 === current.value.sha256
    if (isDone && file.diskPath === undefined) return ok({ changes: [], isThere: true })
    const moved = await rebase(draft, file, content.value, current.value)
    if (!moved.ok) return moved
    const { change, ...rest } = moved.value
    return ok({ ...rest, changes: spelling(file, change, rest.found), isThere: true })
  }
  const isAsItWas = content.value.sha256 === disk && !file.origin && file.diskPath === undefined
  if (isAsItWas) return ok({ changes: [], isThere: true })
  const change: FileChange = {
    docPath,
    path,
    base: disk,
    content: content.value.content,
    sha256: content.value.sha256,
    ...(file.origin && { like: file.origin.like }),
  }
  const spelled = spelling(file, change, content.value.base)
  const { lineMap, warnings } = content.value
  return ok({ changes: spelled, isThere: true, lineMap, warnings })
}

/** A name in other letters is a new file in place of the old one: a disk that folds capitals keeps the name it has. */
function spelling(file: DraftFile, change: FileChange, base: Uint8Array): readonly FileChange[] {
  const { docPath, diskPath } = file
  if (diskPath === undefined || change.content === null) return [change]
  const content = inline(toBytes(change.content, base))
  return [
    { docPath, path: diskPath, base: change.base, content: null, sha256: null },
    { like: diskPath, ...change, base: null, content },
  ]
}

interface NewContent {
  /** Slices of the bytes on disk where they are the base, else inline. */
  readonly content: Content
  readonly sha256: Sha256
  readonly base: Uint8Array
  readonly lineMap?: unknown
  readonly warnings?: readonly string[]
  /** Some of its changes were refused. */
  readonly isNarrowed: boolean
}

async function contentOf(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  refused: ReadonlySet<ChangeId>,
): Promise<Result<NewContent>> {
  const base = await beginBytes(desk, file)
  if (!base.ok) return base
  const name = { docPath: file.docPath, path: file.path }
  const isNarrowed = refused.size > 0
  const isShown = draft.open.purpose === 'workshop' && base.value.length <= HELD_BYTES
  if (file.format === 'text' && file.log.length > 0 && (isNarrowed || !isShown)) {
    const replayed = textFormat.replay(base.value, file.log.slice(), refused, name)
    if (!replayed.ok) return replayed
    const slices = replayed.value.content
    const content = file.begin === file.disk ? slices : inline(toBytes(slices, base.value))
    return ok({
      content,
      sha256: sha256OfContent(slices, base.value),
      base: base.value,
      isNarrowed,
      warnings: replayed.value.warnings,
      lineMap: replayed.value.lineMap,
    })
  }
  if (refused.size === 0) {
    const bytes = await draftedBytes(desk, draft, file)
    if (!bytes.ok) return bytes
    const isOnBase = file.format === 'text' && file.begin === file.disk
    return ok({
      content: isOnBase ? changedRun(base.value, bytes.value) : inline(bytes.value),
      sha256: sha256Of(bytes.value),
      base: base.value,
      isNarrowed,
      ...lineMapOf(file, base.value, refused),
    })
  }
  const replayed = await engineFor(desk, file.format).replay({
    format: file.format as FormatId,
    name,
    base: base.value,
    log: file.log.slice(),
    refused,
  })
  if (!replayed.ok) return replayed
  const bytes = toBytes(replayed.value.content, base.value)
  return ok({ content: inline(bytes), sha256: sha256Of(bytes), base: base.value, isNarrowed })
}

/** Where nothing is refused, the new text is the one that the draft shows; a larger one is made of slices, and held once. */
const HELD_BYTES = 16 * 1024 * 1024

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

interface OnDisk {
  readonly sha256: Sha256 | null
  readonly read: () => Promise<Result<Uint8Array>>
}

async function currentOnDisk(desk: Desk, file: DraftFile): Promise<Result<OnDisk>> {
  const hashed = await desk.workspace.hash(file.docPath)
  if (!hashed.ok && hashed.failure.code !== 'NOT_FOUND') return nothingWritten(hashed)
  return ok({
    sha256: hashed.ok ? hashed.value.sha256 : null,
    read: async () => {
      const read = await desk.workspace.read(file.docPath, { allowPrivate: true })
      return read.ok ? ok(read.value.bytes) : read
    },
  })
}

/** Maps the changes onto what lies on disk now, where that is proven; else a conflict that says what is there. */
async function rebase(
  draft: Draft,
  file: DraftFile,
  planned: NewContent,
  current: OnDisk,
): Promise<Result<{ change: FileChange; found: Uint8Array; lineMap?: unknown }>> {
  const { docPath, path, disk } = file
  const found =
    current.sha256 === null ? 'it is gone' : `it is version ${toVersion(current.sha256)}`
  const expected = disk === null ? 'a new file' : `version ${toVersion(disk)}`
  const isWorkshop = draft.open.purpose === 'workshop'
  const since = isWorkshop
    ? `since the draft began (the draft is on ${expected}, ${found})`
    : `since this was planned (on ${expected}, ${found})`
  const details = {
    docPath,
    path,
    expected: disk,
    found: current.sha256,
    ...(current.sha256 && { version: toVersion(current.sha256) }),
  }
  if (disk === null)
    return fail(
      'CONFLICT',
      `Nothing was written: "${path}" was to be a new file, and there is a file now (${found}). Choose another name, or edit the file that is there.`,
      { details },
    )
  if (current.sha256 === null || file.format !== 'text' || file.begin !== disk) {
    const advice = isWorkshop ? AGAIN : current.sha256 === null ? MAKE_ANEW : READ_AGAIN
    return fail('CONFLICT', `Nothing was written: "${path}" changed on disk ${since}. ${advice}`, {
      details,
    })
  }
  const bytes = await current.read()
  if (!bytes.ok) return bytes
  const patch = patchOf(file, planned)
  const version = toVersion(current.sha256)
  const options = { path, version, ...(isWorkshop && { advice: AGAIN }) }
  const mapped = patch && rebaseFilePatch(planned.base, bytes.value, patch, options)
  if (!mapped)
    return fail(
      'CONFLICT',
      `Nothing was written: "${path}" changed on disk ${since}, and its change cannot be mapped by lines. ${isWorkshop ? AGAIN : READ_AGAIN}`,
      { details },
    )
  if (!mapped.ok && isReplaced(file) && !isWorkshop)
    return fail(
      'CONFLICT',
      `Nothing was written: all of "${path}" was to be replaced, and it changed on disk since then (${found}, and was ${expected}). Read it as it is now; if all of it is still to be replaced, ask for that again.`,
      { details },
    )
  if (!mapped.ok)
    return fail(mapped.failure.code, mapped.failure.message, {
      kind: mapped.failure.kind,
      errors: mapped.failure.errors,
      details: { ...details, ...mapped.failure.details },
    })
  const { content, lineMap } = mapped.value
  return ok({
    change: {
      docPath,
      path,
      base: current.sha256,
      content,
      sha256: sha256OfContent(content, bytes.value),
    },
    found: bytes.value,
    lineMap,
  })
}

function isReplaced({ log }: DraftFile): boolean {
  return log.at(0)?.operation.op === 'write_text'
}

/** One patch keeps its own changes and what they expect around them; anything else is the difference it made. */
function patchOf(file: DraftFile, planned: NewContent): LinePatch | undefined {
  const only = file.log.length === 1 ? file.log.at(0)!.operation : undefined
  const isWhole = only?.op === 'line_changes' && !planned.isNarrowed
  if (isWhole) {
    const { op: _, ...patch } = only
    return patch as unknown as LinePatch
  }
  return patchBetween(planned.base, toBytes(planned.content, planned.base))
}
