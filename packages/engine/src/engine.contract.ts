import type { DocumentName, FormatId } from '@filewright/documents'
import {
  type AnyBytes,
  type ChangeId,
  type LoggedOperation,
  ok,
  type Sha256,
  toBytes,
  toDocPath,
  unwrap,
} from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import type { DocumentRef, Engine } from './engine.ts'

const HASH = 'a'.repeat(64) as Sha256

export const READ = { maxBytes: 10_000 }

/** Whatever it is called, the engine under test loads the trap format. */
export const TRAP = 'trap' as FormatId

/** A document of lines; `loads` counts how often its bytes were asked for. */
export function lines(
  key: string,
  text: string,
  log: readonly LoggedOperation[] = [],
  state = 'base',
) {
  const bytes = new TextEncoder().encode(text)
  const ref: DocumentRef & { loads: number } = {
    key,
    format: TRAP,
    name: nameOf(`${key}.trap`),
    state,
    loads: 0,
    async load() {
      ref.loads++
      return ok({ bytes, log })
    },
  }
  return ref
}

export function append(...appended: string[]): LoggedOperation[] {
  return appended.map((line, index) => ({
    toolCallId: `tc_${line}`,
    index,
    operation: { op: 'append', line },
    circumstances: { time: '2026-01-01T00:00:00Z', author: 'a', seed: 1 },
  }))
}

export function nameOf(path: string): DocumentName {
  return { path: path as never, docPath: toDocPath(path as never) }
}

export async function textOf(engine: Engine, ref: DocumentRef): Promise<string> {
  return unwrap(await engine.read(ref, {}, READ)).text
}

/** What every engine does, wherever its host runs. It must be made with the trap format. */
export function engineContract(what: string, create: () => Engine): void {
  describe(what, () => {
    const engine = create()
    afterAll(() => engine.close())

    test('maps, reads and searches a document that is loaded once', async () => {
      const ref = lines('once', 'one\ntwo\nthree')
      expect(unwrap(await engine.map(ref)).fields).toEqual({ lines: 3 })
      const reading = await engine.read(ref, { line_start: 2, line_count: 1 }, READ)
      expect(unwrap(reading).text).toBe('two')
      const hits = await engine.search(ref, { regex: { source: '^T', flags: 'i' }, maxHits: 1 })
      expect(unwrap(hits)).toMatchObject({ hits: [{ place: 'line 2' }], isTruncated: true })
      expect(ref.loads).toBe(1)
    })

    test('keeps applied operations open under the next state', async () => {
      const ref = lines('kept', 'one')
      const applied = await engine.apply(ref, append('two'), 'after')
      expect(unwrap(applied).results).toEqual([{ op: 'append', message: 'Appended "two"' }])
      const after = { ...ref, state: 'after' }
      expect(await textOf(engine, after)).toBe('one\ntwo')
      expect(unwrap(await engine.changes(after)).map(change => change.after?.text)).toEqual(['two'])
      expect(new TextDecoder().decode(unwrap(await engine.content(after)))).toBe('one\ntwo')
      expect(await textOf(engine, after)).toBe('one\ntwo')
      expect(ref.loads).toBe(1)
    })

    test('rebuilds a document that is held with another state', async () => {
      const ref = lines('state', 'one')
      unwrap(await engine.apply(ref, append('lost'), 'never kept'))
      expect(await textOf(engine, ref)).toBe('one')
      expect(ref.loads).toBe(2)
    })

    test('rebuilds a document from its base and its log', async () => {
      expect(await textOf(engine, lines('log', 'one', append('two', 'three')))).toBe(
        'one\ntwo\nthree',
      )
    })

    test('gives the bytes of other files to the operations that pin them', async () => {
      const inputs = { [HASH]: new TextEncoder().encode('from elsewhere') }
      const log = append('picture', 'two').map(entry => ({ ...entry, inputs: { picture: HASH } }))
      const base = new TextEncoder().encode('one')
      const ref = lines('inputs', 'one')
      const { changes } = unwrap(await engine.apply(ref, log, 'n', { inputs }))
      expect(await textOf(engine, { ...ref, state: 'n' })).toBe('one\nfrom elsewhere\ntwo')
      engine.forget('inputs')
      const load = async () => ok({ bytes: base, log, options: { inputs } })
      const drafted = { ...ref, state: 'n', load }
      expect(await textOf(engine, drafted)).toBe('one\nfrom elsewhere\ntwo')
      const replayed = unwrap(await engine.replay(drafted, new Set([changes[1]!.id])))
      expect(new TextDecoder().decode(toBytes(replayed.content, base))).toBe('one\nfrom elsewhere')
    })

    test('passes the failures of a format and of load on', async () => {
      const protect = await engine.apply(lines('refused', 'one'), append('refuse'), 'n')
      expect(protect).toMatchObject({ ok: false, failure: { code: 'PROTECTED', kind: 'denied' } })
      const broken = await engine.map(lines('broken', 'broken'))
      expect(broken).toMatchObject({ ok: false, failure: { code: 'UNREADABLE_FORMAT' } })
      const missing = { ok: false, failure: { code: 'NOT_FOUND' } } as never
      expect(await engine.map({ ...lines('gone', ''), load: async () => missing })).toBe(missing)
    })

    test('replays a log without refused changes, whether it is held or not', async () => {
      const log = append('a', 'b')
      const base = new TextEncoder().encode('one')
      const [first] = unwrap(await engine.apply(lines('replayed', 'one'), log, 'n')).changes
      const ref = lines('replayed', 'one', log, 'n')
      const textWithout = async (...refused: ChangeId[]) => {
        const replayed = unwrap(await engine.replay(ref, new Set(refused)))
        return new TextDecoder().decode(toBytes(replayed.content, base))
      }
      for (const forget of [() => {}, () => engine.forget('replayed')]) {
        forget()
        expect(await textWithout(first!.id)).toBe('one\nb')
        expect(await textWithout()).toBe('one\na\nb')
      }
    })

    test('brings a log onto other bytes, and says how two contents differ', async () => {
      const [base, current] = ['one', 'zero\none'].map(text => new TextEncoder().encode(text))
      const request = {
        ...{ base: base!, current: current!, refused: new Set<never>() },
        log: append('two').map(entry => ({ ...entry, inputs: { two: HASH } })),
        inputs: { [HASH]: new TextEncoder().encode('given') },
        ...{ planned: [], name: nameOf('a.trap'), version: '12345678', since: 'since then' },
        ...{ advice: 'Read it again.', isDraft: true },
      }
      const rebased = unwrap(await engine.rebase(TRAP, request))
      const after = toBytes(rebased.content, current!)
      expect(new TextDecoder().decode(after)).toBe('zero\none\ngiven')
      const name = nameOf('a.trap')
      const difference = await engine.diff({ format: TRAP, name, before: null, after })
      expect(unwrap(difference)).toEqual({ by: 'lines', unified: '0 lines, 3 lines' })
    })

    test('shows the beginning of a document', async () => {
      expect(unwrap(await engine.preview(lines('preview', 'one\ntwo')))).toEqual({
        lines: ['one'],
        lineCount: 2,
      })
    })

    test('creates the same file twice', async () => {
      const first = unwrap(await engine.create(TRAP, nameOf('new.trap')))
      expect(new TextDecoder().decode(first)).toBe('blank')
      expect(unwrap(await engine.create(TRAP, nameOf('new.trap')))).toEqual(first)
    })

    test('searches many files, each with its own result', async () => {
      const files = ['one two', 'broken', 'two', 'three'].map((text, i) => ({
        state: `${i}`,
        source: {
          format: TRAP,
          name: nameOf(`${i}.trap`),
          bytes: new TextEncoder().encode(text),
        },
      }))
      const unknown = { state: 'unknown' }
      const query = { text: 'two', maxHits: 9 }
      const searched = unwrap(await engine.searchFiles([...files, unknown], query))
      expect([...searched.found]).toMatchObject([
        [0, { value: { hits: [{}] } }],
        [1, { failure: { code: 'UNREADABLE_FORMAT' } }],
        [2, { value: { hits: [{}] } }],
      ])
      expect(searched.unheld).toEqual([4])
    })

    test('refuses an invalid expression', async () => {
      const regex = { source: '(' }
      const found = await engine.search(lines('bad', ''), { regex, maxHits: 1 })
      expect(found).toMatchObject({ ok: false, failure: { code: 'INVALID_ARGUMENT' } })
    })

    test('carries out the calls on one document in the order they were made', async () => {
      const ref = lines('order', 'start')
      const names = Array.from({ length: 20 }, (_, i) => `${i}`)
      let state = ref.state
      for (const name of names) {
        engine.apply({ ...ref, state }, append(name), name)
        state = name
      }
      expect(await textOf(engine, { ...ref, state })).toBe(`start\n${names.join('\n')}`)
      expect(ref.loads).toBe(1)
    })

    test('a fault in a format is INTERNAL_ERROR and leaves no half-done change', async () => {
      const ref = lines('fault', 'one')
      const applied = await engine.apply(ref, append('two', 'trap:throw'), 'n')
      expect(applied).toMatchObject({
        ok: false,
        failure: { code: 'INTERNAL_ERROR', message: expect.stringMatching(/^Nothing was written/) },
      })
      expect(await textOf(engine, ref)).toBe('one')
    })

    test('nesting without end is TOO_LARGE', async () => {
      const mapped = await engine.map(lines('deep', 'trap:stack'))
      expect(mapped).toMatchObject({ ok: false, failure: { code: 'TOO_LARGE', kind: 'limit' } })
    })

    test('a forgotten document is loaded again', async () => {
      const ref = lines('forgotten', 'one')
      await textOf(engine, ref)
      engine.forget(ref.key)
      expect(await textOf(engine, ref)).toBe('one')
      expect(ref.loads).toBe(2)
    })

    test('a load does not keep the calls on other documents waiting', async () => {
      let deliver = () => {}
      const slow = lines('slow', 'one')
      const load = slow.load
      const started = new Promise<void>(began => {
        slow.load = () => {
          began()
          return new Promise<void>(resolve => {
            deliver = resolve
          }).then(load)
        }
      })
      const waiting = textOf(engine, slow)
      await started
      expect(await textOf(engine, lines('quick', 'two'))).toBe('two')
      deliver()
      expect(await waiting).toBe('one')
    })

    test('answers about files that nobody holds open, at hand or not', async () => {
      const piece = new Uint8Array(100_000)
      const elsewhere: AnyBytes = {
        sizeBytes: 300_000,
        async *stream() {
          for (const value of [1, 2, 3]) yield piece.fill(value) // in one buffer, as from a disk
        },
      }
      const asked = { format: TRAP, path: 'a.trap', what: 'add up', input: {} }
      const files = [Uint8Array.of(1, 2), elsewhere, new Uint8Array(0)]
      expect(unwrap(await engine.task({ ...asked, task: 'sums', files }))).toEqual([3, 600_000, 0])
      const unknown = await engine.task({ ...asked, task: 'unknown', files: [] })
      expect(unknown).toMatchObject({ failure: { code: 'INTERNAL_ERROR' } })
    })

    test('opens a document whose bytes lie elsewhere', async () => {
      const ref = lines('elsewhere', 'one\ntwo')
      const { bytes } = unwrap(await ref.load())
      const stored = {
        sizeBytes: 7,
        stream: async function* () {
          yield bytes as Uint8Array
        },
      }
      const load = async () => ok({ bytes: stored, log: [] })
      expect(await textOf(engine, { ...ref, load })).toBe('one\ntwo')
    })
  })
}
