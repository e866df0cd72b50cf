/** Structured events: names and facts, never content, never a secret. */
export interface Logger {
  event(name: string, fields?: Readonly<Record<string, unknown>>): void
  /** A bug: logged once, with its cause. */
  error(name: string, cause: unknown, fields?: Readonly<Record<string, unknown>>): void
}

export function createLogger(write: (line: string) => void, now: () => Date): Logger {
  const put = (level: string, event: string, fields: Readonly<Record<string, unknown>>) =>
    write(`${JSON.stringify({ time: now().toISOString(), level, event, ...fields })}\n`)
  return {
    event: (name, fields = {}) => put('info', name, fields),
    error(name, cause, fields = {}) {
      const error =
        cause instanceof Error
          ? { message: cause.message, stack: cause.stack }
          : { message: String(cause) }
      put('error', name, { ...fields, error })
    },
  }
}
