import {
  type Change,
  type ChangeId,
  type ChangeSide,
  type DraftConflict,
  type Failure,
  ok,
  type Result,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { Desk } from '../draft/draft-view.ts'
import { carryOver, findSaved, type SavedFile, type Sides } from '../publish/carry-over.ts'
import { type ExpectedFile, expectedFiles } from '../publish/expected-files.ts'
import { neededBy } from '../review/refusals.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import { type FileConflict, findFileConflict, replacedBy } from './file-conflict.ts'

/** A file of the draft as somebody else saved it, and what of the draft meets what they did. */
export interface MetFile {
  readonly reviewed: ReviewedFile
  readonly conflicts: readonly DraftConflict[]
  /** The file itself is in conflict: it is decided as a whole. */
  readonly whole?: FileConflict
  /** Otherwise each change in conflict is. */
  readonly inside?: { readonly saved: SavedFile; readonly rest?: Sides['rest'] }
}

export async function findConflicts(
  desk: Desk,
  draft: Draft,
  files: readonly ReviewedFile[],
): Promise<Result<readonly MetFile[]>> {
  const met: MetFile[] = []
  const expected = await expectedFiles(desk, draft)
  if (!expected.ok) return expected
  for (const reviewed of files) {
    const whole = await findFileConflict(desk, draft, reviewed, expected.value)
    if (!whole.ok) return whole
    const own = whole.value
      ? ok(decidedWhole(reviewed, whole.value))
      : await findInside(desk, draft, reviewed, expected.value(reviewed.file))
    if (!own.ok) return own
    if (own.value) met.push(own.value)
  }
  return ok(met)
}

function decidedWhole(reviewed: ReviewedFile, whole: FileConflict): MetFile {
  return { reviewed, conflicts: [whole.conflict], whole }
}

async function findInside(
  desk: Desk,
  draft: Draft,
  reviewed: ReviewedFile,
  expected: ExpectedFile,
): Promise<Result<MetFile | undefined>> {
  const saved = await findSaved(desk, reviewed.file, expected)
  if (!saved.ok || !saved.value) return saved as Result<undefined>
  const { written } = expected
  const rest = written && { written, changes: reviewed.changes }
  const inside: Inside = { saved: saved.value, ...(rest && { rest }) }
  const conflicts = await conflictsOf(desk, draft, reviewed, inside)
  return ok(
    conflicts === 'replaced'
      ? decidedWhole(reviewed, replacedBy(reviewed, saved.value.sha256, rest !== undefined))
      : { reviewed, conflicts, inside },
  )
}

type Inside = NonNullable<MetFile['inside']>

/** `replaced`: the bytes on disk cannot be read as a file of its kind. */
async function conflictsOf(
  desk: Desk,
  draft: Draft,
  reviewed: ReviewedFile,
  inside: Inside,
): Promise<DraftConflict[] | 'replaced'> {
  const { file } = reviewed
  const { saved, rest } = inside
  const carried = await carryOver(desk, draft, file, saved, { rest })
  if (carried.ok) return []
  if (carried.failure.code !== 'CONFLICT') return 'replaced'
  const named = namedIn(carried.failure, reviewed.changes)
  if (named.length === 0) {
    const alone = await oneByOne(desk, draft, reviewed, inside)
    return alone.length > 0 ? alone : together(desk, draft, reviewed, inside, carried.failure)
  }
  const ours = new Set(named.map(({ changeId }) => changeId as ChangeId))
  const kept = await carryOver(desk, draft, file, saved, { rest, ours })
  const lost = kept.ok ? [] : namedIn(kept.failure, reviewed.changes)
  const isLost = (id: string) => lost.some(({ changeId }) => changeId === id)
  const { docPath, path } = file
  return named.map(own => ({ ...own, docPath, path, choices: choicesOf(!isLost(own.changeId)) }))
}

function choicesOf(canKeep: boolean): DraftConflict['choices'] {
  const theirs = "the disk's side stays, and the change leaves the draft"
  return canKeep ? { theirs, ours: "the draft's change replaces it" } : { theirs }
}

/** A format that knows its changes says which are in conflict. */
function namedIn({ details, errors }: Failure, changes: readonly Change[]) {
  const known = new Set<string>(changes.map(({ id }) => id))
  const conflicts = (details?.conflicts ?? []) as readonly { readonly changeId?: string }[]
  return conflicts.flatMap(({ changeId }, index) =>
    changeId === undefined || !known.has(changeId)
      ? []
      : [{ changeId, message: errors[index] ?? changeId }],
  )
}

/** Otherwise each change is tried by itself, with those that it needs. */
async function oneByOne(
  desk: Desk,
  draft: Draft,
  { file, changes }: ReviewedFile,
  { saved, rest }: Inside,
): Promise<DraftConflict[]> {
  const conflicts: DraftConflict[] = []
  for (const change of changes) {
    const needed = new Set<ChangeId>([change.id, ...neededBy(changes, [change.id])])
    const theirs = new Set(changes.map(({ id }) => id).filter(id => !needed.has(id)))
    const carried = await carryOver(desk, draft, file, saved, { theirs, rest })
    if (carried.ok) continue
    const ours = new Set([change.id])
    const kept = await carryOver(desk, draft, file, saved, { theirs, rest, ours })
    const { docPath, path } = file
    conflicts.push({
      changeId: change.id,
      docPath,
      path,
      message: inWords(change, carried.failure),
      choices: choicesOf(kept.ok),
    })
  }
  return conflicts
}

/** Each could be carried over by itself, and all of them cannot. */
async function together(
  desk: Desk,
  draft: Draft,
  { file, changes }: ReviewedFile,
  { saved, rest }: Inside,
  failure: Failure,
): Promise<DraftConflict[]> {
  const ours = new Set(changes.map(({ id }) => id))
  const kept = await carryOver(desk, draft, file, saved, { rest, ours })
  const { docPath, path } = file
  return changes.map(change => ({
    changeId: change.id,
    docPath,
    path,
    message: inWords(change, failure),
    choices: choicesOf(kept.ok),
  }))
}

interface MetLines {
  readonly current?: { readonly firstLine: number; readonly lines: readonly string[] }
}

function inWords({ place, after }: Change, { errors, details, message }: Failure): string {
  const [met] = (details?.conflicts ?? []) as readonly MetLines[]
  if (!met?.current)
    return `${place}: ${(errors[0] ?? message).replace(/^Nothing was written: /, '').trim()}`
  const { firstLine, lines } = met.current
  return `${place}: the draft has ${show(after)}, and the disk from line ${firstLine} on ${show({ lines })}`
}

const MOST_LINES = 8
const MOST = 300 // characters

function show(side: ChangeSide | null): string {
  const lines = side?.lines ?? []
  if (lines.length === 0) return 'nothing'
  const text = lines.slice(0, MOST_LINES).join('\n')
  const isCut = lines.length > MOST_LINES || text.length > MOST
  return JSON.stringify(`${text.slice(0, MOST)}${isCut ? '…' : ''}`)
}
