/** A request that was refused or failed. `kind` says what to do next; the docs have a table of the eight. */
export class FilewrightError extends Error {
  override readonly name = 'FilewrightError'
  /** Of HTTP; 0: no answer came. */
  readonly status: number
  readonly code: string
  readonly kind: string
  readonly errors: readonly string[]
  /** Hints for the next try, such as `last` or `missing`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, answer: Readonly<Record<string, unknown>>) {
    const { success: _, errorCode, kind, message, errors, ...details } = answer
    const said = typeof message === 'string' ? message : `The server answered with ${status}.`
    super(said)
    this.status = status
    this.code = typeof errorCode === 'string' ? errorCode : `HTTP_${status}`
    this.kind = typeof kind === 'string' ? kind : 'unavailable'
    this.errors = Array.isArray(errors) ? errors : [said]
    this.details = details
  }
}
