import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Host } from './host.ts'
import { patientHost } from './patient-host.ts'
import type { Work } from './work.ts'

beforeEach(() => void vi.useFakeTimers())
const { isTTY } = process.stderr
afterEach(() => {
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true })
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('opening a folder and each request say after a second how long they take, and leave nothing behind', async () => {
  const written: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0)
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true })
  const after = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
  const slow = {
    async inWorkspace(_: unknown, work: (given: Work) => Promise<void>) {
      await after(1_500)
      await work({ connection: { call: () => after(2_500) } } as unknown as Work)
    },
  } as unknown as Host
  const working = patientHost(slow, 'review').inWorkspace({}, async ({ connection }) => {
    await connection.call('health' as never)
  })
  await vi.advanceTimersByTimeAsync(1_100)
  expect(written.join('')).toMatch(/review … 1 s$/)
  await vi.advanceTimersByTimeAsync(2_500)
  expect(written.join('')).toMatch(/review … 2 s$/)
  await vi.advanceTimersByTimeAsync(1_000)
  await working
  expect(written.at(-1)).toBe('\r\u001b[K')
})
