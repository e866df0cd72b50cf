import {
  type Applied,
  type Content,
  fail,
  ok,
  type RelativePath,
  type Result,
  type Sha256,
} from '@filewright/protocol'
import { isErrno, type OpenFile, readPieces } from '../workspace/paths/folder.ts'
import type { MovedFile, WritesAtOnce } from '../workspace/tree/workspace.ts'
import { isKept } from './change-set.ts'
import type { Checkpoint } from './checkpoints.ts'
import { ApplyStop, about, conflict, toApplyFailure } from './failures.ts'
import { forEachInTurn } from './in-turn.ts'
import type { Commit, Intent } from './journal.ts'
import type { Plan, PlannedFile } from './plan.ts'
import type { ApplyCode, ApplyPorts } from './ports.ts'

/**
 * Writes a change set where one step makes all of it the state of the files. New bytes are put first; then the step
 * happens or not, and the journal need not decide anything: a later start asks whether it happened. Old versions stay
 * in the store, so the checkpoint is a record without bytes.
 */
export async function writeAtOnce(
  plan: Plan,
  intent: Intent,
  atOnce: WritesAtOnce,
  ports: ApplyPorts,
): Promise<Result<Applied, ApplyCode>> {
  const { journal } = ports
  const { changeSetId } = intent
  let moves: readonly MovedFile[]
  try {
    moves = await putAll(plan.files, atOnce)
    await moveAll(intent, moves, atOnce)
  } catch (error) {
    const failure = toApplyFailure(error) // anything else leaves it open whether the change set happened
    await journal.end(changeSetId, { durable: true })
    return { ok: false, failure }
  }
  const commit = toCommit(intent, moves, plan.warnings)
  try {
    await ports.checkpoints.record(toCheckpoint(intent, commit))
    await journal.end(changeSetId, { durable: false })
  } catch (error) {
    if (!isErrno(error)) throw error
    const pending =
      'All files are written, but their checkpoint is not recorded yet. The next apply or start records it.'
    return ok({ ...commit, warnings: [...commit.warnings, pending] })
  }
  return ok(commit)
}

/** What a crash left open: undefined when the change set did not happen. */
export async function finishAtOnce(
  intent: Intent,
  atOnce: WritesAtOnce,
  { checkpoints }: Pick<ApplyPorts, 'checkpoints'>,
): Promise<Applied | undefined> {
  const moved = await atOnce.moved(intent.changeSetId)
  if (!moved) return undefined
  const commit = toCommit(intent, moved, [])
  await checkpoints.record(toCheckpoint(intent, commit))
  return commit
}

async function moveAll(
  { changeSetId }: Intent,
  moves: readonly MovedFile[],
  atOnce: WritesAtOnce,
): Promise<void> {
  const moved = await atOnce.move(changeSetId, moves)
  if (moved.ok) return
  if (moved.failure.code === 'NOT_FOUND')
    throw new Error(`The store lost bytes that were put for ${changeSetId}`)
  const found = (moved.failure.details?.moved ?? []) as readonly Pick<
    MovedFile,
    'docPath' | 'sha256'
  >[]
  throw new ApplyStop(
    conflict(
      found.map(({ docPath, sha256 }) => {
        const { path, expected } = moves.find(move => move.docPath === docPath)!
        return { docPath, path, expected, found: sha256, why: 'changed since it was read' }
      }),
    ),
  )
}

/** A file that only gets a new spelling is deleted and created in the change set, and moves once. */
async function putAll(
  files: readonly PlannedFile[],
  atOnce: WritesAtOnce,
): Promise<readonly MovedFile[]> {
  const moves = new Map<string, MovedFile>()
  await forEachInTurn(files, async file => {
    const { docPath, base, sha256 } = file.wanted
    const sizeBytes = await about(file.path, putOne(file, atOnce))
    const other = moves.get(docPath)
    const gone = sha256 === null && other ? other : undefined
    const expected = base ?? other?.expected ?? null
    const fresh = { docPath, path: file.path, expected, sha256, sizeBytes }
    moves.set(docPath, gone ? { ...gone, expected } : fresh)
  })
  return [...moves.values()]
}

async function putOne(file: PlannedFile, atOnce: WritesAtOnce): Promise<number> {
  const { content, sha256, base } = file.wanted
  if (content === null || sha256 === null) return 0
  if (isKept(content)) {
    const known = await atOnce.sizeOf(sha256)
    if (known !== undefined) return known
    const kept = await content.open()
    return put(file, readCopies(kept), sha256, atOnce).finally(() => kept.close())
  }
  const old = base === null || file.base ? undefined : await atOnce.open(base)
  return put(file, slicesOf(file, content, old), sha256, atOnce).finally(() => old?.close())
}

async function put(
  { path }: PlannedFile,
  pieces: AsyncIterable<Uint8Array>,
  sha256: Sha256,
  atOnce: WritesAtOnce,
): Promise<number> {
  const stored = await atOnce.put(pieces)
  if (stored.sha256 !== sha256)
    throw new ApplyStop(
      fail(
        'WRITE_FAILED',
        `Nothing was written: the new content of "${path}" is not what its hash promises.`,
      ),
    )
  return stored.sizeBytes
}

async function* slicesOf(
  { path, base }: PlannedFile,
  content: Content,
  old: OpenFile | null | undefined,
): AsyncGenerator<Uint8Array> {
  const oldBytes = base?.length ?? old?.status.sizeBytes ?? 0
  for (const slice of content) {
    if (slice.from === 'inline') yield slice.bytes
    else if (slice.end > oldBytes) throw beyondBase(path, oldBytes)
    else if (base) yield base.subarray(slice.start, slice.end)
    else yield* readCopies(old!, slice.start, slice.end)
  }
}

/** The buffer of a piece is used again for the next, and a store may still be sending the first. */
async function* readCopies(
  file: OpenFile,
  start?: number,
  end?: number,
): AsyncGenerator<Uint8Array> {
  for await (const piece of readPieces(file, start, end)) yield piece.slice()
}

function beyondBase(path: RelativePath, sizeBytes: number): ApplyStop {
  return new ApplyStop(
    fail(
      'INVALID_ARGUMENT',
      `Nothing was written: the change to "${path}" takes bytes past its end, at ${sizeBytes}.`,
    ),
  )
}

function toCommit(
  { changeSetId, files }: Intent,
  moved: readonly Pick<MovedFile, 'docPath' | 'sizeBytes'>[],
  warnings: readonly string[],
): Commit {
  const sizes = new Map(moved.map(({ docPath, sizeBytes }) => [docPath, sizeBytes]))
  return {
    changeSetId,
    files: files.map(({ docPath, path, base, sha256 }) => ({
      docPath,
      path,
      before: base,
      after: sha256,
      sizeBytes: sha256 === null ? 0 : (sizes.get(docPath) ?? 0),
    })),
    warnings,
  }
}

function toCheckpoint(intent: Intent, { files }: Commit): Checkpoint {
  const { changeSetId, label, time, order = time, undoes, folders } = intent
  return {
    changeSetId,
    ...(label !== undefined && { label }),
    time,
    order,
    files,
    madeFolders: folders,
    keptBytes: 0,
    ...(undoes !== undefined && { undoes }),
  }
}
