import { type FileChange, inline, ok, type Result, toBytes } from '@filewright/protocol'
import { type Draft, type DraftFile, isMadeHere } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { ChosenFile } from './choice.ts'
import { goneButChanged } from './conflicts.ts'
import type { ExpectedFile } from './expected-files.ts'
import { contentOf, type NewContent } from './new-content.ts'
import { currentOnDisk } from './on-disk.ts'
import { type DiskState, rebaseFile } from './rebase-file.ts'

/** The work on disk for one drafted file. */
export interface FilePlan {
  /** Absent when the file stays as it is on disk. */
  readonly changes: readonly FileChange[]
  /** The draft has a file here, so a move away from here deletes nothing. */
  readonly isThere: boolean
  /** The bytes on disk, when they differ from what the draft expects there. */
  readonly found?: Uint8Array
  readonly lineMap?: unknown
  readonly warnings?: readonly string[]
}

export async function planFile(
  desk: Desk,
  draft: Draft,
  { file, refused }: ChosenFile,
  expected: ExpectedFile,
): Promise<Result<FilePlan>> {
  if (file.isDeleted) return planDeletion(desk, file, expected)
  const content = await contentOf(desk, draft, file, refused)
  if (!content.ok) return content
  const isUntouched = content.value.changeCount === 0 && !isMadeHere(file) && file.log.length > 0
  if (isUntouched) return ok({ changes: [], isThere: false })
  const planned = expected.written ? standalone(content.value) : content.value
  const current = await currentOnDisk(desk, file)
  if (!current.ok) return current
  return current.value.sha256 === expected.sha256
    ? ok(planOnBase(file, planned, expected))
    : planElsewhere(desk, draft, file, planned, { current: current.value, expected })
}

/** Independent of the original base, which is not on disk any more. */
function standalone(planned: NewContent): NewContent {
  return { ...planned, content: inline(toBytes(planned.content, planned.base)) }
}

async function planDeletion(
  desk: Desk,
  file: DraftFile,
  expected: ExpectedFile,
): Promise<Result<FilePlan>> {
  const found = await currentOnDisk(desk, file)
  if (!found.ok) return found
  const { sha256 } = found.value
  if (sha256 !== null && sha256 !== expected.sha256)
    return goneButChanged('deleted', file, expected, sha256)
  return ok({ changes: [toDeletion(file, expected)], isThere: false })
}

export function toDeletion({ docPath, path }: DraftFile, { sha256 }: ExpectedFile): FileChange {
  return { docPath, path, base: sha256, content: null, sha256: null }
}

/** The disk has what the draft expects. */
function planOnBase(file: DraftFile, planned: NewContent, expected: ExpectedFile): FilePlan {
  const { docPath, path, origin } = file
  const { content, sha256, base, lineMap, warnings } = planned
  const isMoved = origin && !expected.written
  const isAsItWas = sha256 === expected.sha256 && !isMoved && path === expected.path
  if (isAsItWas) return { changes: [], isThere: true }
  const like = isMoved && { like: origin.like }
  const change: FileChange = { docPath, path, base: expected.sha256, content, sha256, ...like }
  return { changes: spelled(file, change, base, expected), isThere: true, lineMap, warnings }
}

/** The disk has changed since the draft began, or since a part of it was published. */
async function planElsewhere(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  planned: NewContent,
  disk: DiskState,
): Promise<Result<FilePlan>> {
  const { current, expected } = disk
  const isDone = draft.open.purpose === 'workshop' && planned.sha256 === current.sha256
  if (isDone && file.path === expected.path) return ok({ changes: [], isThere: true })
  const rebased = await rebaseFile(desk, draft, file, planned, disk)
  if (!rebased.ok) return rebased
  const { change, found, lineMap } = rebased.value
  return ok({ changes: spelled(file, change, found, expected), isThere: true, found, lineMap })
}

/** A respelled name is a new file in place of the old one: a disk that folds case keeps the name it has. */
function spelled(
  { docPath, path, diskPath }: DraftFile,
  change: FileChange,
  base: Uint8Array,
  expected: ExpectedFile,
): readonly FileChange[] {
  const isNamedSo = diskPath === undefined || path === expected.path
  if (isNamedSo || change.content === null) return [change]
  const content = inline(toBytes(change.content, base))
  return [
    { docPath, path: diskPath, base: change.base, content: null, sha256: null },
    { like: diskPath, ...change, base: null, content },
  ]
}
