/** The store could not be reached, or went away before it answered: nobody knows whether the last write arrived. */
export class StoreAway extends Error {
  constructor(cause: unknown) {
    super(`The database did not answer: ${reasonOf(cause)}`, { cause })
  }
}

/** Of an address with several numbers, the system gives an error without words. */
function reasonOf(cause: unknown): string {
  const { message, code } = cause as { message?: string; code?: string }
  return message || code || 'no reason is known'
}
