export interface ModelTimeouts {
  /** Until the answer begins: a local model reads a long prompt for minutes. */
  readonly firstByteMs: number
  /** Between two pieces of an answer. */
  readonly silenceMs: number
}

export const MODEL_TIMEOUTS: ModelTimeouts = { firstByteMs: 300_000, silenceMs: 120_000 }
