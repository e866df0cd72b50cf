import { findFormat, toWithdrawal } from '@filewright/documents'
import {
  type ChangeId,
  counted,
  type DocPath,
  type DraftConflict,
  type DraftLine,
  fail,
  type LoggedOperation,
  ok,
  type Result,
  type Sha256,
} from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import { beginBytes, type Desk } from '../draft/draft-view.ts'
import { carryOver, type Sides } from '../publish/carry-over.ts'
import { idOf } from '../review/held-files.ts'
import { closeOverDependants } from '../review/refusals.ts'
import { reviewAll, reviewFiles } from '../review/review-files.ts'
import type { ReviewedFile } from '../review/reviewed-file.ts'
import { findConflicts, type MetFile } from './find-conflicts.ts'
import { checkSides, namesOf, type Resolving } from './undecidable.ts'

export interface Resolution {
  readonly lines: readonly DraftLine[]
  readonly dropped: readonly ChangeId[]
  readonly message: string
}

/**
 * Decides conflicts of a draft. With the last one decided, the file's changes stand on what is on disk; until then a
 * change that was given up leaves the draft, which stays on its base.
 */
export async function resolveConflicts(
  desk: Desk,
  draft: Draft,
  resolving: Resolving,
): Promise<Result<Resolution>> {
  const reviewed = await reviewFiles(desk, draft)
  if (!reviewed.ok) return reviewed
  const { side } = resolving
  const named = resolving.changeIds as readonly ChangeId[]
  const broken = reviewed.value.filter(own => own.broken)
  if (broken.some(own => named.includes(idOf(own)))) return dropRefused(broken, resolving)
  const replayed = reviewed.value.filter(own => !own.broken)
  const met = await findConflicts(desk, draft, replayed)
  if (!met.ok) return met
  const chosen = met.value.filter(own => namesOf(own).some(id => named.includes(id as ChangeId)))
  const all = reviewed.value.flatMap(({ changes }) => changes)
  const given = side === 'theirs' ? chosen.flatMap(own => givenUp(own, named)) : []
  const gone = closeOverDependants(all, given).refused
  const problem = checkSides({ met: met.value, chosen, all, gone }, resolving)
  if (problem) return problem
  const lines: DraftLine[] = []
  for (const own of chosen) {
    const decided = await decide(desk, draft, own, { ...resolving, named: new Set(named), gone })
    if (!decided.ok) return decided
    lines.push(decided.value)
  }
  return ok({ lines, dropped: [...gone], message: describe(side, named) })
}

/** Operations that cannot be done again leave the draft; the rest of their files stays in it. */
function dropRefused(
  broken: readonly ReviewedFile[],
  { changeIds, side, by, time }: Resolving,
): Result<Resolution> {
  const ids = broken.map(idOf)
  const other = changeIds.find(id => !ids.includes(id as ChangeId))
  if (other !== undefined)
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was decided: ${other} is no operation that cannot be done again. Name it alone.`,
    )
  if (side === 'ours')
    return fail(
      'CONFLICT',
      `Nothing was decided: an operation that cannot be done again cannot be kept. Drop it with --theirs; the rest of the file's draft stays.`,
    )
  const dropped = changeIds as readonly ChangeId[]
  return ok({
    lines: [{ type: 'refuse', changeIds: dropped, by, time }],
    dropped,
    message: `The draft dropped ${counted(dropped.length, 'operation')}. Look at the rest of the file again: filewright review`,
  })
}

/** Edits before a deletion stay, as they do when it is refused. */
function givenUp(
  { reviewed: { file, whole, changes }, whole: met }: MetFile,
  named: readonly ChangeId[],
): readonly ChangeId[] {
  if (!met) return named.filter(id => changes.some(change => change.id === id))
  return file.isDeleted && whole ? [whole.id] : changes.map(({ id }) => id)
}

interface Decided extends Resolving {
  readonly named: ReadonlySet<ChangeId>
  readonly gone: ReadonlySet<ChangeId>
}

async function decide(
  desk: Desk,
  draft: Draft,
  met: MetFile,
  decided: Decided,
): Promise<Result<DraftLine>> {
  const { side, named, gone, by, time } = decided
  if (met.whole) {
    const { settle, bytes } = met.whole
    if (side === 'ours' && bytes) await desk.blobs.put(bytes)
    return ok({ type: 'settle', ...settle, side, by, time })
  }
  const { reviewed, inside, conflicts } = met
  const { file, changes } = reviewed
  const theirs = new Set(changes.map(({ id }) => id).filter(id => gone.has(id)))
  const isDecided = (id: string) => named.has(id as ChangeId) || theirs.has(id as ChangeId)
  const left = conflicts.filter(({ changeId }) => !isDecided(changeId))
  const changeCount = changes.length - theirs.size
  const toLine = (base: Sha256, operations: readonly LoggedOperation[]): DraftLine => {
    return { type: 'rebase', docPath: file.docPath, base, operations, changeCount, by, time }
  }
  if (left.length > 0 && changeCount > 0 && findFormat(file.format)?.has.withdraw) {
    // the draft stays where it is until every conflict is decided
    const about = { toolCallId: draft.id, index: 0, circumstances: { time, author: by, seed: 0 } }
    return ok(toLine(file.begin!, [...file.log.slice(), toWithdrawal([...theirs], about)]))
  }
  const { saved, rest } = inside!
  const onto = left.length === 0 ? ok(saved) : await ownBase(desk, met)
  if (!onto.ok) return onto
  const sides: Sides = { rest, ...(side === 'ours' ? { ours: named } : { theirs }) }
  const carried =
    changeCount === 0 ? ok({ log: [] }) : await carryOver(desk, draft, file, onto.value, sides)
  if (!carried.ok) return carried
  const line = toLine(await desk.blobs.put(onto.value.bytes), carried.value.log)
  return rest ? withPublished(desk, draft, file.docPath, line) : ok(line)
}

/** The new base has the part of the file that was published. */
async function withPublished(
  desk: Desk,
  draft: Draft,
  docPath: DocPath,
  line: DraftLine,
): Promise<Result<DraftLine>> {
  const all = await reviewAll(desk, draft)
  if (!all.ok) return all
  const own = all.value.find(({ file }) => file.docPath === docPath)
  const published = own?.changes.map(({ id }) => id).filter(id => draft.published.has(id))
  return ok({ ...line, ...(published && { published }) } as DraftLine)
}

async function ownBase(desk: Desk, { reviewed: { file } }: MetFile) {
  const bytes = await beginBytes(desk, file)
  return bytes.ok ? ok({ sha256: file.begin!, bytes: bytes.value }) : bytes
}

function describe(side: Resolving['side'], named: readonly ChangeId[]): string {
  const count = counted(named.length, 'change')
  return side === 'ours'
    ? `The draft keeps ${count}, and stands on the file as it is on disk now.`
    : `The draft gave up ${count}; the disk's side stays.`
}

/** Says what is left to decide. */
export function withLeft(message: string, left: readonly DraftConflict[]): string {
  if (left.length === 0) return message
  return `${message} Still in conflict: ${left.map(({ changeId }) => changeId).join(', ')}.`
}
