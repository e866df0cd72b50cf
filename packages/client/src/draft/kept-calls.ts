import type { DraftLine, KeptCall } from '@filewright/protocol'
import type { Draft } from './draft.ts'
import type { DraftStore } from './draft-store.ts'

/** For each open workshop draft, the ids of its last calls that wrote, newest first. */
export function listKeptCalls(drafts: DraftStore, limit: number) {
  return drafts
    .open()
    .filter(({ open }) => open.purpose === 'workshop')
    .map(({ sessionId, outcomes }) => ({
      sessionId,
      toolCallIds: [...outcomes.keys()].slice(-limit).reverse(),
    }))
}

/** By draft: a log is read once, however many of its calls the server has lost. */
const indexes = new WeakMap<Draft, Index>()

interface Index {
  readonly calls: ReadonlyMap<string, KeptCall>
  /** How many calls the draft had: a later one is only in its log. */
  readonly of: number
}

export async function findKeptCall(
  drafts: DraftStore,
  toolCallId: string,
): Promise<KeptCall | null> {
  const draft = drafts.open().find(({ outcomes }) => outcomes.has(toolCallId))
  if (!draft) return null
  const of = draft.outcomes.size
  let index = indexes.get(draft)
  if (!index?.calls.has(toolCallId) && index?.of !== of) {
    index = { calls: callsIn(await drafts.lines(draft.id)), of }
    indexes.set(draft, index)
  }
  return index.calls.get(toolCallId) ?? null
}

function callsIn(lines: readonly DraftLine[]): ReadonlyMap<string, KeptCall> {
  const calls = new Map<string, KeptCall>()
  for (const line of lines)
    if (line.type === 'outcome' && line.call && !calls.has(line.toolCallId))
      calls.set(line.toolCallId, { ...line.call, state: line.state })
  return calls
}
