import { closingLine } from '../state/closing-line.ts'
import type { StopReason } from '../state/decide.ts'
import type { LoopContext, RunOutcome } from './loop-context.ts'

/** A run closes with the line that we compute, however it ended. */
export async function endRun(
  reason: StopReason,
  message: string | undefined,
  { memory, port }: LoopContext,
): Promise<RunOutcome> {
  const run = memory.state.run!
  const { runId, usage, effects } = run
  const net = effects.length > 0 ? await port.netEffects?.(effects) : undefined
  const closing = closingLine({ ...run, effects: net ?? effects })
  memory.append([
    ...(reason === 'limit' ? [{ type: 'limit' as const, what: 'run', message: message! }] : []),
    {
      type: 'run-end',
      run_id: runId,
      reason,
      closing,
      usage,
      ...(message && { message }),
      ...(run.hasWritten && { written: true }),
    },
  ])
  await memory.settled()
  return { type: 'ended', runId, reason, closing, message }
}
