import { createHash } from 'node:crypto'
import { textFormat } from '@filewright/documents/text'
import { type AnyBytes, LIMITS, type Sha256, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createSourceTexts, type TextEngine } from './source-texts.ts'

test('a small text is kept, and the least recently used one is given up', async () => {
  const { run, bytesOf } = createSourceTexts()
  const first = file('one\ntwo\n')
  expect(unwrap(await run('read', ASKED, [first])).content).toBe('one\ntwo\n')
  expect(bytesOf(first.sha256)).toBe(first.bytes)
  for (let i = 0; i < 300; i++) await run('read', ASKED, [file(`${i}\n`.padEnd(60_000, 'y'))])
  expect(bytesOf(first.sha256)).toBeUndefined()
})

test('a binary file is never text, however often it is requested', async () => {
  const { run } = createSourceTexts()
  for (let i = 0; i < 2; i++)
    expect(await run('read', ASKED, [file('a\0b')])).toMatchObject({
      failure: { code: 'UNREADABLE_FORMAT' },
    })
})

test('a long text goes to the engine, by its stream if it lies elsewhere', async () => {
  const engine = noting()
  const { run, bytesOf } = createSourceTexts(engine)
  const long = file('line\n'.repeat(100_000))
  expect(unwrap(await run('read', ASKED, [long])).lineCount).toBe(100_000)
  const bytes: AnyBytes = {
    sizeBytes: long.bytes.length,
    async *stream() {
      yield long.bytes
    },
  }
  expect(unwrap(await run('read', ASKED, [{ ...long, bytes }])).lineCount).toBe(100_000)
  expect(engine.asked).toEqual(['read', 'read'])
  expect(bytesOf(long.sha256)).toBeUndefined()
})

test('a megabyte of plain text is read here; one in an old encoding, or of tiny lines, goes to the engine', async () => {
  const engine = noting()
  const { run } = createSourceTexts(engine)
  const size = 1024 * 1024
  const plain = file(
    'of words in one line that is long enough\n'.padEnd(
      size,
      'a line of text in forty characters, ok.\n',
    ),
  )
  expect(unwrap(await run('read', ASKED, [plain])).content).toHaveLength(size)
  expect(engine.asked).toEqual([])
  const old = Buffer.alloc(size, 0xe9)
  const sha256 = createHash('sha256').update(old).digest('hex') as Sha256
  await run('read', ASKED, [{ path: 'a.txt', sha256, bytes: old }])
  await run('read', ASKED, [file('\n'.repeat(size))])
  expect(engine.asked).toEqual(['read', 'read'])
})

test('a small text with a large patch goes to the engine', async () => {
  const engine = noting()
  const { run } = createSourceTexts(engine)
  const changes = Array.from({ length: 3000 }, (_, i) => ({
    operation: 'insert' as const,
    afterLine: i,
    newLines: ['x'],
  }))
  await run('check', { docPath: 'a', originalSha256: 'a', changes }, [file('a\n'.repeat(3000))])
  expect(engine.asked).toEqual(['check'])
})

test('nothing is begun for a call whose time is over', async () => {
  const engine = noting()
  const { within } = createSourceTexts(engine)
  const long = file('line\n'.repeat(100_000))
  expect(await within(performance.now() - 1).run('read', ASKED, [long])).toMatchObject({
    failure: { code: 'TIMEOUT', message: expect.stringContaining('30 s') },
  })
  expect(engine.asked).toEqual([])
})

test('a text over the limit is refused before anything is read', async () => {
  const engine = noting()
  const { run } = createSourceTexts(engine)
  const bytes: AnyBytes = {
    sizeBytes: LIMITS.textBytes + 1,
    stream: () => expect.unreachable('nothing is read'),
  }
  expect(await run('read', ASKED, [{ ...file(''), bytes }])).toMatchObject({
    failure: { code: 'TOO_LARGE', message: expect.stringContaining('at most 512 MB') },
  })
  expect(engine.asked).toEqual([])
})

const ASKED = { path: 'a.txt', version: '12345678', lineStart: 1 }

function file(text: string) {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex') as Sha256
  return { path: 'a.txt', sha256, bytes }
}

/** The text format, as the engine's child has it. */
function noting(): TextEngine & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async task({ task, input, files }) {
      asked.push(task)
      const whole = files.map(bytes => (bytes instanceof Uint8Array ? [bytes] : bytes.stream()))
      const held: Uint8Array[] = []
      for (const pieces of whole) {
        const parts: Uint8Array[] = []
        for await (const piece of pieces) parts.push(piece)
        held.push(Buffer.concat(parts))
      }
      return textFormat.tasks![task]!(input, held)
    },
  }
}
