import type { PersonMessage } from '@filewright/loop'
import {
  fail,
  type LineOf,
  type MessageId,
  ok,
  type QueuedMessage,
  type Result,
  type SessionId,
} from '@filewright/protocol'
import type { SessionLog, WaitingItem } from '../log/log.ts'
import type { Actors } from '../session/actors.ts'
import type { Deltas } from '../session/deltas.ts'
import type { LiveSessions } from './live-sessions.ts'

/** Messages that wait for the run in progress. A person sees them, and can take one back until the model is given it. */
export interface Queue {
  list(sessionId: SessionId): Promise<readonly QueuedMessage[]>
  takeBack(sessionId: SessionId, messageId: string): Promise<Result<QueuedMessage>>
  /** Tells every listener what waits now. */
  announce(sessionId: SessionId): Promise<void>
}

export interface QueueParts {
  readonly log: SessionLog
  readonly actors: Actors
  readonly deltas: Deltas
  readonly live: LiveSessions
}

/** The inbox item of a queued message. */
export function queuedItem({ text, images }: PersonMessage, message_id: MessageId) {
  const line: LineOf<'steer'> = {
    type: 'steer',
    text,
    message_id,
    ...(images?.length && { images }),
  }
  return { id: itemId(message_id), type: line.type, body: { line } }
}

export function createQueue({ log, actors, deltas, live }: QueueParts): Queue {
  async function list(sessionId: SessionId) {
    const taken = live.get(sessionId)?.takenBack
    return (await log.peekInbox(sessionId)).flatMap(item =>
      taken?.has(item.id) ? [] : toQueued(item),
    )
  }

  const announce = async (sessionId: SessionId) =>
    deltas.emitQueue(sessionId, await list(sessionId))

  return {
    list,
    announce,
    async takeBack(sessionId, messageId) {
      const queued = await list(sessionId)
      const message = queued.find(each => each.messageId === messageId)
      const held = live.get(sessionId)
      const id = itemId(messageId)
      if (!message || held?.handedOut.has(id))
        return notQueued(messageId, queued, message !== undefined)
      const actor = await actors.open(sessionId)
      if (!actor.ok) return actor
      held?.takenBack.add(id)
      await actor.value.append([], { consume: [id] })
      await announce(sessionId)
      return ok(message)
    },
  }
}

function itemId(messageId: string): string {
  return `steer ${messageId}`
}

function toQueued({ body, type, time }: WaitingItem): QueuedMessage[] {
  if (type !== 'steer') return []
  const { line } = body as { line: LineOf<'steer'> }
  return [{ messageId: line.message_id ?? '', text: line.text, time }]
}

function notQueued(
  messageId: string,
  queued: readonly QueuedMessage[],
  isHandedOut: boolean,
): Result<never> {
  if (isHandedOut)
    return fail('CONFLICT', 'The message was not taken back: the model is being given it.')
  const ids = queued.map(each => each.messageId).join(', ')
  return fail(
    'NOT_FOUND',
    `No message "${messageId}" waits: the model has it, or it was taken back. Waiting: ${ids || 'none'}.`,
  )
}
