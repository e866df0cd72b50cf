import { LIMITS } from '@filewright/protocol'

/** What `decide` measures a state against. A run may set some of them in its `run-start` row. */
export interface LoopLimits {
  readonly toolCallsPerTurn: number
  readonly turnsPerRun: number
  readonly toolTimeoutMs: number
  readonly resultBytes: number
  readonly turnResultBytes: number
  readonly compactionShare: number
  /** The model's context size when it is unknown. */
  readonly unknownContextTokens: number
  /** How often a request is sent before a run gives up. */
  readonly modelAttempts: number
  /** Off until a person sets them. */
  readonly budgetTokens?: number
  readonly budgetDollars?: number
  readonly budgetMs?: number
}

const MODEL_ATTEMPTS = 6 // waits of 1, 2, 4, 8 and 16 s: by then a limit per minute has nearly passed

export const LOOP_LIMITS: LoopLimits = {
  toolCallsPerTurn: LIMITS.toolCallsPerTurn,
  turnsPerRun: LIMITS.turnsPerRun,
  toolTimeoutMs: LIMITS.toolTimeoutMs,
  resultBytes: LIMITS.resultBytes,
  turnResultBytes: LIMITS.turnResultBytes,
  compactionShare: LIMITS.compactionShare,
  unknownContextTokens: LIMITS.unknownContextTokens,
  modelAttempts: MODEL_ATTEMPTS,
}
