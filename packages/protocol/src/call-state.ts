import { type CallIds, toEnvelope } from './envelope.ts'
import type { CallState } from './outcome.ts'
import type { Failure, Result } from './result.ts'
import type { Answer } from './tool.ts'

/** How a call ended, for the wire and for the model. */
export function toCallState(
  result: Result<Answer<Record<string, unknown>>>,
  ids: CallIds,
  warnings: readonly string[] = [],
): CallState {
  const envelope = toEnvelope(result, ids, warnings)
  if (!result.ok) return { outcome: { envelope, text: toFailureText(result.failure) } }
  const { text, fields, effects } = result.value
  const told = [
    text ?? JSON.stringify(fields),
    ...envelope.warnings
      .filter(warning => !text?.includes(warning))
      .map(warning => `Warning: ${warning}`),
  ]
  return { outcome: { envelope, text: told.join('\n'), ...(effects && { effects }) } }
}

/** What a model reads of a failure: the sentence first, every further problem, then the facts for the next try. */
export function toFailureText({ code, message, errors, details }: Failure): string {
  const others = errors.filter(error => error !== message)
  const facts = details && Object.keys(details).length > 0 ? [JSON.stringify(details)] : []
  return [`${code}: ${message}`, ...others, ...facts].join('\n')
}
