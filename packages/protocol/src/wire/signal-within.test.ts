import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { signalWithin } from './signal-within.ts'

test('the time ends it, even when all that nobody holds is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const within = AbortSignal.any([signalWithin(200, new AbortController().signal)])
  for (let n = 0; n < 10; n++) {
    collect()
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  expect(within.aborted).toBe(true)
  expect(within.reason).toMatchObject({ name: 'TimeoutError' })
})

test('any of the others ends it, with its reason, at once where it has ended before', () => {
  const other = new AbortController()
  const within = signalWithin(60_000, undefined, other.signal)
  expect(within.aborted).toBe(false)
  other.abort('enough')
  expect(within.reason).toBe('enough')
  expect(signalWithin(60_000, AbortSignal.abort('before')).reason).toBe('before')
})
