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
  /** What a yes does; absent: it does nothing but tell the answer. */
  readonly decides?: Decides
}

/** What another product's agent asks a yes for, and does itself then. */
export const DEEDS = ['publish', 'discard', 'undo', 'redo'] as const
export type AskedDeed = (typeof DEEDS)[number]

/** `call`: to a tool of an MCP server outside. Answering takes the right to approve, and nobody answers their own. */
export type Decides = AskedDeed | 'call'
