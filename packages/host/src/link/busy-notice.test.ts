import { expect, test, vi } from 'vitest'
import { PATIENCE } from '../../../../test/patience.ts'
import { noticingBusy } from './busy-notice.ts'

const request = () => new Request('http://localhost/')
const never = () => new Promise<never>(() => {})

test('an owner that answers nobody is reported once', async () => {
  const say = vi.fn()
  const fetch = noticingBusy(never, { probe: never, say })
  void fetch(request())
  void fetch(request())
  await expect.poll(() => say.mock.calls.length, PATIENCE).toBe(1)
  expect(say.mock.calls[0]![0]).toContain('is busy')
})

test('a slow call of an owner that answers others is not reported', async () => {
  const say = vi.fn()
  const probe = vi.fn(async () => new Response())
  let answer = (_: Response) => {}
  const slow = () => new Promise<Response>(resolve => (answer = resolve))
  const asked = noticingBusy(slow, { probe, say })(request())
  await expect.poll(() => probe.mock.calls.length, PATIENCE).toBeGreaterThan(2)
  answer(new Response('done'))
  expect(await (await asked).text()).toBe('done')
  expect(say).not.toHaveBeenCalled()
})
