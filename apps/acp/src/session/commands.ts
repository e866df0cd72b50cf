import type { AvailableCommand } from '@agentclientprotocol/sdk'
import { offerDraft, reviewOf, showReview } from '../ask/draft.ts'
import { type AttachedEditor, say, sendUpdate } from '../editor/editor.ts'
import type { OpenSession } from '../editor/open-session.ts'

interface SlashCommand {
  readonly description: string
  run(
    editor: AttachedEditor,
    session: OpenSession,
    signal: AbortSignal,
  ): Promise<string | undefined>
}

const EMPTY = 'The draft of this session is empty.'

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  review: {
    description: 'Show what the draft holds',
    async run(editor, session) {
      const review = await reviewOf(session)
      if (!review) return EMPTY
      await showReview(editor, session, review)
      return '/publish writes these changes, /discard drops them.'
    },
  },
  publish: {
    description: 'Write the changes of the draft to the files',
    async run(editor, session, signal) {
      if (!(await reviewOf(session))) return EMPTY
      await offerDraft(editor, session, { signal, isAsked: true })
      return undefined
    },
  },
  discard: {
    description: 'Throw the draft away',
    async run({ config }, session) {
      const review = await reviewOf(session)
      if (!review) return EMPTY
      const { connection, params } = session.folder
      const body = { draftId: review.draft.id, by: config.userName }
      const discarded = await connection.call('discard', { params, body })
      return discarded.ok
        ? 'The draft was discarded. No file was changed.'
        : discarded.failure.message
    },
  },
  undo: {
    description: 'Take back the last change that was written in this folder',
    run: (_, session) => takeBack(session, 'undo'),
  },
  redo: {
    description: 'Write what was taken back again',
    run: (_, session) => takeBack(session, 'redo'),
  },
}

async function takeBack({ folder }: OpenSession, way: 'undo' | 'redo') {
  const { connection, params } = folder
  const done = await connection.call(way, { params, body: {} })
  if (!done.ok) return done.failure.message
  const { files, warnings } = done.value
  const names = files.map(({ path }) => path).join(', ')
  return [`${way === 'undo' ? 'Taken back' : 'Written again'}: ${names}.`, ...warnings].join('\n')
}

export const availableCommands: readonly AvailableCommand[] = Object.entries(COMMANDS).map(
  ([name, { description }]) => ({ name, description }),
)

/** True when the message was a command of ours: no model sees it. */
export async function runCommand(
  editor: AttachedEditor,
  session: OpenSession,
  { text, signal }: { readonly text: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const [, name = ''] = /^\/(\w+)\s*$/.exec(text.trim()) ?? []
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return false
  const message = await command.run(editor, session, signal)
  if (message) await say(editor, session.sessionId, message)
  return true
}

export function tellCommands(editor: AttachedEditor, sessionId: string): Promise<void> {
  return sendUpdate(editor, sessionId, {
    sessionUpdate: 'available_commands_update',
    availableCommands: [...availableCommands],
  })
}
