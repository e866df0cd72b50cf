import type { Failure, Result } from '../words/result.ts'
import { type CallIds, toEnvelope, unsaid } from './envelope.ts'
import type { CallState } from './outcome.ts'
import type { Answer } from './tool.ts'

/** How a call ended, for the wire and for the model. */
export function toCallState(
  result: Result<Answer<Record<string, unknown>>>,
  ids: CallIds,
  warnings: readonly string[] = [],
): CallState {
  const envelope = toEnvelope(result, ids, warnings)
  if (!result.ok) return { outcome: { envelope, text: toFailureText(result.failure) } }
  const answer = result.value
  const { effects, brief, rows, images } = answer
  let told: string | undefined
  return {
    outcome: {
      envelope,
      get text() {
        told ??= toText(answer, envelope.warnings)
        return told
      },
      ...(effects && { effects }),
      ...(images && images.length > 0 && { images }),
      ...(brief && { brief }),
      ...(rows && { rows }),
    },
  }
}

function toText(
  { text, fields }: Answer<Record<string, unknown>>,
  warnings: readonly string[],
): string {
  return [
    text ?? JSON.stringify(fields),
    ...warnings.filter(warning => !text?.includes(warning)).map(warning => `Warning: ${warning}`),
  ].join('\n')
}

/** How a failure reads to a model: the sentence first, every further problem, then the facts for the next try. */
export function toFailureText(failure: Failure): string {
  const { code, message, details } = failure
  const facts = details && Object.keys(details).length > 0 ? [JSON.stringify(details)] : []
  return [`${code}: ${message}`, ...unsaid(failure), ...facts].join('\n')
}
