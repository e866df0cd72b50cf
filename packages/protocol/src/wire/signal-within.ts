/**
 * Aborts after a time, or with any of the others. `AbortSignal.any` would hold the signal of `AbortSignal.timeout` so weakly that
 * a garbage collection takes it away, and then it never aborts.
 */
export function signalWithin(
  ms: number,
  ...signals: readonly (AbortSignal | undefined)[]
): AbortSignal {
  const own = new AbortController()
  const timer: unknown = setTimeout(
    () => own.abort(new DOMException(`The time of ${ms} ms is over`, 'TimeoutError')),
    ms,
  )
  if (typeof timer === 'object') (timer as { unref(): void }).unref() // in a browser it is a number
  own.signal.addEventListener('abort', () => clearTimeout(timer as never), { once: true })
  for (const signal of signals) {
    if (signal?.aborted) own.abort(signal.reason)
    signal?.addEventListener('abort', () => own.abort(signal.reason), {
      once: true,
      signal: own.signal,
    })
  }
  return own.signal
}
