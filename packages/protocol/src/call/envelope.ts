import type { ConversationId, SessionId, ToolCallId, TurnId } from '../words/ids.ts'
import type { Failure, Kind, Result } from '../words/result.ts'
import type { Answer } from './tool.ts'

/** Where a call belongs; part of every envelope. */
export interface CallIds {
  readonly sessionId: SessionId
  readonly conversationId: ConversationId
  readonly turnId: TurnId
  readonly toolCallId: ToolCallId
}

/** One shape on the wire carries everything the specs require; the tool's own fields come next to these. */
export interface Envelope extends CallIds {
  readonly success: boolean
  readonly errorCode: string | null
  readonly kind?: Kind
  readonly message: string
  /** Problems that the message does not say. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly [field: string]: unknown
}

export function toEnvelope(
  result: Result<Answer<Record<string, unknown>>>,
  ids: CallIds,
  warnings: readonly string[] = [],
): Envelope {
  if (!result.ok) return frame(failureFrame(result.failure), result.failure.details, warnings, ids)
  const { fields, message } = result.value
  const all = [...warnings, ...(result.value.warnings ?? [])]
  return frame({ success: true, errorCode: null, message, errors: [] }, fields, all, ids)
}

/**
 * The frame comes first, and no tool field of the same name replaces a part of it. Copies field by field: spreading
 * took longer than the rest of a small call.
 */
function frame(
  opening: Pick<Envelope, 'success' | 'errorCode' | 'kind' | 'message' | 'errors'>,
  fields: Readonly<Record<string, unknown>> = {},
  warnings: readonly string[],
  { sessionId, conversationId, turnId, toolCallId }: CallIds,
): Envelope {
  const envelope: Record<string, unknown> = opening
  for (const key of Object.keys(fields))
    if (!Object.hasOwn(envelope, key) && key !== '__proto__') envelope[key] = fields[key]
  envelope.warnings = warnings
  envelope.sessionId = sessionId
  envelope.conversationId = conversationId
  envelope.turnId = turnId
  envelope.toolCallId = toolCallId
  return envelope as Envelope
}

function failureFrame(failure: Failure) {
  const { code, kind, message } = failure
  return { success: false, errorCode: code, kind, message, errors: unsaid(failure) }
}

/** The problems that the message leaves out. */
export function unsaid({ message, errors }: Pick<Failure, 'message' | 'errors'>): string[] {
  const said = message.toLowerCase() // a sentence may stand in the middle of it
  return errors.filter(error => !said.includes(error.replace(/\.$/, '').toLowerCase()))
}

/** Fields that belong to no tool: the rest of an envelope is the answer itself. */
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
