import { factsOf, LINE_TEXT, loadFormat } from '@filewright/documents'
import { type LoggedOperation, ok, unwrap } from '@filewright/protocol'
import { afterAll, expect, test } from 'vitest'
import { append, engineContract, lines, nameOf } from './engine.contract.ts'
import type { DocumentRef, Engine } from './engine.ts'
import { createInProcessEngine } from './in-process-engine.ts'
import { createSplitEngine } from './split-engine.ts'
import { trapFormat } from './testing/trap-format.ts'

const loadTrap = async () => trapFormat

engineContract('an engine that splits the work', () =>
  createSplitEngine({
    here: createInProcessEngine({ loadFormat: loadTrap }),
    apart: createInProcessEngine({ loadFormat: loadTrap }),
    isLight: () => true,
  }),
)

const asked: string[] = []
const engine = createSplitEngine({
  here: noting('here', createInProcessEngine({ loadFormat })),
  apart: noting('apart', createInProcessEngine({ loadFormat })),
  isLight: (format, work) => factsOf(format).isLight!(work),
})
afterAll(() => engine.close())

test('a small text stays here, a large one goes apart', async () => {
  expect(await sidesOf(() => engine.map(textOf('small', 10_000)))).toEqual(['here'])
  expect(await sidesOf(() => engine.map(textOf('read', 100_000)))).toEqual(['here'])
  expect(await sidesOf(() => engine.changes(textOf('edited', 100_000)))).toEqual(['apart'])
  expect(await sidesOf(() => engine.map(textOf('large', 300_000)))).toEqual(['apart'])
})

test('a small text with expensive edits goes apart', async () => {
  const ref = textOf('edited', 10_000)
  const few = edit([{ search: 'line 3\n', replace: 'x' }])
  expect(await sidesOf(() => engine.apply(ref, few, 'few'))).toEqual(['here'])
  const everywhere = edit([{ search: 'e', replace: 'x', all: true }])
  expect(await sidesOf(() => engine.apply(ref, everywhere, 'all'))).toEqual(['apart'])
  const many = edit(Array.from({ length: 1000 }, (_, n) => ({ search: `${n}`, replace: '' })))
  expect(await sidesOf(() => engine.apply(ref, many, 'many'))).toEqual(['apart'])
  const growing = edit(
    Array.from({ length: 12 }, () => ({ search: 'e', replace: 'eeee', all: true })),
  )
  const tiny = textOf('tiny', 100)
  expect(await sidesOf(() => engine.apply(tiny, growing, 'grown'))).toEqual(['apart'])
  const long = edit([{ search: 'line 3', replace: 'x'.repeat(100_000) }])
  expect(await sidesOf(() => engine.apply(ref, long, 'long'))).toEqual(['apart'])
})

test('a document that grew is worked on apart, with the same content', async () => {
  const ref = textOf('growing', 1_000)
  const first = edit([{ search: 'line 3\nline 4\n', replace: 'third\n' }], 'tc_1')
  unwrap(await engine.apply(ref, first, 'after'))
  const grown: DocumentRef = {
    ...ref,
    state: 'after',
    extent: () => ({ sizeBytes: 200_000, log: first }),
    load: async () => ok({ ...unwrap(await ref.load()), log: first }),
  }
  const sides = await sidesOf(async () => {
    const content = unwrap(await engine.content(grown))
    expect(Buffer.from(content).toString()).toContain('third')
  })
  expect(sides).toEqual(['apart'])
})

test('a small text that is written a thousand times stays here, and is reviewed apart', async () => {
  const log: LoggedOperation[] = []
  const base = textOf('written', 1_000)
  const refNow = (): DocumentRef => ({
    ...base,
    state: `${log.length}`,
    extent: () => ({ sizeBytes: 1_000, log }),
    load: async () => ok({ ...unwrap(await base.load()), log: [...log] }),
  })
  const sides = await sidesOf(async () => {
    for (let i = 0; i < 1_000; i++) {
      const written = write(`${i}\n`.padEnd(10_000, 'a line\n'))
      unwrap(await engine.apply(refNow(), written, `${log.length + 1}`))
      log.push(...written)
    }
  })
  expect(new Set(sides)).toEqual(new Set(['here']))
  expect(await sidesOf(() => engine.read(refNow(), {}, { maxBytes: 1_000 }))).toEqual(['here'])
  expect(await sidesOf(() => engine.changes(refNow()))).toEqual(['apart'])
  engine.forget('written')
  await engine.content({ ...refNow(), key: 'elsewhere' }) // nobody holds it: all writes would be done again
  expect(asked.at(-1)).toBe('apart')
})

test('an expression, a long search and a document of unknown size go apart', async () => {
  const ref = textOf('searched', 10_000)
  const search = (query: object) => () => engine.search(ref, { maxHits: 1, ...query })
  expect(await sidesOf(search({ text: 'line' }))).toEqual(['here'])
  expect(await sidesOf(search({ text: 'a'.repeat(5_000) }))).toEqual(['apart'])
  expect(await sidesOf(search({ regex: { source: 'l' } }))).toEqual(['apart'])
  const { extent: _, ...unknown } = ref
  expect(await sidesOf(() => engine.map(unknown))).toEqual(['apart'])
})

test('both versions of a comparison count', async () => {
  const half = new Uint8Array(40_000).fill(97)
  const diff = (before: Uint8Array | null) =>
    sidesOf(() => engine.diff({ format: LINE_TEXT, name: nameOf('a.txt'), before, after: half }))
  expect(await diff(null)).toEqual(['here'])
  expect(await diff(half)).toEqual(['apart'])
})

test('only what was sent apart is forgotten there', async () => {
  expect(await sidesOf(async () => engine.forget('never seen'))).toEqual(['here'])
  await engine.changes(textOf('seen', 100_000))
  expect(await sidesOf(async () => engine.forget('seen'))).toEqual(['here', 'apart'])
})

test('calls on one document keep their order', async () => {
  const split = createSplitEngine({
    here: createInProcessEngine({ loadFormat: loadTrap }),
    apart: createInProcessEngine({ loadFormat: loadTrap }),
    isLight: () => true,
  })
  const ref = { ...lines('ordered', 'one'), extent: () => ({ sizeBytes: 3, log: [] }) }
  const applied = split.apply(ref, append('two'), 'next')
  const content = split.content({ ...ref, state: 'next' })
  unwrap(await applied)
  expect(Buffer.from(unwrap(await content)).toString()).toBe('one\ntwo')
})

async function sidesOf(run: () => Promise<unknown>): Promise<string[]> {
  asked.length = 0
  await run()
  return [...asked]
}

function noting<Kind extends Engine>(side: string, inner: Kind): Kind {
  return new Proxy(inner, {
    get(target, name, receiver) {
      const method = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || name === 'holds') return method
      return (...given: unknown[]) => {
        asked.push(side)
        return method.apply(target, given)
      }
    },
  })
}

function textOf(key: string, sizeBytes: number): DocumentRef {
  const text = Array.from({ length: sizeBytes / 10 }, (_, n) => `line ${n % 1000}`).join('\n')
  const bytes = Buffer.from(text.slice(0, sizeBytes))
  return {
    key,
    format: LINE_TEXT,
    name: nameOf(`${key}.txt`),
    state: 'base',
    extent: () => ({ sizeBytes, log: [] }),
    load: async () => ok({ bytes, log: [] }),
  }
}

function write(content: string) {
  const circumstances = { time: '2026-01-01T00:00:00Z', author: 'a', seed: 1 }
  return [{ toolCallId: 'tc', index: 0, operation: { op: 'write_text', content }, circumstances }]
}

function edit(edits: readonly object[], toolCallId = 'tc') {
  const circumstances = { time: '2026-01-01T00:00:00Z', author: 'a', seed: 1 }
  return [{ toolCallId, index: 0, operation: { op: 'edit_text', edits }, circumstances }]
}
