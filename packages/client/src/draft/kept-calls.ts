import type { KeptCall } from '@filewright/protocol'
import type { DraftStore } from './draft-store.ts'

/** Of each open workshop draft the ids of its last calls that wrote, newest first. */
export function listKeptCalls(drafts: DraftStore, limit: number) {
  return drafts
    .open()
    .filter(({ open }) => open.purpose === 'workshop')
    .map(({ sessionId, outcomes }) => ({
      sessionId,
      toolCallIds: [...outcomes.keys()].slice(-limit).reverse(),
    }))
}

export async function findKeptCall(
  drafts: DraftStore,
  toolCallId: string,
): Promise<KeptCall | null> {
  const draft = drafts.open().find(({ outcomes }) => outcomes.has(toolCallId))
  if (!draft) return null
  for (const line of await drafts.lines(draft.id))
    if (line.type === 'outcome' && line.toolCallId === toolCallId && line.call)
      return { ...line.call, state: line.state }
  return null
}
