import { EXIT_CODES, type Failure, type Result } from '@filewright/protocol'

/** Ends the command with what its caller should do next. */
export class Exit extends Error {
  readonly code: number
  constructor(code: number, message?: string) {
    super(message ?? '')
    this.code = code
  }
}

export function exitFor(failure: Pick<Failure, 'kind' | 'code' | 'message'>): Exit {
  if (failure.code === 'CANCELLED') return new Exit(EXIT_CODES.cancelled, failure.message)
  return new Exit(EXIT_CODES[failure.kind], failure.message)
}

export function unwrapOrExit<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value
  throw exitFor(result.failure)
}
