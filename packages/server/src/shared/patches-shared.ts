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
import type { Postgres, Queries } from './database/postgres.ts'

const PAGE = 100
const SELECT = 'select batch, body from batches'

interface BatchRow {
  readonly batch: BatchId
  readonly body: string
}

export function createSharedPatches(database: Postgres, ids: IdSource, now: () => Date): Patches {
  const reading: Pick<Queries, 'query'> = { query: database.repeat }

  async function insert(queries: Queries, numbered: NumberedBatch) {
    const { batchId, workspaceId, toolCallId } = numbered
    const added = await queries.run(
      `insert into batches (batch, workspace, tool_call, body) values ($1, $2, $3, $4)
       on conflict (workspace, tool_call) do nothing`,
      [batchId, workspaceId, toolCallId, JSON.stringify(numbered)],
    )
    if (added === 0)
      return { batch: (await byToolCall(queries, workspaceId, toolCallId))!, existed: true }
    await queries.run(
      'insert into patch_ids (id, batch, workspace) select id, $2, $3 from unnest($1::text[]) as id',
      [idsOf(numbered), batchId, workspaceId],
    )
    await addSteps(queries, workspaceId, [{ batchId, target: batchId }], 'stored')
    const batch = await load(queries, { batch: batchId, body: JSON.stringify(numbered) })
    return { batch, existed: false }
  }

  async function addSteps(
    queries: Queries,
    workspaceId: WorkspaceId,
    steps: readonly { readonly batchId: BatchId; readonly target: PatchId }[],
    fate: Fate,
    reason: string | null = null,
  ) {
    if (steps.length === 0) return
    await queries.run(
      `insert into fates (batch, target, workspace, fate, time, reason)
       select batch, target, $3, $4, $5, $6 from unnest($1::text[], $2::text[]) as step (batch, target)`,
      [
        steps.map(({ batchId }) => batchId),
        steps.map(({ target }) => target),
        workspaceId,
        fate,
        now().toISOString(),
        reason,
      ],
    )
  }

  return {
    async store(batch) {
      const numbered = numberBatch(batch, ids)
      return database.transaction(queries => insert(queries, numbered))
    },
    find: (workspaceId, id) => find(reading, workspaceId, id),
    findByToolCall: (workspaceId, toolCallId) => byToolCall(reading, workspaceId, toolCallId),
    async list(workspaceId, { before, limit = PAGE } = {}) {
      const rows = await database.repeat<BatchRow>(
        `${SELECT} where workspace = $1 and ($2::text is null or position <
           (select position from batches where batch = $2 and workspace = $1))
         order by position desc limit $3`,
        [workspaceId, before ?? null, limit],
      )
      return Promise.all(rows.map(row => load(reading, row)))
    },
    setFate: (workspaceId, targets, fate, reason) =>
      database.transaction(async queries => {
        const found = new Map<PatchId, Result<Found, 'NOT_FOUND'>>()
        await lockBatches(queries, workspaceId, targets)
        for (const target of targets) found.set(target, await find(queries, workspaceId, target))
        const next = planSteps(id => found.get(id)!, targets, fate)
        if (!next.ok) return next
        await addSteps(queries, workspaceId, next.value, fate, reason)
        return ok(undefined)
      }),
  }
}

/** Of two instances that report a fate, the later one sees what the earlier one wrote. */
async function lockBatches(
  queries: Queries,
  workspaceId: WorkspaceId,
  targets: readonly PatchId[],
): Promise<void> {
  await queries.query(
    `select 1 from batches where batch in (
       select batch from patch_ids where id = any($1::text[]) and workspace = $2)
     order by position for update`,
    [targets, workspaceId],
  )
}

type Reading = Pick<Queries, 'query'>

async function find(
  queries: Reading,
  workspaceId: WorkspaceId,
  id: PatchId,
): Promise<Result<Found, 'NOT_FOUND'>> {
  const [row] = await queries.query<BatchRow>(
    `select b.batch, b.body from patch_ids p join batches b on b.batch = p.batch
     where p.id = $1 and p.workspace = $2`,
    [id, workspaceId],
  )
  if (row) return ok(locate(await load(queries, row), id))
  const newest = await queries.query<BatchRow>(
    `${SELECT} where workspace = $1 order by position desc limit 5`,
    [workspaceId],
  )
  return unknownId(
    id,
    newest.map(({ batch }) => batch),
  )
}

async function byToolCall(
  queries: Reading,
  workspaceId: WorkspaceId,
  toolCallId: ToolCallId,
): Promise<StoredBatch | undefined> {
  const [row] = await queries.query<BatchRow>(`${SELECT} where workspace = $1 and tool_call = $2`, [
    workspaceId,
    toolCallId,
  ])
  return row && load(queries, row)
}

async function load(queries: Reading, { batch, body }: BatchRow): Promise<StoredBatch> {
  const steps = await queries.query<TargetStep & { reason: string | null }>(
    'select target, fate, time, reason from fates where batch = $1 order by position',
    [batch],
  )
  return withFates(JSON.parse(body) as NumberedBatch, steps)
}
