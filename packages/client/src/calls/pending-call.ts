import type { CallState, DraftId } from '@filewright/protocol'
import type { Draft } from '../draft/draft.ts'

export function oneCallDraftId(toolCallId: string): DraftId {
  return `drf_${toolCallId}` as DraftId
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
