import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { openLogFolder } from './log-folder.ts'
import { createUnsynced } from './unsynced.ts'

const LOG = 'drafts/open/a.jsonl'
const long = (n: number) => ({ n, text: 'x'.repeat(20_000) })

async function logOf(lines: readonly (readonly unknown[])[], { isClosed = true } = {}) {
  const root = makeTempFolder()
  const state = openLogFolder(root, createUnsynced())
  for (const together of lines) await state.append(LOG, together)
  if (isClosed) state.close()
  return { root, state, path: join(root, LOG) }
}

test('lines are read as they were appended, alone or together', async () => {
  const { state } = await logOf([[{ n: 1 }], [{ n: 2 }, { n: 3 }], [{ n: 4 }]])
  expect(await state.read(LOG)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
})

test('an append cut off at any byte is gone, and the next one follows the last complete one', async () => {
  const { state, path } = await logOf([[{ n: 1 }], [{ n: 2 }, { n: 3 }]])
  const whole = readFileSync(path)
  const first = whole.indexOf('\n') + 1
  for (let end = first; end < whole.length; end++) {
    writeFileSync(path, whole.subarray(0, end))
    expect(await state.read(LOG)).toEqual([{ n: 1 }])
    await state.append(LOG, [{ n: 4 }, { n: 5 }])
    expect(await state.read(LOG)).toEqual([{ n: 1 }, { n: 4 }, { n: 5 }])
    state.close()
  }
})

test('a grown log has room ahead, which is never read and is released on closing', async () => {
  const lines = Array.from({ length: 12 }, (_, n) => long(n))
  const { state, path } = await logOf(
    lines.map(line => [line]),
    { isClosed: false },
  )
  const bytes = readFileSync(path)
  const end = bytes.indexOf(0)
  expect(end).toBeGreaterThan(0)
  expect(bytes.subarray(end).every(byte => byte === 0)).toBe(true)
  expect(await state.read(LOG)).toEqual(lines)
  state.close()
  expect(statSync(path).size).toBe(end)
  expect(await state.read(LOG)).toEqual(lines)
})

test('after a crash the room ahead, and everything after a lost part of the last append, is not a line', async () => {
  const lines = Array.from({ length: 12 }, (_, n) => long(n))
  const { state, path } = await logOf(
    lines.map(line => [line]),
    { isClosed: false },
  )
  const bytes = readFileSync(path)
  state.close()
  const end = bytes.indexOf(0)
  const last = bytes.subarray(0, end - 1).lastIndexOf('\n') + 1
  for (const lost of [last + 1, last + 512, end - 700]) {
    writeFileSync(path, Buffer.from(bytes).fill(0, lost, lost + 512))
    const again = openLogFolder(join(path, '../../..'), createUnsynced())
    expect(await again.read(LOG)).toEqual(lines.slice(0, -1))
    await again.append(LOG, [{ n: 'next' }])
    expect(await again.read(LOG)).toEqual([...lines.slice(0, -1), { n: 'next' }])
    again.close()
  }
})

test('concurrent appends to one new log are all there, in order', async () => {
  const state = openLogFolder(makeTempFolder(), createUnsynced())
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  await Promise.all(numbers.map(n => state.append(LOG, [{ n }])))
  expect(await state.read(LOG)).toEqual(numbers.map(n => ({ n })))
  state.close()
})
