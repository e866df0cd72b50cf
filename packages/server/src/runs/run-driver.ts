import { type RunOutcome, startRun } from '@filewright/loop'
import type { IdSource, RunId } from '@filewright/protocol'
import type { SessionLog, WaitingItem } from '../log/log.ts'
import type { Deltas } from '../session/deltas.ts'
import type { Logger } from '../words/logger.ts'
import type { LiveSession, LiveSessions } from './live-sessions.ts'
import { offeredTools } from './offered-tools.ts'

export interface Budget {
  readonly tokens?: number
  readonly dollars?: number
}

/** Runs the loops of sessions, and cleans up when one stops. */
export interface RunDriver {
  /** Writes the first rows of a run and starts it. `consume`: inbox items that these rows replace. */
  begin(
    session: LiveSession,
    message: { readonly text: string; readonly budget?: Budget },
    consume: readonly string[],
  ): Promise<RunId>
  /** Continues the session's run unless it is under way. */
  go(session: LiveSession): void
  /** From now on a run that stops is left for the next process. */
  leave(): void
}

export interface RunDriverOptions {
  readonly live: LiveSessions
  readonly log: SessionLog
  readonly deltas: Deltas
  readonly ids: IdSource
  readonly logger: Logger
}

export function createRunDriver({ live, log, deltas, ids, logger }: RunDriverOptions): RunDriver {
  let isLeaving = false

  const begin: RunDriver['begin'] = async (session, { text, budget }, consume) => {
    const { settings, actor } = session
    const { toolset, isPlan: plan } = settings
    live.use(actor.sessionId)
    const { runId, lines } = startRun(
      {
        text,
        model: settings.model.name,
        toolset,
        tools: offeredTools(toolset, plan),
        limits: toLimits(budget),
        plan,
      },
      ids,
    )
    await actor.append(lines, { consume })
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
    deltas.end(sessionId)
    if (outcome.type === 'lost') {
      live.drop(sessionId)
      if (!isLeaving) deltas.emitLost(sessionId, toLost(outcome.cause))
    } else if (outcome.type === 'ended') {
      live.keepIdle(sessionId)
      await takeLateMessage(session)
    }
  }

  /** A message that arrived while the run was ending, or after its cancel, starts the next run. */
  async function takeLateMessage(session: LiveSession) {
    const waiting = await log.peekInbox(session.actor.sessionId)
    const late = waiting.find(item => item.type === 'steer')
    if (!late) return
    session.settings.policy = 'ask' // a yes to the previous run is not a yes to this one
    const stale = cancelsIn(waiting.slice(0, waiting.indexOf(late)))
    await begin(session, { text: steerText(late) }, [...stale, late.id])
  }

  return {
    begin,
    go,
    leave() {
      isLeaving = true
    },
  }
}

function toLimits({ tokens, dollars }: Budget = {}): Record<string, number> {
  return {
    ...(tokens !== undefined && { budgetTokens: tokens }),
    ...(dollars !== undefined && { budgetDollars: dollars }),
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

function steerText({ body }: WaitingItem): string {
  return (body as { line: { text: string } }).line.text
}
