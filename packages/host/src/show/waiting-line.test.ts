import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWaiting } from './waiting-line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function terminal({ isTTY = true, columns = 40 } = {}) {
  const written: string[] = []
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0
  return { written, stream: { isTTY, columns, write } }
}

test('a call of less than a second shows nothing', () => {
  const { written, stream } = terminal()
  const line = startWaiting('Searching', { stream })
  line.say('1 of 2 files searched')
  vi.advanceTimersByTime(900)
  line.end()
  expect(written).toEqual([])
})

test('a longer one shows what it does, for how long and how far it is, and leaves nothing behind', () => {
  const { written, stream } = terminal()
  const onLong = vi.fn()
  const line = startWaiting('Searching', { stream, onLong })
  vi.advanceTimersByTime(1_000)
  expect(onLong).toHaveBeenCalledOnce()
  line.say('1 of 2 files searched')
  vi.advanceTimersByTime(1_000)
  line.end()
  vi.advanceTimersByTime(5_000)
  const clear = '\r\u001b[K'
  expect(written).toEqual([
    `${clear}Searching … 1 s`,
    `${clear}Searching … 1 s · 1 of 2 files searched`,
    `${clear}Searching … 2 s · 1 of 2 files searched`,
    clear,
  ])
})

test('a long label gives way to how long and how far', () => {
  const { written, stream } = terminal({ columns: 30 })
  const line = startWaiting('Querying SELECT everything FROM everywhere', { stream })
  line.say('half')
  vi.advanceTimersByTime(1_000)
  expect(written).toEqual(['\r\u001b[KQuerying SELECT … 1 s · half'])
})

test('a name cannot steer the terminal', () => {
  const { written, stream } = terminal({ columns: 200 })
  startWaiting('Reading \u001b]0;x\u0007', { stream })
  vi.advanceTimersByTime(1_000)
  expect(written.join('').slice('\r\u001b[K'.length)).not.toMatch(/[\u001b\u0007]/)
})

test('without a terminal nothing is written', () => {
  const { written, stream } = terminal({ isTTY: false })
  startWaiting('Searching', { stream }).say('x')
  vi.advanceTimersByTime(5_000)
  expect(written).toEqual([])
})
