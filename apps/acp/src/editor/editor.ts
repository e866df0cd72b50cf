import type { AgentContext, ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Config, Connection } from '@filewright/host'

/** The editor at the other end, and our own way to the state. */
export interface AttachedEditor {
  readonly connection: Connection
  readonly config: Config
  /** What it can do, as it said when it began. */
  readonly capabilities: ClientCapabilities
  readonly client: Pick<AgentContext, 'request' | 'notify'>
}

/** Keeps the order in which updates are given. */
export async function sendUpdate(
  { client }: AttachedEditor,
  sessionId: string,
  update: SessionUpdate,
): Promise<void> {
  await client.notify('session/update', { sessionId, update })
}

/** Something that is no part of the conversation: a notice where the editor shows them. */
export async function sendNotice(
  editor: AttachedEditor,
  sessionId: string,
  { severity, title }: { readonly severity: 'info' | 'warning' | 'error'; readonly title: string },
): Promise<void> {
  if (!editor.capabilities.session?.notices) return say(editor, sessionId, title)
  await sendUpdate(editor, sessionId, { sessionUpdate: 'notice', severity, title })
}

/** A paragraph of ours, apart from what the model says. */
export async function say(editor: AttachedEditor, sessionId: string, text: string): Promise<void> {
  await sendUpdate(editor, sessionId, {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: `\n\n${text}\n` },
  })
}
