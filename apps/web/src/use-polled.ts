import type { Failure, Result } from '@filewright/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import { askedInTurn } from './asked-in-turn.ts'

const POLL_MS = 2500
/** What takes long to answer is asked for more seldom, so that a page that is only open costs the server little. */
const REST = 8
const SELDOM_MS = 8000

/** What was last heard: a failure does not take away the value that is already shown. */
export type Polled<Value> = {
  value?: Value
  failure?: Failure
  reload: () => void
}

/** Asks again while the page is visible, so that a change from another face appears by itself. */
export function usePolled<Value>(
  ask: () => Promise<Result<Value>>,
  pulse?: unknown,
): Polled<Value> {
  const took = useRef(0)
  const timed = useMemo(
    () => async () => {
      const begun = performance.now()
      const result = await ask()
      took.current = performance.now() - begun
      return result
    },
    [ask],
  )
  const asked = useAsked(timed, pulse)
  const { reload } = asked
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      const pause = Math.min(Math.max(POLL_MS, REST * took.current), SELDOM_MS)
      timer = setTimeout(poll, pause)
    }
    const poll = () => {
      if (document.visibilityState === 'visible') reload()
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [reload])
  return asked
}

/** Asks once, and again whenever the pulse is another. */
export function useAsked<Value>(ask: () => Promise<Result<Value>>, pulse?: unknown): Polled<Value> {
  const [state, setState] = useState<{ value?: Value; failure?: Failure }>({})
  const newest = useRef(ask)
  useEffect(() => {
    newest.current = ask
  }, [ask])
  const reload = useMemo(
    () =>
      askedInTurn(async () => {
        const result = await ask()
        if (newest.current !== ask) return // another question has been asked since
        setState(last => {
          if (!result.ok) return { value: last.value, failure: result.failure }
          return sameJson(last.value, result.value)
            ? { value: last.value }
            : { value: result.value }
        })
      }),
    [ask],
  )
  useEffect(() => reload(), [reload, pulse])
  return { ...state, reload }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
