import type { Failure, Result } from '@filewright/protocol'
import { useState } from 'react'

/** Publishes or discards the draft, or decides its conflicts; if that is refused, it is loaded again. */
export function useClosing(reload: () => void) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  async function close<Value>(closing: Promise<Result<Value>>, onClosed: (value: Value) => void) {
    setBusy(true)
    const result = await closing
    setBusy(false)
    setFailure(result.ok ? undefined : result.failure)
    if (result.ok) return onClosed(result.value)
    reload()
  }
  /** What was refused before may be possible now. */
  const again = () => {
    setFailure(undefined)
    reload()
  }
  return { close, busy, failure, again }
}
