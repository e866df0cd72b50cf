import type { IdSource, ImageName, JournalLine, RunId } from '@filewright/protocol'

/** What a person sends: words, and pictures for a model that sees. */
export interface PersonMessage {
  readonly text: string
  readonly images?: readonly ImageName[] | undefined
}

export interface RunRequest {
  /** The person's message, or the run that stopped and now goes on without one. */
  readonly on: PersonMessage | { readonly goesOn: RunId }
  readonly model: string
  readonly toolset: string
  /** The tools that change nothing, by all their names. */
  readonly reads: readonly string[]
  /** Of `LoopLimits`, where this run's differ: budgetTokens, budgetDollars, turnsPerRun … */
  readonly limits?: Readonly<Record<string, number>>
  readonly plan?: boolean
  readonly effort?: string
}

/** The rows that begin a run; the loop goes on from there. */
export function startRun(
  request: RunRequest,
  ids: IdSource,
): { readonly runId: RunId; readonly lines: readonly JournalLine[] } {
  const { on, model, toolset, reads, limits, plan, effort } = request
  const runId = ids('run')
  return {
    runId,
    lines: [
      {
        type: 'run-start',
        run_id: runId,
        model,
        toolset,
        reads,
        ...(limits && { limits }),
        ...(plan && { plan }),
        ...(effort && { effort }),
        ...('goesOn' in on && { goes_on: on.goesOn }),
      },
      ...('text' in on ? [messageLine(on, runId, ids)] : []),
    ],
  }
}

function messageLine({ text, images }: PersonMessage, run_id: RunId, ids: IdSource): JournalLine {
  return {
    type: 'user_message',
    message_id: ids('message'),
    role: 'user',
    text,
    run_id,
    ...(images?.length && { images }),
  }
}
