import { type LoggedOperation, toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { newRepairFaults } from '../../../test/repair-lint/lint.ts'
import type { DocumentName, Format, InputBytes, OpenDocument } from './format.ts'
import type { FormatFacts } from './format-facts.ts'
import { toWithdrawal } from './withdrawal.ts'

export interface FormatExample {
  readonly title: string
  readonly bytes: Uint8Array
  readonly operations: readonly LoggedOperation[]
  /** Of other files that the operations take something from. */
  readonly inputs?: InputBytes
  /** Parts of the file that the operations name; every other part is byte-identical afterwards. */
  readonly touches: readonly string[]
  /** Whether a read after the operations, or the bytes where no read shows it, has what they did. */
  readonly shows: (document: OpenDocument, bytes: Uint8Array) => boolean
}

/** The promises of every format (ARCHITECTURE §5); each runs this same suite. */
export function testFormat(
  facts: FormatFacts,
  format: Format,
  suite: {
    readonly name: DocumentName
    readonly examples: readonly FormatExample[]
    readonly hostile: Readonly<Record<string, Uint8Array>>
    /** The parts that the file's bytes consist of, by name, as they lie in the file. */
    readonly partsOf: (bytes: Uint8Array) => ReadonlyMap<string, Uint8Array>
  },
): void {
  const { name } = suite
  describe(`the format contract, ${facts.id}`, () => {
    test('its facts say which optional parts its code has', () => {
      const document = unwrap(format.open(unwrap(format.create(name)), name))
      expect(facts.has.rebase).toBe(format.rebase !== undefined)
      expect(facts.has.diff !== undefined).toBe(format.diff !== undefined)
      expect(facts.has.computing ?? false).toBe(format.computing !== undefined)
      expect(facts.has.preview).toBe(document.preview !== undefined)
      if (format.diff) expect(unwrap(format.diff(null, null, name)).by).toBe(facts.has.diff)
    })

    test('a created file opens, maps, and has no changes', () => {
      const bytes = unwrap(format.create(name))
      const document = unwrap(format.open(bytes, name))
      expect(document.map().ok).toBe(true)
      expect(document.changes()).toEqual([])
    })

    test.each(suite.examples)('$title: no operation gives the same bytes', ({ bytes }) => {
      const document = unwrap(format.open(bytes, name))
      unwrap(document.map())
      unwrap(document.apply([]))
      expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), bytes)).toBe(0)
    })

    test.each(suite.examples)('$title: everything not named is byte-identical', example => {
      const { bytes, operations, touches } = example
      const before = suite.partsOf(bytes)
      const after = suite.partsOf(applied(example))
      for (const [part, own] of before)
        if (!touches.includes(part))
          expect(
            Buffer.compare(own, after.get(part) ?? new Uint8Array(0)),
            `${part} after ${operations[0]?.operation.op}`,
          ).toBe(0)
    })

    test.each(suite.examples)('$title: leaves nothing for Office to repair', example => {
      expect(newRepairFaults(example.bytes, applied(example))).toEqual([])
    })

    test.each(suite.examples)(
      '$title: a read shows it, before and after the bytes are built',
      example => {
        const document = unwrap(format.open(example.bytes, name))
        const { changes } = unwrap(document.apply(example.operations, example))
        expect(changes.length).toBeGreaterThan(0)
        expect(document.changes()).toEqual(changes)
        const bytes = applied(example)
        expect(example.shows(document, bytes)).toBe(true)
        expect(example.shows(unwrap(format.open(bytes, name)), bytes)).toBe(true)
        // what it looks for is not there without the operations
        expect(example.shows(unwrap(format.open(example.bytes, name)), example.bytes)).toBe(false)
      },
    )

    test.each(suite.examples)(
      '$title: a replay gives the same bytes, and without all changes the base',
      example => {
        const { bytes, operations, inputs } = example
        const replayed = unwrap(format.replay(bytes, operations, new Set(), name, inputs))
        expect(Buffer.compare(toBytes(replayed.content, bytes), applied(example))).toBe(0)
        const refused = new Set(replayed.changes.map(change => change.id))
        const none = unwrap(format.replay(bytes, operations, refused, name, inputs))
        expect(none.changes).toEqual([])
        expect(Buffer.compare(toBytes(none.content, bytes), bytes)).toBe(0)
      },
    )

    test.each(suite.examples)(
      '$title: a replay finds what was found at first, and says where it makes something else',
      ({ bytes, operations, inputs }) => {
        const live = unwrap(format.open(bytes, name))
        const { traces } = unwrap(live.apply(operations, { inputs }))
        const log: LoggedOperation[] = JSON.parse(
          JSON.stringify(operations.map((own, i) => ({ ...own, trace: traces[i] }))),
        )
        const fresh = unwrap(format.open(bytes, name))
        unwrap(fresh.apply(log, { inputs }))
        expect(fresh.strayed?.()).toEqual([])
        const made = toBytes(unwrap(fresh.content()), bytes)
        expect(Buffer.compare(made, toBytes(unwrap(live.content()), bytes))).toBe(0)
        const { toolCallId, index, operation, trace } = log.at(-1)!
        const other = { ...log.at(-1)!, trace: { ...trace, made: 'others' } }
        const strayed = unwrap(format.open(bytes, name))
        unwrap(strayed.apply([...log.slice(0, -1), other], { inputs }))
        expect(strayed.strayed?.()).toEqual([{ toolCallId, index, op: operation.op }])
      },
    )

    test.each(facts.has.withdraw ? suite.examples : [])(
      '$title: a log that takes back changes is the log without them',
      ({ bytes, operations, inputs }) => {
        const { changes } = unwrap(format.replay(bytes, operations, new Set(), name, inputs))
        for (const ids of [changes.slice(0, 1), changes].map(some => some.map(({ id }) => id))) {
          const log = [...operations, toWithdrawal(ids, operations[0]!)]
          const document = unwrap(format.open(bytes, name))
          unwrap(document.apply(log, { inputs }))
          const without = unwrap(format.replay(bytes, operations, new Set(ids), name, inputs))
          expect(document.changes()).toEqual(without.changes)
          const left = toBytes(without.content, bytes)
          expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), left)).toBe(0)
          const replayed = unwrap(format.replay(bytes, log, new Set(), name, inputs))
          expect(Buffer.compare(toBytes(replayed.content, bytes), left)).toBe(0)
        }
      },
    )

    test.each(suite.examples)(
      '$title: an operation that fails leaves the document as it was',
      example => {
        const document = unwrap(format.open(example.bytes, name))
        const last = example.operations.at(-1)!
        const wrong = { ...last, index: last.index + 1, operation: { op: 'no_such_operation' } }
        const result = document.apply([...example.operations, wrong], example)
        expect(result.ok).toBe(false)
        expect(document.changes()).toEqual([])
        expect(
          Buffer.compare(toBytes(unwrap(document.content()), example.bytes), example.bytes),
        ).toBe(0)
      },
    )

    test.each(Object.entries(suite.hostile))(
      'a hostile file is a failure, never a throw: %s',
      (_, bytes) => {
        const opened = format.open(bytes, name)
        const result = opened.ok ? opened.value.map() : opened
        expect(result.ok).toBe(false)
        if (!result.ok) expect(result.failure.message.length).toBeGreaterThan(20)
      },
    )

    function applied({ bytes, operations, inputs }: FormatExample): Uint8Array {
      const document = unwrap(format.open(bytes, name))
      unwrap(document.apply(operations, { inputs }))
      return toBytes(unwrap(document.content()), bytes)
    }
  })
}
