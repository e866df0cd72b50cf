export interface ModelTimeouts {
  /** Until the answer begins: a local model reads a long prompt for minutes. */
  readonly firstByteMs: number
  /** Between two pieces of an answer. */
  readonly silenceMs: number
  /** While the connection stays alive without a piece of the answer: some servers queue a request for ten minutes. */
  readonly stallMs: number
}

export const MODEL_TIMEOUTS: ModelTimeouts = {
  firstByteMs: 300_000,
  silenceMs: 120_000,
  stallMs: 900_000,
}
