import type { CallState, DraftId } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'
import type { DraftStore } from '../draft/draft-store.ts'

export function oneCallDraftId(toolCallId: string): DraftId {
  return `drf_${toolCallId}` as DraftId
}

/** The outcome of a call that is a draft of its own, or its pending state; undefined for any other call. */
export async function outcomeOf(
  drafts: DraftStore,
  toolCallId: string,
): Promise<CallState | undefined> {
  const own = await drafts.find(oneCallDraftId(toolCallId))
  if (!own) return undefined
  return own.outcomes.get(toolCallId) ?? (isUndecided(own) ? pendingOf(own) : undefined)
}

/** A person was asked, and has not answered. */
export function isUndecided({ state, approvalId, decision }: Draft): boolean {
  return state === 'open' && approvalId !== undefined && decision === undefined
}

export function pendingOf(draft: Draft): CallState {
  const { label, call } = draft.open
  return {
    pending: {
      pending: true,
      approvalId: draft.approvalId!,
      toolCallId: call!.ids.toolCallId,
      message: `${label}: waits for a person. Approve it with: filewright approvals approve ${draft.approvalId}`,
    },
  }
}
