import { type Fields, fail, type LoggedOperation, lookUp, type Result } from '@filewright/protocol'

/**
 * An expected refusal deep inside an operation: thrown so that half-done steps are undone, and turned into a value in
 * `apply`.
 */
export class Refusal extends Error {
  readonly code:
    | 'INVALID_ARGUMENT'
    | 'NO_SUCH_REGION'
    | 'PROTECTED'
    | 'TOO_LARGE'
    | 'UNREADABLE_FORMAT'
    | 'CONFLICT'
  readonly details: Record<string, unknown> | undefined
  /** The operations that would do what was probably meant: offered, never done unasked. */
  readonly meant: readonly Fields[] | undefined

  constructor(
    code: Refusal['code'],
    message: string,
    details?: Record<string, unknown>,
    meant?: readonly Fields[],
  ) {
    super(message)
    this.code = code
    this.details = details
    this.meant = meant
  }
}

/** The handler of an operation. */
export function handlerFor<Handler>(
  handlers: Readonly<Record<string, Handler>>,
  { op }: Fields,
): Handler {
  const handler = lookUp(handlers, String(op))
  if (handler !== undefined) return handler
  throw new Refusal(
    'INVALID_ARGUMENT',
    `there is no operation ${JSON.stringify(op)}; the operations are ${Object.keys(handlers).join(', ')}`,
  )
}

/** The refusal of one operation of a log; whatever the log did before is undone. */
export function toFailure(
  { code, message, details: found }: Refusal,
  position: number,
  { operation }: LoggedOperation,
  meant: readonly Fields[] | undefined,
): Result<never> {
  const { errors: own, ...facts } = found ?? {}
  const errors = Array.isArray(own)
    ? (own as string[]).map(error => `operations[${position}].${error}`)
    : undefined
  const details = { ...facts, ...(meant && { meant }) }
  return fail(
    code,
    `Nothing was written: operations[${position}] (${operation.op}): ${message}${/[.!?]$/.test(message) ? '' : '.'}`,
    { ...(errors && { errors }), ...(Object.keys(details).length > 0 && { details }) },
  )
}
