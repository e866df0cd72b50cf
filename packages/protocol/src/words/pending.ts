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
  /** It is about a call to an MCP server outside: the hash of the tool's definition, as the person is shown it. */
  readonly definition?: string
}
