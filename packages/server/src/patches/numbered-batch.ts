import {
  type BatchId,
  type ChangeId,
  type FilePatchId,
  fail,
  type IdSource,
  ok,
  type Result,
} from '@filewright/protocol'
import { fateOf, follows, isRepeated, stepsOf, type TargetStep } from './fate.ts'
import type {
  Fate,
  Found,
  NewBatch,
  NewChange,
  NewFilePatch,
  PatchId,
  StoredBatch,
  WithFate,
} from './patches.ts'

/** The stored batch with its ids. Fates are separate rows. */
export interface NumberedBatch extends Omit<NewBatch, 'files'> {
  readonly batchId: BatchId
  readonly files: readonly NumberedFilePatch[]
}

interface NumberedFilePatch extends Omit<NewFilePatch, 'changes'> {
  readonly filePatchId: FilePatchId
  readonly changes: readonly NumberedChange[]
}

interface NumberedChange extends NewChange {
  readonly changeId: ChangeId
}

/** Our ids replace any that came with the call. */
export function numberBatch(batch: NewBatch, ids: IdSource): NumberedBatch {
  return {
    ...batch,
    batchId: ids('batch'),
    files: batch.files.map(file => ({
      ...file,
      filePatchId: ids('filePatch'),
      changes: file.changes.map(change => ({ ...change, changeId: ids('change') })),
    })),
  }
}

export function idsOf(batch: NumberedBatch): PatchId[] {
  const files = batch.files.flatMap(file => [
    file.filePatchId,
    ...file.changes.map(change => change.changeId),
  ])
  return [batch.batchId, ...files]
}

export function withFates(batch: NumberedBatch, all: readonly TargetStep[]): StoredBatch {
  const fateFor = (...targets: PatchId[]): WithFate => {
    const steps = stepsOf(all, targets)
    return { fate: fateOf(steps), steps }
  }
  const { batchId } = batch
  return {
    ...batch,
    ...fateFor(batchId),
    files: batch.files.map(file => ({
      ...file,
      ...fateFor(batchId, file.filePatchId),
      changes: file.changes.map(change => ({
        ...change,
        ...fateFor(batchId, file.filePatchId, change.changeId),
      })),
    })),
  }
}

/** The batch must contain the id. */
export function locate(batch: StoredBatch, id: PatchId): Found {
  for (const filePatch of batch.files) {
    if (filePatch.filePatchId === id) return { batch, filePatch }
    const change = filePatch.changes.find(({ changeId }) => changeId === id)
    if (change) return { batch, filePatch, change }
  }
  return { batch }
}

export interface NextStep {
  readonly batchId: BatchId
  readonly target: PatchId
}

/** The targets that take the step: all that can, or a failure and none. */
export function planSteps(
  find: (id: PatchId) => Result<Found, 'NOT_FOUND'>,
  targets: readonly PatchId[],
  fate: Fate,
): Result<readonly NextStep[], 'NOT_FOUND' | 'CONFLICT'> {
  const next: NextStep[] = []
  for (const target of targets) {
    const found = find(target)
    if (!found.ok) return found
    const { batch, filePatch, change } = found.value
    const current = (change ?? filePatch ?? batch).fate
    if (follows(current, fate)) next.push({ batchId: batch.batchId, target })
    else if (!isRepeated(current, fate)) return cannotFollow(target, current, fate)
  }
  return ok(next)
}

export function unknownId(id: PatchId, newest: readonly BatchId[]) {
  const found = newest.length > 0 ? ` The newest batches are ${newest.join(', ')}.` : ''
  return fail(
    'NOT_FOUND',
    `No batch, file patch or change of this workspace has the id ${JSON.stringify(id)}. Use a batchId, filePatchId or changeId from the result of workspace_write_patch; keys are not looked up.${found}`,
    { details: { newest } },
  )
}

function cannotFollow(target: PatchId, current: Fate, next: Fate) {
  return fail(
    'CONFLICT',
    `Cannot mark ${target} as ${next}: it is ${current} already, and that is final.`,
    { details: { id: target, fate: current } },
  )
}
