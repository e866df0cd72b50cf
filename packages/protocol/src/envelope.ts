import type { ConversationId, SessionId, ToolCallId, TurnId } from './ids.ts'
import type { Failure, Kind, Result } from './result.ts'
import type { Answer } from './tool.ts'

/** Where a call belongs; in every envelope. */
export interface CallIds {
  readonly sessionId: SessionId
  readonly conversationId: ConversationId
  readonly turnId: TurnId
  readonly toolCallId: ToolCallId
}

/** On the wire one shape carries what all the specs ask for; the tool's own fields stand beside these. */
export interface Envelope extends CallIds {
  readonly success: boolean
  readonly errorCode: string | null
  readonly kind?: Kind
  readonly message: string
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly [field: string]: unknown
}

export function toEnvelope(
  result: Result<Answer<Record<string, unknown>>>,
  ids: CallIds,
  warnings: readonly string[] = [],
): Envelope {
  const { sessionId, conversationId, turnId, toolCallId } = ids
  const place = { sessionId, conversationId, turnId, toolCallId }
  if (!result.ok) {
    const frame = failureFrame(result.failure)
    return { ...frame, ...result.failure.details, ...frame, warnings, ...place }
  }
  const { fields, message } = result.value
  const frame = { success: true, errorCode: null, message, errors: [] }
  const all = [...warnings, ...(result.value.warnings ?? [])]
  // The frame opens the envelope, and stands again behind fields that might be called like it.
  return { ...frame, ...fields, ...frame, warnings: all, ...place }
}

function failureFrame({ code, kind, message, errors }: Failure) {
  return { success: false, errorCode: code, kind, message, errors }
}

/** What is no tool's own: the rest of an envelope is the answer itself. */
const FRAME = new Set([
  'success',
  'errorCode',
  'kind',
  'message',
  'errors',
  'warnings',
  'sessionId',
  'conversationId',
  'turnId',
  'toolCallId',
])

export function ownFields(envelope: Envelope): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(envelope).filter(
      ([key]) => !FRAME.has(key) || (key === 'kind' && envelope.success), // only a failure has one
    ),
  )
}
