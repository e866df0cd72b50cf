import {
  type BatchId,
  type IdSource,
  ok,
  type Result,
  type ToolCallId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { TargetStep } from '../patches/fate.ts'
import {
  idsOf,
  locate,
  type NumberedBatch,
  numberBatch,
  planSteps,
  unknownId,
  withFates,
} from '../patches/numbered-batch.ts'
import type { Fate, Found, Patches, PatchId, StoredBatch } from '../patches/patches.ts'
import type { Database } from './database/database.ts'

const PAGE = 100

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
    const next = planSteps(id => find(workspaceId, id), targets, fate)
    if (!next.ok) return next
    for (const { batchId, target } of next.value)
      addStep(workspaceId, batchId, target, fate, reason)
    return ok(undefined)
  }

  return {
    store(batch) {
      const numbered = numberBatch(batch, ids)
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
