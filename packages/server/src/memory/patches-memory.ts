import { type IdSource, ok, type Result, type WorkspaceId } from '@filewright/protocol'
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
import type { Found, Patches, PatchId, StoredBatch } from '../patches/patches.ts'

const PAGE = 100
const MOST_NAMED = 5

interface KeptBatch {
  readonly batch: NumberedBatch
  readonly steps: TargetStep[]
}

/** The same contract without a disk, for tests. */
export function createMemoryPatches(ids: IdSource, now: () => Date): Patches {
  const all: KeptBatch[] = [] // oldest first

  function newest(workspaceId: WorkspaceId): KeptBatch[] {
    return all.filter(({ batch }) => batch.workspaceId === workspaceId).reverse()
  }

  function find(workspaceId: WorkspaceId, id: PatchId): Result<Found, 'NOT_FOUND'> {
    const batches = newest(workspaceId)
    const kept = batches.find(({ batch }) => idsOf(batch).includes(id))
    if (kept) return ok(locate(load(kept), id))
    return unknownId(
      id,
      batches.slice(0, MOST_NAMED).map(({ batch }) => batch.batchId),
    )
  }

  return {
    async store(given) {
      const before = newest(given.workspaceId).find(
        ({ batch }) => batch.toolCallId === given.toolCallId,
      )
      if (before) return { batch: load(before), existed: true }
      const batch = numberBatch(given, ids)
      const stored = { target: batch.batchId, fate: 'stored', reason: null } as const
      const kept = { batch, steps: [{ ...stored, time: now().toISOString() }] }
      all.push(kept)
      return { batch: load(kept), existed: false }
    },
    find: async (workspaceId, id) => find(workspaceId, id),
    async findByToolCall(workspaceId, toolCallId) {
      const kept = newest(workspaceId).find(({ batch }) => batch.toolCallId === toolCallId)
      return kept && load(kept)
    },
    async list(workspaceId, { before, limit = PAGE } = {}) {
      const batches = newest(workspaceId)
      const start = before ? 1 + batches.findIndex(({ batch }) => batch.batchId === before) : 0
      return batches.slice(start, start + limit).map(load)
    },
    async setFate(workspaceId, targets, fate, reason) {
      const next = planSteps(id => find(workspaceId, id), targets, fate)
      if (!next.ok) return next
      for (const { batchId, target } of next.value)
        all
          .find(({ batch }) => batch.batchId === batchId)
          ?.steps.push({ target, fate, time: now().toISOString(), reason: reason ?? null })
      return ok(undefined)
    },
  }
}

/** A copy, as a store would return it: the reader owns it. */
function load({ batch, steps }: KeptBatch): StoredBatch {
  return withFates(JSON.parse(JSON.stringify(batch)) as NumberedBatch, steps)
}
