/** What a caller should do next: a closed list, so that callers may switch on it. */
export const KINDS = [
  'invalid',
  'missing',
  'conflict',
  'denied',
  'limit',
  'unsupported',
  'unavailable',
  'internal',
] as const
export type Kind = (typeof KINDS)[number]

/** Codes that any tool may answer with, besides its own. */
export const COMMON_CODES = {
  INVALID_ARGUMENT: 'invalid',
  UNKNOWN_TOOL: 'invalid',
  AMBIGUOUS_VERSION: 'invalid',
  InvalidPath: 'invalid',
  NOT_FOUND: 'missing',
  NO_SUCH_REGION: 'missing',
  WORKSPACE_GONE: 'missing',
  CONFLICT: 'conflict',
  DUPLICATE_PATH: 'conflict',
  DENIED: 'denied',
  CANCELLED: 'denied',
  PROTECTED: 'denied',
  SIGNED: 'denied',
  PRIVATE_FILE: 'denied',
  TIMEOUT: 'limit',
  TOO_LARGE: 'limit',
  LIMIT_REACHED: 'limit',
  READ_ONLY_FORMAT: 'unsupported',
  UNREADABLE_FORMAT: 'unsupported',
  ENCRYPTED: 'unsupported',
  CLIENT_GONE: 'unavailable',
  WRITE_FAILED: 'unavailable',
  LOCKED: 'unavailable',
  INTERNAL_ERROR: 'internal',
} as const satisfies Record<string, Kind>
export type CommonCode = keyof typeof COMMON_CODES

/** An expected "no". `message` says what could not be done, the state found, and what would work. */
export interface Failure<Code extends string = string> {
  readonly code: Code
  readonly kind: Kind
  readonly message: string
  /** Every problem found, one sentence each; at least the message itself. */
  readonly errors: readonly string[]
  /** Facts for the next try: current lines, candidates, a corrected argument. JSON only. */
  readonly details?: Readonly<Record<string, unknown>>
}

export type Result<Value, Code extends string = string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure<Code> }

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export interface FailOptions {
  readonly kind?: Kind
  readonly errors?: readonly string[]
  readonly details?: Readonly<Record<string, unknown>>
}

/** A common code implies its kind; a tool's own code needs it in the options. */
export function fail<Code extends CommonCode>(
  code: Code,
  message: string,
  options?: FailOptions,
): { readonly ok: false; readonly failure: Failure<Code> }
export function fail<Code extends string>(
  code: Code,
  message: string,
  options: FailOptions & { readonly kind: Kind },
): { readonly ok: false; readonly failure: Failure<Code> }
export function fail(code: string, message: string, options: FailOptions = {}) {
  const kind = options.kind ?? (COMMON_CODES as Record<string, Kind>)[code] ?? 'internal'
  const failure: Failure = {
    code,
    kind,
    message,
    errors: options.errors ?? [message],
    ...(options.details && { details: options.details }),
  }
  return { ok: false as const, failure }
}

/** For tests and for values that were checked before: throws on a failure, which is a bug here. */
export function unwrap<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value
  throw new Error(`${result.failure.code}: ${result.failure.message}`)
}

/** Exit codes of the command line (CONTRACT §9). */
export const EXIT_CODES = {
  success: 0,
  internal: 1,
  invalid: 2,
  missing: 3,
  conflict: 4,
  denied: 5,
  limit: 6,
  unsupported: 7,
  unavailable: 8,
  waiting: 9,
  cancelled: 130,
} as const satisfies Record<Kind | 'success' | 'waiting' | 'cancelled', number>

export const HTTP_STATUS = {
  invalid: 400,
  missing: 404,
  conflict: 409,
  denied: 403,
  limit: 413,
  unsupported: 415,
  unavailable: 503,
  internal: 500,
} as const satisfies Record<Kind, number>
