import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type CallIds,
  type JournalLine,
  type KeptCall,
  labelOf,
  measureArguments,
  type ToolCallId,
} from '@filewright/protocol'
import { findTool, type Tool } from '@filewright/tools'

type CallStart = Extract<JournalLine, { type: 'call-start' }>

const KEPT_ARGUMENTS = 16_384
const KEPT_OF_A_TEXT = 900 // two calls with a long text, and their results, then fit a page of the database with room for long paths

/** The start row of a call outside a run. */
export function toStarted(
  { toolCallId, turnId }: CallIds,
  { tool: name, arguments: given, toolCallId: ownId }: StartedRequest,
  tool: Tool | undefined,
): CallStart {
  const isNamed = ownId !== undefined
  const json = typeof given === 'string' ? given : shortJson(given ?? {}, { isNamed })
  return {
    type: 'call-start',
    tool_call_id: toolCallId,
    turn_id: turnId,
    name: tool?.declaration.name ?? name,
    arguments: json.length > KEPT_ARGUMENTS ? `${json.slice(0, KEPT_ARGUMENTS)}…` : json,
    label: tool ? labelOf(tool.declaration, given) : name,
  }
}

interface StartedRequest {
  readonly tool: string
  readonly arguments: unknown
  readonly toolCallId?: string
}

/**
 * Cuts long texts: the caller has them, and the draft has what was written. A call under its caller's own id may be sent
 * again, so it keeps a hash of each. The mark is ASCII, like most text: one wider character doubles the time to make
 * and encode a line.
 */
function shortJson(given: unknown, { isNamed }: { isNamed: boolean }): string {
  if (isFlatAndShort(given)) return JSON.stringify(given)
  if (typeof measureArguments(given) === 'string') return '{}' // refused, and too much for JSON.stringify
  return JSON.stringify(given, (_, value: unknown) => {
    if (typeof value !== 'string' || value.length <= KEPT_OF_A_TEXT) return value
    const whole = isNamed ? `, sha256 ${hash('sha256', value)}` : ''
    return `${value.slice(0, KEPT_OF_A_TEXT)}... ${value.length} characters in all${whole}`
  })
}

/** Most arguments of reads have nothing to cut. This check calls no function for each value. */
function isFlatAndShort(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  return Object.values(given).every(value =>
    typeof value === 'string' ? value.length <= KEPT_OF_A_TEXT : typeof value !== 'object',
  )
}

/** The row as it was, restored from what a draft kept. */
export function restoreStarted(
  toolCallId: ToolCallId,
  turnId: CallIds['turnId'],
  { tool: name, arguments: json }: KeptCall,
): CallStart {
  const tool = findTool(name)
  const label = tool ? labelOf(tool.declaration, parseJson(json)) : name
  return {
    type: 'call-start',
    tool_call_id: toolCallId,
    turn_id: turnId,
    name,
    arguments: json,
    label,
  }
}

/** Arguments that were cut are not valid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** A repeated call is sent as it was; answering another call with its result would be wrong. */
export function isSameCall(one: JournalLine, other: JournalLine): boolean {
  if (one.type !== 'call-start' || other.type !== 'call-start') return false
  return one.name === other.name && one.arguments === other.arguments
}

/** The same for two requests that have no row yet. */
export function isSameRequest(one: StartedRequest, other: StartedRequest): boolean {
  return one.tool === other.tool && isDeepStrictEqual(one.arguments, other.arguments)
}
