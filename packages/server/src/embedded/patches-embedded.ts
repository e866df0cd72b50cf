import {
  type BatchId,
  type ChangeId,
  type FilePatchId,
  fail,
  type IdSource,
  ok,
  type Result,
  type ToolCallId,
  type WorkspaceId,
} from '@filewright/protocol'
import { fateOf, follows, isRepeated, stepsOf, type TargetStep } from '../patches/fate.ts'
import type {
  Fate,
  Found,
  NewBatch,
  NewChange,
  NewFilePatch,
  Patches,
  PatchId,
  StoredBatch,
  WithFate,
} from '../patches/patches.ts'
import type { Database } from './database/database.ts'

const PAGE = 100

/** What is kept: the batch with its ids. Fates are rows of their own. */
interface NumberedBatch extends Omit<NewBatch, 'files'> {
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

interface BatchRow {
  readonly batch: BatchId
  readonly body: string
}

export function createPatches(
  database: Database,
  ids: IdSource,
  now: () => Date = () => new Date(),
): Patches {
  function insert(workspaceId: WorkspaceId, batch: NumberedBatch) {
    const before = byToolCall(workspaceId, batch.toolCallId)
    if (before) return { batch: before, existed: true }
    database.run(
      'insert into batches (batch, workspace, tool_call, body) values (?, ?, ?, ?)',
      batch.batchId,
      workspaceId,
      batch.toolCallId,
      JSON.stringify(batch),
    )
    for (const id of idsOf(batch))
      database.run(
        'insert into patch_ids (id, batch, workspace) values (?, ?, ?)',
        id,
        batch.batchId,
        workspaceId,
      )
    addStep(workspaceId, batch.batchId, batch.batchId, 'stored')
    return { batch: load({ batch: batch.batchId, body: JSON.stringify(batch) }), existed: false }
  }

  function addStep(
    workspaceId: WorkspaceId,
    batchId: BatchId,
    target: PatchId,
    fate: Fate,
    reason: string | null = null,
  ) {
    database.run(
      'insert into fates (batch, workspace, target, fate, time, reason) values (?, ?, ?, ?, ?, ?)',
      batchId,
      workspaceId,
      target,
      fate,
      now().toISOString(),
      reason,
    )
  }

  function byToolCall(workspaceId: WorkspaceId, toolCallId: ToolCallId) {
    const row = database.get<BatchRow>(
      'select batch, body from batches where workspace = ? and tool_call = ?',
      workspaceId,
      toolCallId,
    )
    return row && load(row)
  }

  function load(row: BatchRow): StoredBatch {
    const steps = database.all<TargetStep>(
      'select target, fate, time, reason from fates where batch = ? order by position',
      row.batch,
    )
    return withFates(JSON.parse(row.body) as NumberedBatch, steps)
  }

  function find(workspaceId: WorkspaceId, id: PatchId): Result<Found, 'NOT_FOUND'> {
    const row = database.get<BatchRow>(
      `select b.batch, b.body from patch_ids p join batches b on b.batch = p.batch
       where p.id = ? and p.workspace = ?`,
      id,
      workspaceId,
    )
    return row ? ok(locate(load(row), id)) : unknownId(id, newest(workspaceId))
  }

  function newest(workspaceId: WorkspaceId): BatchId[] {
    return database
      .all<{ batch: BatchId }>(
        'select batch from batches where workspace = ?1 order by position desc limit 5',
        workspaceId,
      )
      .map(({ batch }) => batch)
  }

  function setFate(
    workspaceId: WorkspaceId,
    targets: readonly PatchId[],
    fate: Fate,
    reason?: string,
  ): Result<void, 'NOT_FOUND' | 'CONFLICT'> {
    const next: { batchId: BatchId; target: PatchId }[] = []
    for (const target of targets) {
      const found = find(workspaceId, target)
      if (!found.ok) return found
      const { batch, filePatch, change } = found.value
      const current = (change ?? filePatch ?? batch).fate
      if (follows(current, fate)) next.push({ batchId: batch.batchId, target })
      else if (!isRepeated(current, fate)) return cannotFollow(target, current, fate)
    }
    for (const { batchId, target } of next) addStep(workspaceId, batchId, target, fate, reason)
    return ok(undefined)
  }

  return {
    store(batch) {
      const numbered = number(batch, ids)
      return database.write(() => insert(batch.workspaceId, numbered))
    },
    find: async (workspaceId, id) => find(workspaceId, id),
    findByToolCall: async (workspaceId, toolCallId) => byToolCall(workspaceId, toolCallId),
    async list(workspaceId, { before, limit = PAGE } = {}) {
      return database
        .all<BatchRow>(
          `select batch, body from batches where workspace = ?1
           and (?2 is null or position < (select position from batches where batch = ?2 and workspace = ?1))
           order by position desc limit ?3`,
          workspaceId,
          before ?? null,
          limit,
        )
        .map(load)
    },
    setFate: (workspaceId, targets, fate, reason) =>
      database.write(() => setFate(workspaceId, targets, fate, reason)),
  }
}

/** Whatever ids came with the call, ours stand. */
function number(batch: NewBatch, ids: IdSource): NumberedBatch {
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

function idsOf(batch: NumberedBatch): PatchId[] {
  const files = batch.files.flatMap(file => [
    file.filePatchId,
    ...file.changes.map(change => change.changeId),
  ])
  return [batch.batchId, ...files]
}

function withFates(batch: NumberedBatch, all: readonly TargetStep[]): StoredBatch {
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

function locate(batch: StoredBatch, id: PatchId): Found {
  for (const filePatch of batch.files) {
    if (filePatch.filePatchId === id) return { batch, filePatch }
    const change = filePatch.changes.find(({ changeId }) => changeId === id)
    if (change) return { batch, filePatch, change }
  }
  return { batch }
}

function unknownId(id: PatchId, newest: readonly BatchId[]) {
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
