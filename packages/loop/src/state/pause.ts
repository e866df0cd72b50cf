import type { JournalLine } from '@filewright/protocol'
import type { LoopState } from './loop-state.ts'

/**
 * A run that waits for a person goes on with this line: what it waited for is decided, answered or cancelled, or calls that
 * stood behind it are not run any more because the person spoke.
 */
export function endsPause({ turn }: LoopState, line: JournalLine): boolean {
  const calls = turn?.calls ?? []
  if (line.type === 'cancel') return true
  if (line.type === 'decision') return calls.some(call => call.approvalId === line.approval_id)
  if (line.type === 'steer') return calls.some(call => call.status === 'asked')
  if (line.type !== 'tool_result') return false
  return calls.some(call => call.id === line.tool_call_id && call.status !== 'done')
}

/** Whoever reads that line alone learns of it too: a process that ends now leaves a run that was cut off, not one that waits. */
export function withPauseEnded(
  state: LoopState,
  lines: readonly JournalLine[],
): readonly JournalLine[] {
  if (!state.run || !state.paused) return lines
  const { runId } = state.run
  const first = lines.find(line => endsPause(state, line))
  return lines.map(line => (line === first ? ({ ...line, resumes: runId } as JournalLine) : line))
}
