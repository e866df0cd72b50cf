import { expect, test, vi } from 'vitest'
import { createColours } from './colours.ts'
import type { Key } from './keys.ts'
import { ScreenConsole } from './screen-console.ts'
import type { Terminal } from './terminal.ts'
import { TOO_SOON_MS } from './too-soon.ts'

test('keys that come as soon as a question appears never answer it, nor are they sent', async () => {
  vi.useFakeTimers()
  try {
    const { press, console, submitted } = open()
    const answer = console.ask('Approve?')
    press('y', '\r')
    vi.advanceTimersByTime(TOO_SOON_MS)
    press('n', '\r')
    expect(await answer).toBe('n')
    expect(submitted).toEqual([])
    press('es', '\r')
    expect(submitted).toEqual(['yes'])
  } finally {
    vi.useRealTimers()
  }
})

test('a paste of several lines is one message, sent by the person alone', () => {
  const { paste, press, submitted } = open()
  paste('one\ntwo\n')
  expect(submitted).toEqual([])
  press('\r')
  expect(submitted).toEqual(['one\ntwo\n'])
})

test('a question that nobody can answer any more is left open', async () => {
  const { console, hangUp } = open()
  const answer = console.ask('Approve?')
  hangUp()
  expect(await answer).toBeUndefined()
})

test('streamed text is written as it comes, and only the small live part again', () => {
  vi.useFakeTimers()
  try {
    const { console, written } = open()
    for (let i = 0; i < 500; i++) {
      console.stream(`word ${i} `)
      if (i % 50 === 49) console.stream('\n')
      vi.advanceTimersByTime(5)
    }
    console.endStream()
    const all = written.join('')
    expect(all).toContain('word 499')
    expect(all).not.toContain('\u001b[2J')
    expect(written.length).toBeLessThan(200) // draws are at most thirty a second
  } finally {
    vi.useRealTimers()
  }
})

function open() {
  const submitted: string[] = []
  const written: string[] = []
  let give: (key: Key) => void = () => {}
  let hangUp = () => {}
  const terminal: Terminal = {
    columns: 80,
    rows: 24,
    colours: createColours({ isOn: false }),
    write: text => void written.push(text),
    onKey(listener) {
      give = listener
    },
    onResize() {},
    onGone(listener) {
      hangUp = listener
    },
    lend: run => run(),
    close() {},
  }
  const console = new ScreenConsole(terminal, {
    onSubmit: text => void submitted.push(text),
    onInterrupt() {},
    onEnd() {},
  })
  const toKey = (text: string): Key =>
    text === '\r' ? { type: 'key', name: 'enter' } : { type: 'text', text }
  return {
    console,
    submitted,
    written,
    press: (...texts: string[]) => texts.map(toKey).forEach(key => void give(key)),
    paste: (text: string) => give({ type: 'paste', text }),
    hangUp: () => hangUp(),
  }
}
