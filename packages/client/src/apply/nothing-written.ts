import type { Failure, Result } from '@filewright/protocol'

/** Refused before anything was done: the message says so first (CONTRACT §3). */
export function nothingWritten<Value, Code extends string>(
  result: Result<Value, Code>,
): Result<Value, Code> {
  return result.ok ? result : { ok: false, failure: sayNothingWritten(result.failure) }
}

export function sayNothingWritten<Code extends string>(failure: Failure<Code>): Failure<Code> {
  const { message } = failure
  if (/^Nothing was /.test(message)) return failure
  const said = message.replace(/^(Cannot|There|The) /, lowered => lowered.toLowerCase())
  return { ...failure, message: `Nothing was written: ${said}` }
}
