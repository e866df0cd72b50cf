import type { Approval, CallState, Decision } from '@filewright/protocol'
import { writeWithBuffers } from '../editor/buffers.ts'
import type { AttachedEditor } from '../editor/editor.ts'
import { sendNotice } from '../editor/editor.ts'
import { toAbsolute } from '../editor/folder.ts'
import type { OpenSession } from '../editor/open-session.ts'
import { changeContents, textContent } from '../show/change-contents.ts'
import { kindOf } from '../show/tool-call.ts'
import { askPermission, type Permission } from './permission.ts'

const ONCE = { allow_once: 'Approve', reject_once: 'Deny' }
const ONCE_OR_ALWAYS = {
  allow_once: 'Approve',
  allow_always: 'Approve, and do not ask again for these files',
  reject_once: 'Deny',
  reject_always: 'Deny, and never allow it for these files',
}

/** Asks for everything that the run of this session waits for; false if something is left for later. */
export async function settleApprovals(
  editor: AttachedEditor,
  session: OpenSession,
  signal: AbortSignal,
): Promise<boolean> {
  const { sessionId, folder } = session
  const listed = await folder.connection.call('listApprovals', { params: folder.params })
  if (!listed.ok) throw new Error(listed.failure.message)
  const open = listed.value.filter(each => each.sessionId === sessionId && each.state === 'open')
  for (const approval of open)
    if (!(await settleApproval(editor, session, approval, signal))) return false
  return true
}

async function settleApproval(
  editor: AttachedEditor,
  session: OpenSession,
  approval: Approval,
  signal: AbortSignal,
): Promise<boolean> {
  const { sessionId, folder } = session
  const permission = await askPermission(editor, {
    sessionId,
    toolCall: await toolCallOf(session, approval),
    words: mayRemember(approval) ? ONCE_OR_ALWAYS : ONCE,
    signal,
  })
  const decision = toDecision(permission, editor.config.userName)
  if (!decision) return false
  const paths = approval.changes.map(({ path }) => path)
  const told = await writeWithBuffers(editor, session, paths, async () => {
    const decided = await folder.connection.call('decide', {
      params: { ...folder.params, approvalId: approval.id },
      body: decision,
    })
    if (!decided.ok)
      await sendNotice(editor, sessionId, { severity: 'warning', title: decided.failure.message })
    return decided.ok && decision.decision === 'approved' && isWritten(decided.value.outcome)
  })
  for (const title of told) await sendNotice(editor, sessionId, { severity: 'info', title })
  return true
}

function isWritten(state: CallState): boolean {
  return 'outcome' in state && state.outcome.envelope.success
}

/** A file that other programs execute, or a call that only a person may answer, is asked about each time. */
function mayRemember({ needsPerson, executed = [] }: Approval): boolean {
  return !needsPerson && executed.length === 0
}

async function toolCallOf({ folder }: OpenSession, approval: Approval) {
  const { toolCallId, label, tool, draftId, changes, warnings, executed = [] } = approval
  const said = [...executed.map(({ why }) => why), ...warnings.map(each => `Warning: ${each}`)]
  return {
    toolCallId,
    title: label,
    kind: kindOf(tool),
    status: 'pending' as const,
    content: [...said.map(textContent), ...(await changeContents(folder, draftId, changes))],
    locations: [...new Set(changes.map(({ path }) => path))].map(path => ({
      path: toAbsolute(folder, path),
    })),
  }
}

function toDecision(permission: Permission, by: string): Decision | undefined {
  switch (permission) {
    case 'allow_once':
      return { decision: 'approved', by }
    case 'allow_always':
      return { decision: 'approved', by, remember: 'always' }
    case 'reject_once':
      return { decision: 'denied', by }
    case 'reject_always':
      return { decision: 'denied', by, remember: 'always' }
    case 'cancelled':
      return undefined
  }
}
