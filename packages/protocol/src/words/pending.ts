import type { ToolCallId } from './ids.ts'

/** A call that waits for a person has no result yet. */
export interface Pending {
  readonly pending: true
  readonly approvalId: string
  readonly toolCallId: ToolCallId
  readonly message: string
  /** It waits for an answer in words, not for a yes or no; `approvalId` is the question's id. */
  readonly question?: AskedQuestion
}

export interface AskedQuestion {
  readonly text: string
  readonly choices: readonly string[]
}
