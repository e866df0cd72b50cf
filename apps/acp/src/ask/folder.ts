import { allowScan, findScanQuestion } from '@filewright/host'
import type { InstructionFile } from '@filewright/protocol'
import { type AttachedEditor, say, sendUpdate } from '../editor/editor.ts'
import { toAbsolute } from '../editor/folder.ts'
import type { OpenSession } from '../editor/open-session.ts'
import { textContent } from '../show/change-contents.ts'
import { askPermission } from './permission.ts'

/** What a folder needs a yes for before a run reads it; false if it may not be scanned. */
export async function settleFolder(
  editor: AttachedEditor,
  session: OpenSession,
  signal: AbortSignal,
): Promise<boolean> {
  const question = await findScanQuestion(session.folder)
  if (question !== undefined) {
    if (!(await askScan(editor, session, { question, signal }))) return false
    await allowScan(session.folder)
  }
  const { connection, params } = session.folder
  const listed = await connection.call('listInstructions', { params, query: { nested: 'true' } })
  if (!listed.ok) return true // the run says what is wrong
  for (const file of listed.value.files.filter(({ isAllowed }) => !isAllowed))
    await settleInstructions(editor, session, { file, signal })
  return true
}

async function askScan(
  editor: AttachedEditor,
  { sessionId, folder }: OpenSession,
  { question, signal }: { readonly question: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const permission = await askPermission(editor, {
    sessionId,
    toolCall: {
      toolCallId: `scan-${sessionId}`,
      title: 'Scan this folder',
      kind: 'read',
      status: 'pending',
      content: [textContent(question)],
      locations: [{ path: folder.root }],
    },
    words: { allow_once: 'Scan all of it', reject_once: 'Do not scan it' },
    signal,
  })
  if (permission === 'allow_once') return true
  await say(editor, sessionId, 'Nothing was scanned. Open a smaller folder.')
  return false
}

/** The yes is for this content, and is kept; a no is asked again in the next session. */
async function settleInstructions(
  editor: AttachedEditor,
  { sessionId, folder }: OpenSession,
  given: { readonly file: InstructionFile; readonly signal: AbortSignal },
): Promise<void> {
  const { path, sha256, text } = given.file
  const toolCallId = `instructions-${sha256}`
  const permission = await askPermission(editor, {
    sessionId,
    toolCall: {
      toolCallId,
      title: `Follow ${path}, which tells agents how to work here`,
      kind: 'read',
      status: 'pending',
      content: [textContent(text)],
      locations: [{ path: toAbsolute(folder, path) }],
    },
    words: { allow_once: 'Follow it, as long as it stays like this', reject_once: 'Do not' },
    signal: given.signal,
  })
  if (permission !== 'allow_once') return
  const body = { effect: 'instructions', path, sha256 } as const
  await folder.connection.call('addRule', { params: folder.params, body })
  await sendUpdate(editor, sessionId, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
  })
}
