import { editedAs, findFormat } from '@filewright/documents'
import {
  counted,
  type DraftConflict,
  type DraftLine,
  type LoggedOperation,
  ok,
  type Result,
  type Sha256,
  toVersion,
} from '@filewright/protocol'
import { type Draft, type DraftFile, isMadeHere, isRespelled } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { recognise } from '../draft/recognise.ts'
import { mayFollow } from '../draft/refuse-key-file.ts'
import { carryOver, type SavedFile } from '../publish/carry-over.ts'
import type { Expected, ExpectedFile } from '../publish/expected-files.ts'
import { contentOf } from '../publish/new-content.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'

type SettleLine = Extract<DraftLine, { type: 'settle' }>

/** A file that was created, deleted, moved or replaced on disk in a way that no change inside it can follow. */
export interface FileConflict {
  readonly conflict: DraftConflict
  /** What either side means, for the draft's log. */
  readonly settle: Pick<SettleLine, 'docPath' | 'disk' | 'source'>
  /** The bytes on disk that the line names; a review of the draft's side shows what it replaces. */
  readonly bytes?: Uint8Array
}

/** Undefined: the file is where the draft expects it, and of its kind. */
export async function findFileConflict(
  desk: Desk,
  draft: Draft,
  reviewed: ReviewedFile,
  expected: Expected,
): Promise<Result<FileConflict | undefined>> {
  const { file } = reviewed
  const known = expected(file)
  const source = known.written ? undefined : movedFrom(file)
  if (source) {
    const met = await meetAtSource(desk, draft, reviewed, { source, known: expected(source) })
    if (!met.ok || met.value) return met
  }
  const now = await lookAt(desk, file, known)
  if (now.sha256 === known.sha256 && !now.other) return ok(undefined)
  const words = await describe(desk, draft, reviewed, known, now)
  if (!words) return ok(undefined)
  const conflict =
    words === 'replaced'
      ? replacedBy(reviewed, now.sha256!, known.written !== undefined)
      : toConflict(reviewed, words, { docPath: file.docPath, disk: now.sha256 })
  return ok({ ...conflict, ...(now.bytes && { bytes: now.bytes }) })
}

function movedFrom(file: DraftFile): DraftFile | undefined {
  return isRespelled(file) ? undefined : file.origin?.source
}

interface Place {
  readonly sha256: Sha256 | null
  readonly bytes?: Uint8Array
  /** Something that is no file, such as a folder; in words. */
  readonly other?: string
}

async function lookAt(desk: Desk, { docPath }: DraftFile, known: ExpectedFile): Promise<Place> {
  const { workspace } = desk
  const hashed = await workspace.hash(docPath)
  if (hashed.ok && hashed.value.sha256 === known.sha256) return { sha256: known.sha256 }
  const read = await workspace.read(docPath, { allowPrivate: mayFollow(desk, docPath) })
  if (read.ok) return { sha256: read.value.sha256, bytes: read.value.bytes }
  const { code, message, details } = read.failure
  const isFree = code === 'NOT_FOUND' && details?.folder === undefined
  return isFree ? { sha256: null } : { sha256: null, other: message }
}

interface Words {
  readonly message: string
  readonly theirs: string
  /** Absent: the draft's side is not possible. */
  readonly ours?: string
}

/** Undefined where changes inside the file may follow it, or where the disk has what the draft would write. */
async function describe(
  desk: Desk,
  draft: Draft,
  reviewed: ReviewedFile,
  known: ExpectedFile,
  now: Place,
): Promise<Words | 'replaced' | undefined> {
  const { file } = reviewed
  const theirs = leaving(reviewed)
  if (now.other) return { message: `the place is no file now: ${now.other}`, theirs }
  const version = now.sha256 && `version ${toVersion(now.sha256)}`
  if (file.isDeleted) {
    if (now.sha256 === null) return undefined
    const message = `the draft deletes it, and it was changed on disk meanwhile (${version})`
    return { message, theirs: 'the file stays', ours: 'the file is deleted as it is now' }
  }
  if (now.sha256 === null) {
    const message = 'the draft changes it, and it was deleted on disk meanwhile'
    const ours = "the file is written again, with the draft's changes"
    return { message, theirs, ...(!known.written && { ours }) }
  }
  if (await isWhatIsWritten(desk, draft, file, now)) return undefined
  if (known.sha256 === null) {
    const message = `the draft ${arrivalOf(file)}, and there is a file now (${version})`
    return { message, theirs, ours: "the draft's file replaces it" }
  }
  return isFollowed(file, now) ? undefined : 'replaced'
}

function arrivalOf({ origin, copyOf }: DraftFile): string {
  if (origin?.how === 'move') return `moves ${origin.fromPath} here`
  if (origin?.how === 'export') return `exports ${origin.fromPath} here`
  return origin || copyOf ? 'copies a file here' : 'creates this file'
}

async function isWhatIsWritten(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  { sha256 }: Place,
): Promise<boolean> {
  const content = await contentOf(desk, draft, file, new Set())
  return content.ok && content.value.sha256 === sha256
}

/** A file of the same kind: its changes may be carried over, each by itself. */
function isFollowed(file: DraftFile, { bytes }: Place): boolean {
  const { docPath, format, begin, disk } = file
  const isPlain = (!isMadeHere(file) || isRespelled(file)) && begin === disk
  if (!isPlain || !bytes || !findFormat(format)?.has.rebase) return false
  const found = recognise(docPath, bytes).format
  return found !== undefined && editedAs(found) === format
}

/** The file that the draft moves away was changed or deleted at its original place. */
async function meetAtSource(
  desk: Desk,
  draft: Draft,
  reviewed: ReviewedFile,
  { source, known }: { readonly source: DraftFile; readonly known: ExpectedFile },
): Promise<Result<FileConflict | undefined>> {
  const { file } = reviewed
  const now = await lookAt(desk, source, known)
  if (now.sha256 === known.sha256 && !now.other) return ok(undefined)
  const settle = { docPath: file.docPath, disk: file.disk }
  const from = `the draft moves ${source.path} here, and that file was`
  if (now.other || now.sha256 === null)
    return ok(
      toConflict(
        reviewed,
        {
          message: `${from} deleted or replaced on disk meanwhile`,
          theirs: 'nothing is moved, and the file leaves the draft',
          ...(!now.other && { ours: 'the file is written here, as the draft has it' }),
        },
        { ...settle, source: { disk: null } },
      ),
    )
  const saved = { sha256: now.sha256, bytes: now.bytes! }
  const operations = await followSource(desk, draft, file, saved)
  const version = toVersion(now.sha256)
  const words: Words = {
    message: `${from} changed on disk meanwhile (version ${version})`,
    theirs: 'the file stays where it is on disk',
    ...(operations && { ours: 'the file is moved as it is now' }),
  }
  const met = { ...settle, source: { disk: now.sha256, ...(operations && { operations }) } }
  return ok({ ...toConflict(reviewed, words, met), bytes: saved.bytes })
}

/** The moved file's edits on the bytes that are at its original place now; undefined where that is not proven. */
async function followSource(
  desk: Desk,
  draft: Draft,
  file: DraftFile,
  saved: SavedFile,
): Promise<readonly LoggedOperation[] | undefined> {
  if (file.log.length === 0) return []
  if (!findFormat(file.format)?.has.rebase) return undefined
  const carried = await carryOver(desk, draft, file, saved)
  return carried.ok ? carried.value.log : undefined
}

/** Nothing of the draft's file can be carried over to what is there now, such as bytes of another kind. */
export function replacedBy(reviewed: ReviewedFile, disk: Sha256, isPart: boolean): FileConflict {
  const words = {
    message: `it was replaced on disk meanwhile by a file that none of its changes can follow (version ${toVersion(disk)})`,
    theirs: leaving(reviewed),
    ...(!isPart && { ours: "the draft's file replaces it" }),
  }
  return toConflict(reviewed, words, { docPath: reviewed.file.docPath, disk })
}

function leaving({ changes }: ReviewedFile): string {
  const one = changes.length === 1
  return `what is on disk stays, and ${counted(changes.length, 'change')} ${one ? 'leaves' : 'leave'} the draft`
}

function toConflict(
  { file, whole, changes }: ReviewedFile,
  { message, theirs, ours }: Words,
  settle: FileConflict['settle'],
): FileConflict {
  const { docPath, path } = file
  const changeId = (whole ?? changes[0]!).id
  const choices = { theirs, ...(ours && { ours }) }
  return { conflict: { changeId, docPath, path, message, isFile: true, choices }, settle }
}
