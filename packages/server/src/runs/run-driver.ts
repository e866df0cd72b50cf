import { type PersonMessage, type RunOutcome, type RunRequest, startRun } from '@filewright/loop'
import type { IdSource, JournalLine, LineOf, RunId, SessionId, TokenId } from '@filewright/protocol'
import type { SessionLog, WaitingItem } from '../log/log.ts'
import type { OutsideTools } from '../outside/outside-tools.ts'
import type { Deltas } from '../session/deltas.ts'
import type { Logger } from '../words/logger.ts'
import type { LiveSession, LiveSessions } from './live-sessions.ts'
import { readsOf } from './offered-tools.ts'

/** What a run may use. */
export interface RunBounds {
  readonly budget?: {
    readonly tokens?: number
    readonly dollars?: number
    readonly seconds?: number
  }
  readonly maxTurns?: number
  readonly effort?: string
}

/** A run that begins: on a message, or where an earlier one stopped. */
export interface Beginning extends RunBounds {
  readonly on: RunRequest['on']
  /** Of the run that goes on; bounds of its own come first. */
  readonly limits?: Readonly<Record<string, number>>
}

/** Runs the loops of sessions, and cleans up when one stops. */
export interface RunDriver {
  /** Writes the first rows of a run and starts it. `consume`: inbox items that these rows replace. */
  begin(session: LiveSession, beginning: Beginning, consume: readonly string[]): Promise<RunId>
  /** Continues the session's run unless it is under way. */
  go(session: LiveSession): void
}

export interface RunDriverOptions {
  readonly live: LiveSessions
  readonly log: SessionLog
  readonly deltas: Deltas
  readonly ids: IdSource
  readonly logger: Logger
  readonly outside: Pick<OutsideTools, 'rest'>
  /** A message that waited began a run. */
  readonly onTaken: (sessionId: SessionId) => void
}

export function createRunDriver(options: RunDriverOptions): RunDriver {
  const { live, log, deltas, ids, logger, onTaken } = options
  const begin: RunDriver['begin'] = async (session, beginning, consume) => {
    const { settings, actor } = session
    const { toolset, isPlan: plan, tokenId } = settings
    live.use(actor.sessionId)
    const { runId, lines } = startRun(
      {
        on: beginning.on,
        model: settings.model.name,
        toolset,
        reads: readsOf(toolset),
        limits: { ...beginning.limits, ...toLimits(beginning) },
        plan,
        effort: beginning.effort,
      },
      ids,
    )
    const started = tokenId ? lines.map(line => withToken(line, tokenId)) : lines
    await actor.append(started, { consume })
    go(session)
    return runId
  }

  function go(session: LiveSession) {
    session.running ??= session.loop
      .run()
      .catch((cause: unknown): RunOutcome => {
        logger.error('Loop.Failed', cause, { sessionId: session.actor.sessionId })
        return { type: 'lost', cause: undefined }
      })
      .then(async outcome => {
        await stopped(session, outcome)
        return outcome
      })
  }

  async function stopped(session: LiveSession, outcome: RunOutcome): Promise<void> {
    const { sessionId } = session.actor
    session.running = undefined
    session.handedOut.clear()
    deltas.end(sessionId)
    options.outside.rest(sessionId)
    if (outcome.type === 'lost') {
      if (live.get(sessionId) === session) live.drop(sessionId)
      if (!session.isLeft) deltas.emitLost(sessionId, toLost(outcome.cause))
    } else if (outcome.type === 'ended') {
      live.keepIdle(sessionId)
      await takeLateMessage(session).catch(
        cause => logger.error('Loop.MessageLeft', cause, { sessionId }), // it stays in the inbox, for the next run
      )
    }
  }

  /** A message that arrived while the run was ending, or after its cancel, starts the next run. */
  async function takeLateMessage(session: LiveSession) {
    const waiting = await log.peekInbox(session.actor.sessionId)
    const late = waiting.find(({ type, id }) => type === 'steer' && !session.takenBack.has(id))
    if (!late) return
    session.handedOut.add(late.id)
    session.settings.policy = 'ask' // a yes to the previous run is not a yes to this one
    const stale = cancelsIn(waiting.slice(0, waiting.indexOf(late)))
    await begin(session, { on: messageOf(late) }, [...stale, late.id])
    onTaken(session.actor.sessionId)
  }

  return {
    begin,
    go,
  }
}

function withToken(line: JournalLine, tokenId: TokenId): JournalLine {
  return line.type === 'run-start' ? { ...line, token_id: tokenId } : line
}

function toLimits({ budget = {}, maxTurns }: RunBounds): Record<string, number> {
  const { tokens, dollars, seconds } = budget
  return {
    ...(tokens !== undefined && { budgetTokens: tokens }),
    ...(dollars !== undefined && { budgetDollars: dollars }),
    ...(seconds !== undefined && { budgetMs: seconds * 1000 }),
    ...(maxTurns !== undefined && { turnsPerRun: maxTurns }),
  }
}

/** Without a cause it is our own error, which the server's log has. */
function toLost(cause: unknown) {
  if (cause === undefined)
    return {
      type: 'run-lost',
      kind: 'internal',
      message: 'The run stopped with an internal error; the server log has the cause.',
    } as const
  const reason = cause instanceof Error ? cause.message : String(cause)
  return {
    type: 'run-lost',
    kind: 'unavailable',
    message: `The run stopped because its log could not be written: ${reason.replace(/\.$/, '')}. You can resume it.`,
  } as const
}

export function cancelsIn(items: readonly WaitingItem[]): string[] {
  return items.filter(({ type }) => type === 'cancel').map(({ id }) => id)
}

function messageOf({ body }: WaitingItem): PersonMessage {
  const { text, images } = (body as { line: LineOf<'steer'> }).line
  return { text, images }
}
