/** The store could not be reached, or went away before it answered: nobody knows whether the last write arrived. */
export class StoreAway extends Error {
  constructor(cause: unknown, store: 'database' | 'bucket' = 'database') {
    super(`The ${store} did not answer: ${reasonOf(cause)}`, { cause })
  }
}

/** Another process holds the session, or did until a moment ago: nothing was done. */
export class SessionHeld extends Error {}

/** Of an address with several numbers, the system gives an error without words. */
function reasonOf(cause: unknown): string {
  const { message, code, cause: deeper } = cause as Error & { code?: string }
  if (message === 'fetch failed' && deeper) return reasonOf(deeper)
  return message || code || 'no reason is known'
}
