import type { IdSource, JournalLine, RunId } from '@filewright/protocol'
import type { OfferedTool } from '../port/loop-port.ts'

export interface RunRequest {
  readonly text: string
  readonly model: string
  readonly toolset: string
  readonly tools: readonly OfferedTool[]
  /** Of `LoopLimits`, where this run's differ: budgetTokens, budgetDollars, turnsPerRun … */
  readonly limits?: Readonly<Record<string, number>>
  readonly plan?: boolean
}

/** The rows that begin a run; the loop goes on from there. */
export function startRun(
  request: RunRequest,
  ids: IdSource,
): { readonly runId: RunId; readonly lines: readonly JournalLine[] } {
  const { text, model, toolset, tools, limits, plan } = request
  const runId = ids('run')
  const reads = tools
    .filter(tool => tool.readOnly)
    .flatMap(tool => [tool.name, ...(tool.aliases ?? [])])
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
      },
      { type: 'user_message', message_id: ids('message'), role: 'user', text, run_id: runId },
    ],
  }
}
