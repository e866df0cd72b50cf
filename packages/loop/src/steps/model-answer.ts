import type { FinishReason } from '../port/model.ts'

/** A complete answer: calls of a stream that did not finish cleanly are not here. */
export interface ModelAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: FinishReason
  readonly provider?: unknown
}
