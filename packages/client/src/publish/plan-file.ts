import {
  type ChangeId,
  type FileChange,
  inline,
  ok,
  type Result,
  toBytes,
} from '@filewright/protocol'
import { type Draft, type DraftFile, isMadeHere } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { goneButChanged } from './conflicts.ts'
import { contentOf, type NewContent } from './new-content.ts'
import { currentOnDisk, type OnDisk } from './on-disk.ts'
import { rebaseFile } from './rebase-file.ts'

/** The part of a draft to publish. */
export interface Choice {
  readonly files: readonly ChosenFile[]
  /** With its file and place. */
  readonly refused: ReadonlyMap<ChangeId, string>
  /** Dropped with a refused change. */
  readonly dropped: readonly ChangeId[]
}

/** A file of the draft to publish, without its refused changes. */
export interface ChosenFile {
  readonly file: DraftFile
  readonly refused: ReadonlySet<ChangeId>
  /** It came from there, and leaves nothing behind. */
  readonly leaves?: DraftFile
}

/** The work on disk for one drafted file. */
export interface FilePlan {
  /** Absent when the file stays as it is on disk. */
  readonly changes: readonly FileChange[]
  /** The draft has a file here, so a move away from here deletes nothing. */
  readonly isThere: boolean
  /** The bytes on disk, when they differ from the draft's base. */
  readonly found?: Uint8Array
  readonly lineMap?: unknown
  readonly warnings?: readonly string[]
}

export async function planFile(
  desk: Desk,
  draft: Draft,
  { file, refused }: ChosenFile,
): Promise<Result<FilePlan>> {
  if (file.isDeleted) return planDeletion(desk, file)
  const content = await contentOf(desk, draft, file, refused)
  if (!content.ok) return content
  const isUntouched = content.value.changeCount === 0 && !isMadeHere(file) && file.log.length > 0
  if (isUntouched) return ok({ changes: [], isThere: false })
  const current = await currentOnDisk(desk, file)
  if (!current.ok) return current
  return current.value.sha256 === file.disk
    ? ok(planOnBase(file, content.value))
    : planElsewhere(desk, draft, file, content.value, current.value)
}

async function planDeletion(desk: Desk, file: DraftFile): Promise<Result<FilePlan>> {
  const found = await currentOnDisk(desk, file)
  if (!found.ok) return found
  const { sha256 } = found.value
  if (sha256 !== null && sha256 !== file.disk) return goneButChanged('deleted', file, sha256)
  return ok({ changes: [toDeletion(file)], isThere: false })
}

export function toDeletion({ docPath, path, disk }: DraftFile): FileChange {
  return { docPath, path, base: disk, content: null, sha256: null }
}

/** The disk still has the draft's base. */
function planOnBase(file: DraftFile, planned: NewContent): FilePlan {
  const { docPath, path, disk, origin, diskPath } = file
  const { content, sha256, base, lineMap, warnings } = planned
  const isAsItWas = sha256 === disk && !origin && diskPath === undefined
  if (isAsItWas) return { changes: [], isThere: true }
  const like = origin && { like: origin.like }
  const change: FileChange = { docPath, path, base: disk, content, sha256, ...like }
  return { changes: spelled(file, change, base), isThere: true, lineMap, warnings }
}

/** The disk has changed since the draft began. */
async function planElsewhere(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  planned: NewContent,
  current: OnDisk,
): Promise<Result<FilePlan>> {
  const isDone = draft.open.purpose === 'workshop' && planned.sha256 === current.sha256
  if (isDone && file.diskPath === undefined) return ok({ changes: [], isThere: true })
  const rebased = await rebaseFile(desk, draft, file, planned, current)
  if (!rebased.ok) return rebased
  const { change, found, lineMap } = rebased.value
  return ok({ changes: spelled(file, change, found), isThere: true, found, lineMap })
}

/** A respelled name is a new file in place of the old one: a disk that folds case keeps the name it has. */
function spelled(file: DraftFile, change: FileChange, base: Uint8Array): readonly FileChange[] {
  const { docPath, diskPath } = file
  if (diskPath === undefined || change.content === null) return [change]
  const content = inline(toBytes(change.content, base))
  return [
    { docPath, path: diskPath, base: change.base, content: null, sha256: null },
    { like: diskPath, ...change, base: null, content },
  ]
}
