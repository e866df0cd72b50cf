import type { Fields } from '@filewright/protocol'

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
