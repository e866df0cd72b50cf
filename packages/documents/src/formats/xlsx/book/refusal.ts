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

  constructor(code: Refusal['code'], message: string, details?: Record<string, unknown>) {
    super(message)
    this.code = code
    this.details = details
  }
}
