import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'

/** What a call ends in: what the model reads, or the form that asks a person first. */
export type Answered = CallToolResult | InputRequiredResult
