import type {
  ApprovalId,
  CallState,
  ClientMethods,
  Decision,
  JournalLine,
  Result,
  SessionId,
  ToolCallId,
  WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../link/client-link.ts'
import type { InboxItem } from '../log/log.ts'
import type { Inboxes } from '../session/inboxes.ts'
import type { UnsavedOf } from '../sources/active-files.ts'
import type { CallRecorder } from './call-recorder.ts'

const DECIDED_WITHIN = { timeoutMs: 10 * 60_000 } // the client writes what was approved before it answers

export interface DecideOptions {
  readonly link: ClientLink
  readonly unsavedOf: UnsavedOf
  readonly inboxes: Inboxes
  readonly recorder: CallRecorder
}

/** A person's answer to an approval: the client carries it out, and the call's session gets the outcome. */
export async function decide(
  { link, unsavedOf, inboxes, recorder }: DecideOptions,
  workspaceId: WorkspaceId,
  approvalId: string,
  decision: Decision,
): Promise<Result<ClientMethods['approval-decide']['value']>> {
  const unsaved = await unsavedOf(workspaceId)
  const asked = { approvalId, decision, ...(unsaved.length > 0 && { unsaved }) }
  const decided = await link.ask(workspaceId, 'approval-decide', asked, DECIDED_WITHIN)
  if (!decided.ok) return decided
  const { approval, outcome } = decided.value
  const sessionId = approval.sessionId as SessionId
  const call = { toolCallId: approval.toolCallId as ToolCallId, name: approval.tool }
  const line = toDecided(approvalId, decision)
  await inboxes.put(sessionId, toItems(approvalId, line, call.toolCallId, outcome))
  await recorder.noteEnd(workspaceId, call, outcome)
  await inboxes.drain(sessionId)
  return decided
}

function toDecided(approvalId: string, given: Decision): JournalLine {
  const { decision, by, refused, reason } = given
  return {
    type: 'decision',
    approval_id: approvalId as ApprovalId,
    decision,
    by,
    ...(refused && {
      refused: refused.map(({ changeId, reason: why }) => ({
        change_id: changeId,
        ...(why && { reason: why }),
      })),
    }),
    ...(reason && { reason }),
  }
}

/** The decision, then the call's outcome. */
function toItems(
  approvalId: string,
  line: JournalLine,
  toolCallId: ToolCallId,
  state: CallState,
): InboxItem[] {
  const decided: InboxItem = { id: `decision ${approvalId}`, type: 'line', body: { line } }
  if (!('outcome' in state)) return [decided]
  const body = { outcome: { toolCallId, outcome: state.outcome } }
  return [decided, { id: `outcome ${toolCallId}`, type: 'outcome', body }]
}
