import type { ChangeId, ToolCallId, ToolOutcome, WorkspaceId } from '@filewright/protocol'
import type { Sources } from '../store/sources.ts'
import type { Patches, PatchId, StoredBatch } from './patches.ts'

/** Advances a stored batch when its call ends, and when its new versions are in the store. */
export interface PatchFates {
  note(workspaceId: WorkspaceId, toolCallId: ToolCallId, outcome: ToolOutcome): Promise<void>
  noteUploaded(workspaceId: WorkspaceId, changeSetId: string): Promise<void>
}

export function createPatchFates(patches: Patches, sources: Sources): PatchFates {
  /** The upload may arrive before the call ends, so the later of the two takes the step. */
  async function markUploaded(
    workspaceId: WorkspaceId,
    batch: StoredBatch,
    ids: readonly PatchId[],
  ) {
    const changeSetId = `cs_${batch.toolCallId}`
    for (const { docPath } of batch.files) {
      const { items } = await sources.history(workspaceId, docPath, { limit: 20 })
      const isIn = items.some(
        ({ origin }) => origin.kind === 'change-set' && origin.changeSetId === changeSetId,
      )
      if (isIn) return void (await patches.setFate(workspaceId, ids, 'uploaded'))
    }
  }

  return {
    async note(workspaceId, toolCallId, { envelope }) {
      const batch = await patches.findByToolCall(workspaceId, toolCallId)
      if (!batch) return
      if (!envelope.success) {
        const fate = envelope.kind === 'denied' ? 'refused' : 'conflict'
        await patches.setFate(workspaceId, [batch.batchId], fate, envelope.message)
        return
      }
      const refused = (envelope.refusedChanges ?? []) as readonly {
        changeId: string
        reason?: string
      }[]
      for (const { changeId, reason } of refused)
        await patches.setFate(workspaceId, [changeId as ChangeId], 'refused', reason)
      const applied =
        refused.length === 0
          ? [batch.batchId]
          : acceptedIds(batch, new Set(refused.map(({ changeId }) => changeId)))
      await patches.setFate(workspaceId, applied, 'approved')
      await patches.setFate(workspaceId, applied, 'applied')
      await markUploaded(workspaceId, batch, applied)
    },

    async noteUploaded(workspaceId, changeSetId) {
      const batch = await patches.findByToolCall(
        workspaceId,
        changeSetId.replace(/^cs_/, '') as ToolCallId,
      )
      if (!batch) return
      if (batch.fate === 'applied')
        return void (await patches.setFate(workspaceId, [batch.batchId], 'uploaded'))
      const applied = batch.files.flatMap(file =>
        file.changes.filter(change => change.fate === 'applied').map(change => change.changeId),
      )
      if (applied.length > 0) await patches.setFate(workspaceId, applied, 'uploaded')
    },
  }
}

function acceptedIds(batch: StoredBatch, refused: ReadonlySet<string>): ChangeId[] {
  return batch.files
    .flatMap(file => file.changes.map(change => change.changeId))
    .filter(id => !refused.has(id))
}
