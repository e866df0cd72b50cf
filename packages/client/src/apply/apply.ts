import {
  type Applied,
  type ChangeSet,
  type ChangeSetId,
  type Failure,
  fail,
  ok,
  type RelativePath,
  type Result,
} from '@filewright/protocol'
import { type FileAttributes, inodeOf, isErrno } from '../workspace/paths/folder.ts'
import type { Tree } from '../workspace/paths/local-path.ts'
import { writeAtOnce } from './at-once.ts'
import { createBaseCopies, heldBases } from './base-copies.ts'
import { toWantedSet, type WantedSet } from './change-set.ts'
import type { Displaced } from './checkpoints.ts'
import { ApplyStop, about, toApplyFailure } from './failures.ts'
import { finish } from './finish.ts'
import { syncFolders } from './folders.ts'
import { sideBySide } from './in-turn.ts'
import type { ApplyJournal, Commit, Intent, Pair } from './journal.ts'
import { toWarning } from './late.ts'
import { compareBases, type Plan, type PlannedFile, planApply, toIntent } from './plan.ts'
import type { ApplyCode, ApplyPorts, ApplyResult, Recovery } from './ports.ts'
import { readBack, SpoiltFile } from './read-back.ts'
import { recoverUnfinished } from './recover/recover.ts'
import { takeBack } from './recover/take-back.ts'
import { type Staged, type StagedFiles, type StagePorts, stageAll } from './stage.ts'
import { type Swapped, swapAll } from './swap.ts'

/**
 * Writes a change set, all or none. Every base is compared by hash; new bytes are staged next to their targets and made
 * durable; the journal then says what is about to happen, the files are swapped, read back, and the journal decides.
 * A failure before that takes everything back; a crash is finished or undone by `recover` at the next start.
 */
export async function apply(changeSet: ChangeSet, ports: ApplyPorts): ApplyResult {
  const wanted = toWantedSet(changeSet)
  return wanted.ok ? applyWanted(wanted.value, ports) : wanted
}

/** Shared with `undo`, whose content comes from a checkpoint. */
export function applyWanted(set: WantedSet, ports: ApplyPorts): ApplyResult {
  return inTurn(ports.journal, () => applyNow(set, ports))
}

async function applyNow(set: WantedSet, ports: ApplyPorts): ApplyResult {
  let tree: Tree | undefined
  try {
    await finishEarlier(ports)
    tree = await ports.workspace.openTree()
    const token = ports.randomHex(16)
    const plan = await planApply(set, tree, token)
    const time = ports.now()
    const order = await ports.journal.nextOrder(time)
    const intent = toIntent(set, plan, { token, time, order })
    await begin(plan, intent, ports.journal)
    const { atOnce } = ports.workspace
    if (atOnce) return await writeAtOnce(plan, intent, atOnce, ports)
    return await write(plan, intent, tree, ports)
  } catch (error) {
    return { ok: false, failure: toApplyFailure(error) }
  } finally {
    tree?.close()
  }
}

async function write(
  plan: Plan,
  intent: Intent,
  tree: Tree,
  ports: ApplyPorts,
): Promise<Result<Applied, ApplyCode>> {
  const { journal, checkpoints, now } = ports
  const { changeSetId } = intent
  let renames = false
  const noteRenames = async () => {
    await journal.noteRenames(changeSetId)
    renames = true
  }
  let pairs: readonly Pair[] = []
  const note = async (staged: Staged) => {
    const found = await findPairs(plan, staged, tree)
    if (found.length > 0) await journal.notePairs(changeSetId, found)
    pairs = found
  }
  const done: Swapped = { moved: new Map(), shown: new Set() }
  let commit: Commit
  try {
    const staging = { tree, checkpoints, note }
    const { staged, warnings: lost } = await keepAndStage(plan, changeSetId, staging)
    const mayExchange = pairs.length > 0
    await swapAll(plan.files, intent, { tree, checkpoints, noteRenames, mayExchange, done })
    const fresh = await ports.workspace.openTree()
    const back = readBack(plan.files, staged, { tree, fresh })
    await sideBySide(back, syncFolders(tree, intent), checkpoints.sync()).finally(() =>
      fresh.close(),
    )
    const { sizes, warnings } = await back
    commit = toCommit(plan, intent, sizes, [...lost, ...warnings])
    await journal.commit(commit)
  } catch (error) {
    const displaced = await takeBack(intent, {
      tree,
      checkpoints,
      now,
      renames,
      pairs,
      noteRenames,
      spoilt: new Set(error instanceof SpoiltFile ? [error.index] : []),
      shown: basesOf(plan, done.shown),
    }).catch(trouble => stopHalfWay(trouble, error))
    await journal.end(changeSetId, { durable: true })
    return { ok: false, failure: withDisplaced(toApplyFailure(error), displaced) } // a bug is rethrown once everything is taken back
  }
  try {
    const { moved } = done
    const { applied } = await finish(intent, commit, { tree, checkpoints, now, pairs, moved })
    await journal.end(changeSetId, { durable: false })
    return ok(applied)
  } catch (error) {
    if (!isErrno(error)) throw error
    return ok(withPendingCleanUp(commit)) // it is decided, and stays in the journal
  }
}

/** The bases are copied while the new files are written. */
async function keepAndStage(
  plan: Plan,
  changeSetId: ChangeSetId,
  { checkpoints, ...ports }: Omit<StagePorts, 'copies'> & Pick<ApplyPorts, 'checkpoints'>,
): Promise<StagedFiles> {
  const keeping = about('the checkpoint', checkpoints.keepBases(changeSetId, heldBases(plan)))
  const copies = createBaseCopies(checkpoints, changeSetId)
  const staging = stageAll(plan.files, { ...ports, copies })
  await sideBySide(staging, keeping)
  return staging
}

/** The files that may be exchanged; none where that is never possible. */
async function findPairs({ files }: Plan, staged: Staged, tree: Tree): Promise<Pair[]> {
  const replaced = files.filter(({ status, index }) => status !== null && staged.has(index))
  if (replaced.length === 0 || !(await (await tree.folder('')).mayExchange())) return []
  return replaced.map(({ index, status }) => ({
    index,
    staged: inodeOf(staged.get(index)!),
    base: inodeOf(status!),
  }))
}

async function finishEarlier(ports: ApplyPorts): Promise<void> {
  if ((await ports.journal.unfinished()).length === 0) return
  const { warnings } = await recoverUnfinished(ports)
  if ((await ports.journal.unfinished()).length === 0) return
  throw new ApplyStop(
    fail('WRITE_FAILED', `Nothing was written: ${warnings[0]}`, { errors: warnings }),
  )
}

/** Compares the bases while the disk stores the intent. A changed base is reported first. */
async function begin(plan: Plan, intent: Intent, journal: ApplyJournal): Promise<void> {
  try {
    await sideBySide(compareBases(plan.files), about('the journal', journal.intend(intent)))
  } catch (error) {
    // the journal notes, if it can, that it had no effect
    await journal.end(intent.changeSetId, { durable: false }).catch(() => {})
    throw error
  }
}

function basesOf({ files }: Plan, indices: ReadonlySet<number>): Map<number, Uint8Array> {
  const held = files.filter(({ index, base }) => base !== null && indices.has(index))
  return new Map(held.map(({ index, base }) => [index, base!]))
}

/** The journal keeps it open: the next apply or start tries again before anything else. */
function stopHalfWay(trouble: unknown, error: unknown): never {
  const failure = toApplyFailure(error)
  const why = toApplyFailure(trouble)
  throw new ApplyStop(
    fail(
      'WRITE_FAILED',
      `The change set failed and is not completely taken back yet: some files may be missing or new. Nothing is lost; the next apply or start finishes it, once the disk allows it.`,
      { errors: [failure.message, why.message], details: { ...why.details, isTakenBack: false } },
    ),
  )
}

function withDisplaced(
  failure: Failure<ApplyCode>,
  displaced: readonly Displaced[],
): Failure<ApplyCode> {
  if (displaced.length === 0) return failure
  const errors = [...failure.errors, ...displaced.map(toWarning)]
  return { ...failure, errors, details: { ...failure.details, displaced } }
}

function withPendingCleanUp({ changeSetId, files, warnings }: Commit): Applied {
  const pending =
    'All files are written, but the old ones are not in the checkpoint yet. The next apply or start puts them there.'
  return { changeSetId, files, warnings: [...warnings, pending] }
}

function toCommit(
  plan: Plan,
  { changeSetId, files }: Intent,
  sizes: ReadonlyMap<number, number>,
  warnings: readonly string[],
): Commit {
  return {
    changeSetId,
    files: files.map(({ docPath, path, base, sha256 }, index) => ({
      docPath,
      ...namesOf(path, plan.files[index]!),
      before: base,
      after: sha256,
      sizeBytes: sizes.get(index) ?? 0,
      ...lostAttributes(plan.files[index]!),
    })),
    warnings: [...plan.warnings, ...warnings],
  }
}

/** Set for a file that was deleted, or that took the permissions and owner of another. */
function lostAttributes({ wanted, status, attributes }: PlannedFile): Partial<FileAttributes> {
  if (!status || (wanted.sha256 !== null && !attributes)) return {}
  const { mode, uid, gid } = status
  return { mode: mode & 0o777, uid, gid }
}

/** A file reached through a link is named by the link, as the caller named it. */
function namesOf(path: RelativePath, { link }: PlannedFile) {
  return link === undefined ? { path } : { path: link, realPath: path }
}

/** At start, before anything else: see `recoverUnfinished`. */
export function recover(ports: ApplyPorts): Promise<Recovery> {
  return inTurn(ports.journal, () => recoverUnfinished(ports))
}

const turns = new WeakMap<ApplyJournal, Promise<unknown>>()

/** One apply at a time per journal: two would mistake each other's files for an editor's. */
function inTurn<Value>(journal: ApplyJournal, step: () => Promise<Value>): Promise<Value> {
  const turn = (turns.get(journal) ?? Promise.resolve()).then(step, step)
  turns.set(journal, turn)
  return turn
}
