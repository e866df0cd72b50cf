import type { Failure, Result } from '@filewright/protocol'
import { useCallback, useEffect, useRef, useState } from 'react'

const POLL_MS = 2500

/** What was last heard: a failure does not take away the value that is already shown. */
export type Polled<Value> = {
  value?: Value
  failure?: Failure
  reload: () => void
}

/** Asks again while the page is looked at, so that a change from another face shows by itself. */
export function usePolled<Value>(ask: () => Promise<Result<Value>>): Polled<Value> {
  const [state, setState] = useState<{ value?: Value; failure?: Failure }>({})
  const latest = useRef(ask)

  const load = useCallback(async () => {
    const result = await ask()
    if (latest.current !== ask) return
    setState(last => {
      if (!result.ok) return { value: last.value, failure: result.failure }
      return sameJson(last.value, result.value) ? { value: last.value } : { value: result.value }
    })
  }, [ask])

  useEffect(() => {
    latest.current = ask
    setState({})
    load()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') load()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [ask, load])

  return { ...state, reload: load }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
