import type { Model, PersonMessage } from '@filewright/loop'
import {
  fail,
  type MessageId,
  ok,
  parseDocPath,
  type Result,
  type RunId,
  type SessionId,
  type Toolset,
} from '@filewright/protocol'
import type { SessionLog } from '../log/log.ts'
import type { Sessions } from '../session/sessions.ts'
import type { LiveSession, LiveSessions, RunWishes } from './live-sessions.ts'
import { mentionsIn } from './mentions.ts'
import { notEnded } from './not-ended.ts'
import { cancelsIn, type RunBounds, type RunDriver } from './run-driver.ts'

export interface Message extends PersonMessage, RunWishes, RunBounds {}

export interface Sent {
  readonly sessionId: SessionId
  /** Null if the message steers a run that is under way. */
  readonly runId: RunId | null
  readonly model: string
  readonly steered: boolean
  /** By it a message that steers is taken back, as long as it waits. */
  readonly messageId?: MessageId
  /** The first time a model elsewhere is used: what goes where. */
  readonly notice?: string
}

export interface SendParts {
  readonly live: LiveSessions
  readonly driver: RunDriver
  readonly log: SessionLog
  readonly sessions: Sessions
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** A sentence for the person, the first time a model elsewhere is used. */
  readonly firstUse: (model: Model) => Promise<string | undefined>
  readonly steer: (sessionId: SessionId, message: PersonMessage) => Promise<MessageId>
  readonly finishRewind: (sessionId: SessionId) => Promise<Result<unknown>>
}

/** A person's message: it starts a run, or steers the one under way or cut off. */
export function createSend(
  options: SendParts,
): (sessionId: SessionId, message: Message) => Promise<Result<Sent>> {
  const { live, driver, log, sessions, resolveModel, firstUse } = options

  async function send(sessionId: SessionId, message: Message): Promise<Result<Sent>> {
    const held = live.get(sessionId)
    const hasEnded = held?.running && (await log.getSession(sessionId))?.state === 'idle'
    if (hasEnded) await held.running // only its last steps remain
    return held?.running ? steer(held, message) : start(sessionId, message)
  }

  async function steer(
    { actor, settings }: LiveSession,
    message: PersonMessage,
  ): Promise<Result<Sent>> {
    const { sessionId } = actor
    await activateMentioned(sessionId, message.text)
    const messageId = await options.steer(sessionId, message)
    return ok({ sessionId, runId: null, model: settings.model.name, steered: true, messageId })
  }

  async function start(sessionId: SessionId, message: Message): Promise<Result<Sent>> {
    const session = await log.getSession(sessionId)
    if (session?.state === 'waiting') return notEnded(session.state)
    const rewound = await options.finishRewind(sessionId)
    if (!rewound.ok) return rewound
    if (session?.state === 'running') return takeUp(sessionId, message)
    const stale = cancelsIn(await log.peekInbox(sessionId)) // they came while no run was under way
    const model = await resolveModel(message.model)
    if (!model.ok) return model
    const wrong = effortFault(model.value, message.effort)
    if (wrong) return wrong
    // every message states what may be written without asking; a yes to one is not a yes to the next
    const wishes = { ...message, approve: message.approve ?? 'ask' }
    const opened = await live.open(sessionId, wishes, model.value)
    if (!opened.ok) return opened
    if (session?.title === '') await log.setTitle(sessionId, message.text.slice(0, 60))
    await activateMentioned(sessionId, message.text)
    const runId = await driver.begin(
      opened.value,
      { ...message, on: { text: message.text, images: message.images } },
      stale,
    )
    const notices = [model.value.notice, await firstUse(model.value)]
    const notice = notices.filter(text => text !== undefined).join('\n')
    const sent = { sessionId, runId, model: model.value.name, steered: false }
    return ok({ ...sent, ...(notice && { notice }) })
  }

  /** The last run was cut off: it goes on with the tools it had, and gets the message as one that is under way does. */
  async function takeUp(sessionId: SessionId, message: Message): Promise<Result<Sent>> {
    const run = (await log.findLast(sessionId, 'run-start'))?.body
    const model = await resolveModel(message.model ?? run?.model)
    if (!model.ok) return model
    const tools = { toolset: run?.toolset as Toolset, plan: run?.plan }
    const wishes = { ...message, ...tools, approve: message.approve ?? 'ask' }
    const opened = await live.open(sessionId, wishes, model.value)
    if (!opened.ok) return opened
    const sent = await steer(opened.value, message) // which wakes it
    if (!opened.value.running) driver.go(opened.value)
    return sent
  }

  /** Makes every mentioned file active; anything else after an @ is text. */
  async function activateMentioned(sessionId: SessionId, text: string): Promise<void> {
    const mentioned = mentionsIn(text)
    const session = mentioned.length > 0 ? await log.getSession(sessionId) : undefined
    if (!session) return
    const files = sessions.activeFiles(session.workspaceId, sessionId)
    const active = new Set((await files.list()).map(({ docPath }) => docPath))
    for (const path of mentioned) {
      const docPath = parseDocPath(path)
      if (docPath.ok && !active.has(docPath.value)) await files.add(path)
    }
  }

  return send
}

/** Undefined where the level is one of the model's, or nobody knows which it has. */
function effortFault(
  { name, facts: { effortLevels } }: Model,
  effort: string | undefined,
): Result<never> | undefined {
  if (effort === undefined || !effortLevels || effortLevels.includes(effort)) return undefined
  const levels =
    effortLevels.length > 0
      ? `its levels are ${effortLevels.join(', ')}`
      : 'it has no levels of effort'
  return fail(
    'INVALID_ARGUMENT',
    `Cannot run ${name} with effort "${effort}": ${levels}. If that is wrong, run "filewright models set ${name} --effort-levels …".`,
  )
}
