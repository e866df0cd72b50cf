import { type LogRow, rowsInView } from '@filewright/protocol'
import type { LoopLimits } from '../port/loop-limits.ts'
import type { LoopPort } from '../port/loop-port.ts'
import { fold } from '../state/fold.ts'
import { type LoopState, NEW_STATE } from '../state/loop-state.ts'
import type { RunOutcome } from '../steps/loop-context.ts'
import { createLoop } from '../steps/run.ts'

export function runSession(port: LoopPort, limits?: Partial<LoopLimits>): Promise<RunOutcome> {
  return createLoop(port, limits).run()
}

export function foldAll(rows: readonly LogRow[], from: LoopState = NEW_STATE): LoopState {
  return rowsInView(rows).reduce(fold, from)
}
