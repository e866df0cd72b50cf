import {
  Exit,
  type FolderOptions,
  type Host,
  note,
  unwrapOrExit,
  type Work,
} from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answer, answerData } from '../../output/output.ts'

interface QueueOptions extends FolderOptions {
  readonly session?: string
}

export function list(
  { json, ...options }: QueueOptions & { readonly json?: boolean },
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async work => {
    const { connection, params } = work
    const sessionId = await findSession(work, options)
    const listed = await connection.call('listQueue', { params: { ...params, sessionId } })
    const { messages } = unwrapOrExit(listed)
    if (json) return answerData(JSON.stringify(messages))
    if (messages.length === 0) return note('No message waits.')
    for (const { messageId, text } of messages)
      answer(`${messageId}  ${text.replaceAll('\n', ' ')}`)
  })
}

export function takeBack(
  { messageId, ...options }: QueueOptions & { readonly messageId: string },
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async work => {
    const { connection, params } = work
    const sessionId = await findSession(work, options)
    const taken = await connection.call('takeBack', {
      params: { ...params, sessionId, messageId },
    })
    answer(`Taken back: ${unwrapOrExit(taken).text}`)
  })
}

async function findSession({ connection, params }: Work, { session }: QueueOptions) {
  if (session !== undefined) return session
  const { sessions } = unwrapOrExit(await connection.call('listSessions', { params }))
  const running = sessions.find(({ state }) => state === 'running')
  if (running) return running.sessionId
  throw new Exit(
    EXIT_CODES.missing,
    'no run is in progress in this folder; name a session with --session',
  )
}
