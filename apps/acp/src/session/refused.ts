import type { Failure, Result } from '@filewright/protocol'

/** A refusal for the editor: the request gets it as its error. */
export class Refused extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Refused(result.failure)
  return result.value
}
