import type { ToolCallId } from './ids.ts'

/** A call that waits for a person has no result yet. */
export interface Pending {
  readonly pending: true
  readonly approvalId: string
  readonly toolCallId: ToolCallId
  readonly message: string
}
