import {
  type Change,
  type ChangeId,
  type DocPath,
  type LoggedOperation,
  type Operation,
  type RelativePath,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { decodeText } from '../decode/text.ts'
import { textFormat } from '../format.ts'
import { applyFilePatch } from '../patch/apply-file-patch.ts'
import { type LineChange, selectChanges } from '../patch/line-changes.ts'
import { arbitraryChanges, arbitraryText, insert, remove, replace } from '../patch-laws.contract.ts'

const NAME = { docPath: 'a.txt' as DocPath, path: 'a.txt' as RelativePath }
const CIRCUMSTANCES = { time: '2026-01-01T00:00:00Z', author: 'model', seed: 1 }

const log = (...operations: Operation[]): LoggedOperation[] =>
  operations.map((operation, i) => ({
    toolCallId: `tc_${i}`,
    index: 0,
    operation,
    circumstances: CIRCUMSTANCES,
  }))
const edit = (search: string, text: string, all?: true) => ({
  op: 'edit_text',
  edits: [{ search, replace: text, ...(all && { all }) }],
})
const lines = (...changes: LineChange[]) => ({ op: 'line_changes', changes })

function open(base: string | Uint8Array, operations: LoggedOperation[]) {
  const bytes = Buffer.from(base)
  const document = unwrap(textFormat.open(bytes, NAME))
  unwrap(document.apply(operations))
  return {
    changes: document.changes(),
    text: Buffer.from(toBytes(unwrap(document.content()), bytes)),
  }
}

function replay(
  base: string | Uint8Array,
  operations: LoggedOperation[],
  refused: Iterable<ChangeId>,
) {
  const bytes = Buffer.from(base)
  const replayed = unwrap(textFormat.replay(bytes, operations, new Set(refused), NAME))
  return { ...replayed, text: Buffer.from(toBytes(replayed.content, bytes)) }
}

/** The text without the changes at `refused`, by their place in the list of all changes. */
function without(base: string, operations: Operation[], refused: number[]): string {
  const logged = log(...operations)
  const { changes } = open(base, logged)
  return replay(
    base,
    logged,
    refused.map(i => changes[i]!.id),
  ).text.toString()
}

describe('refusing a change', () => {
  verifies(
    ['CONTRACT §6 divisible', 'CONTRACT §6 refusal narrows'],
    'narrows its operation to the other places',
    () => {
      expect(without('x a x a x\na\n', [edit('a', 'bb', true)], [1])).toBe('x bb x a x\nbb\n')
      expect(
        without(
          '1\n2\n3\n',
          [lines(insert(0, 'a'), replace('1\n2\n3\n', 2, 2, 'B'), insert(3, 'z'))],
          [1],
        ),
      ).toBe('a\n1\n2\n3\nz\n')
    },
  )
  verifies(['CONTRACT §6 atomic', 'CONTRACT §6 refusal drops'], 'drops a full write whole', () => {
    const base = 'a\nb\nc\nd\ne\n'
    const written = { op: 'write_text', content: 'A\nb\nc\nd\nE\n' }
    expect(open(base, log(written)).changes).toHaveLength(2)
    expect(without(base, [written], [0])).toBe(base)
    const { changes } = open(base, log(written))
    expect(replay(base, log(written), [changes[0]!.id]).dropped).toEqual([changes[1]!.id])
  })
  verifies('CONTRACT §6 dependsOn', 'drops its dependants, and names them', () => {
    const operations = log(edit('b', 'new'), edit('new', 'newer'), edit('c', 'C'))
    const { changes } = open('a\nb\nc\n', operations)
    expect(changes.map(change => change.dependsOn)).toEqual([[], [changes[0]!.id], []])
    const { text, dropped, changes: left } = replay('a\nb\nc\n', operations, [changes[0]!.id])
    expect(text.toString()).toBe('a\nb\nC\n')
    expect(dropped).toEqual([changes[1]!.id])
    expect(left.map(change => change.id)).toEqual([changes[2]!.id])
  })
  test('keeps changes at its border', () => {
    const base = 'a\nb\nc\n'
    expect(
      without(
        base,
        [lines(replace(base, 2, 2, 'B')), lines(insert(2, 'x')), lines(insert(1, 'y'))],
        [0],
      ),
    ).toBe('a\ny\nb\nx\nc\n')
    expect(without('one two\n', [edit('one', '1'), edit(' two', ' 2')], [0])).toBe('one 2\n')
  })
  test('drops an insert where a deleted line was: it could be before or after it', () => {
    const base = 'a\nb\nc\n'
    const operations = [lines(remove(base, 2, 2)), lines(insert(1, 'x'))]
    expect(without(base, operations, [0])).toBe(base)
    expect(without(base, operations, [1])).toBe('a\nc\n')
  })
  test('of lines inside inserted lines goes with them', () => {
    const operations = [
      lines(insert(1, 'x', 'y')),
      lines(insert(2, 'inside')),
      lines(insert(4, 'below')),
    ]
    expect(without('a\nb\n', operations, [0])).toBe('a\nbelow\nb\n')
  })
  test('that set the line ends leaves later lines with those of the file', () => {
    const operations = [{ op: 'line_changes', eol: 'crlf', changes: [] }, lines(insert(1, 'x'))]
    expect(open('a\nb\n', log(...operations)).text.toString()).toBe('a\r\nx\r\nb\r\n')
    expect(without('a\nb\n', operations, [0])).toBe('a\nx\nb\n')
  })
  test('that emptied the last line leaves the end of the file as it was', () => {
    const base = 'a\n\nb'
    const operations = [lines(insert(0, 'top'), remove(base, 3, 3), insert(3, ''))]
    expect(open(base, log(...operations)).text.toString()).toBe('top\na\n\n\n')
    expect(without(base, operations, [1, 2])).toBe('top\na\n\nb')
  })
  test('before a full write changes nothing, unless the write took its line ends from it', () => {
    expect(without('a\nb\n', [edit('a', 'A'), { op: 'write_text', content: 'x\n' }], [0])).toBe(
      'x\n',
    )
    const operations = log(
      { op: 'line_changes', eol: 'crlf', changes: [] },
      { op: 'write_text', content: 'x\n' },
    )
    const { changes } = open('a\nb\n', operations)
    expect(replay('a\nb\n', operations, [changes[0]!.id]).dropped).toContain(changes[1]!.id)
  })
  test.each([
    { what: 'a write of one line', operation: { op: 'write_text', content: 'x' } },
    { what: 'an edit', operation: edit('a\nb\n', 'x') },
  ])('$what that took the last CRLF drops the write that found none', ({ operation }) => {
    const operations = log(operation, { op: 'write_text', content: '1\n2\n' })
    const { text, changes } = open('a\r\nb\r\n', operations)
    expect(text.toString()).toBe('1\n2\n')
    const refused = changes.filter(({ operation: { toolCallId } }) => toolCallId === 'tc_0')
    const { text: left, dropped } = replay(
      'a\r\nb\r\n',
      operations,
      refused.map(({ id }) => id),
    )
    expect(left.toString()).toBe('a\r\nb\r\n')
    expect(dropped).toContain(changes.at(-1)!.id)
  })
  test('of a write drops everything after it and restores the earlier text', () => {
    const operations = [
      edit('a', 'A'),
      { op: 'write_text', content: 'x\ny\n' },
      edit('y', 'Y'),
      lines(insert(0, 'top')),
    ]
    expect(open('a\nb\n', log(...operations)).text.toString()).toBe('top\nx\nY\n')
    expect(without('a\nb\n', operations, [1])).toBe('A\nb\n')
  })
})

verifies(
  'CONTRACT §6 change id derived',
  'ids are the same after each replay, and those of a batch are kept',
  () => {
    const operations = log(
      edit('a', 'b', true),
      lines({ ...insert(1, 'x'), changeId: 'chg_server' } as LineChange),
    )
    const ids = (changes: readonly Change[]) => changes.map(change => change.id)
    const first = ids(open('a a\na\n', operations).changes)
    expect(ids(open('a a\na\n', operations).changes)).toEqual(first)
    expect(ids(replay('a a\na\n', operations, [first[0]!]).changes)).toEqual(first.slice(1))
    expect(first.at(-1)).toBe('chg_server')
    expect(new Set(first).size).toBe(4)
  },
)

verifies('CONTRACT §6 review lines', 'a change is shown as the lines before and after it', () => {
  const [change] = open('a\nsay hello you\nc\n', log(edit('hello', 'good\nday'))).changes
  expect(change).toMatchObject({
    kind: 'lines',
    place: 'line 2',
    before: { firstLine: 2, lines: ['say hello you'] },
    after: { firstLine: 2, lines: ['say good', 'day you'] },
    operation: { toolCallId: 'tc_0', index: 0, op: 'edit_text' },
  })
})

test('a line of a megabyte is shown around its change', () => {
  const base = `${'x'.repeat(2 ** 20)}needle${'y'.repeat(2 ** 20)}\n`
  const [change] = open(base, log(edit('needle', 'pin'))).changes
  expect(change!.before!.lines![0]!.length).toBeLessThan(2100)
  expect(change!.before!.lines![0]).toContain('needle')
  expect(change!.after!.lines![0]).toContain('pin')
})

describe('laws', () => {
  const isFull = process.env.FILEWRIGHT_FULL === '1'
  /** Seeded where every run must be the same; a full run looks further each time. */
  const sample = (numRuns: number) => (isFull ? { numRuns: numRuns * 8 } : { numRuns, seed: 4711 })

  test('changes refused from one patch leave the patch of the others', () => {
    const cases = arbitraryText.chain(text =>
      fc.tuple(fc.constant(text), arbitraryChanges(text), fc.infiniteStream(fc.boolean())),
    )
    fc.assert(
      fc.property(cases, ([text, changes, refusals]) => {
        fc.pre(changes.length > 0)
        const operations = log(lines(...changes))
        const kept = new Set(changes.map((_, i) => i).filter(() => refusals.next().value))
        const ids = idsByIndex(open(text, operations).changes, changes)
        const refused = ids.filter((_, i) => !kept.has(i))
        const { text: replayed, dropped } = replay(text, operations, refused)
        const base = Buffer.from(text)
        const applied = unwrap(applyFilePatch(base, selectChanges({ changes }, kept)))
        expect(dropped).toEqual([])
        expect(replayed.toString()).toBe(Buffer.from(toBytes(applied.content, base)).toString())
      }),
      sample(400),
    )
  })

  verifies(
    ['CONTRACT §6 rest replayed'],
    'of 20 patches any set may be refused: the result is the accepted ones applied to the base',
    () => {
      let definite = 0
      fc.assert(
        fc.property(fc.integer(), fc.integer({ min: 0, max: 100 }), (seed, share) => {
          const random = createRandom(seed)
          const story = tellLines(random, 20)
          const { changes, text } = open(story.base, story.log)
          expect(text.toString()).toBe(toText(story.full))
          const refused = changes.filter(() => random(100) < share).map(change => change.id)
          const { text: left, changes: accepted } = replay(story.base, story.log, refused)
          const retold = retell(story, new Set(accepted.map(change => change.id)))
          if (retold) definite++
          if (retold) expect(left.toString()).toBe(toText(retold))
        }),
        sample(150),
      )
      expect(definite).toBeGreaterThan(100)
    },
  )

  test('of 25 operations of all kinds, refusing none is the whole text and refusing all is the base', {
    timeout: 300_000,
  }, () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), fc.boolean(), (seed, isUtf16, finalNewline) => {
        const random = createRandom(seed)
        const text = tellText(random, finalNewline)
        const base = isUtf16 ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
        const operations = tellOperations(base, random, 25)
        const { changes, text: whole } = open(base, operations)
        expect(replay(base, operations, []).text.equals(whole)).toBe(true)
        expect(
          replay(
            base,
            operations,
            changes.map(change => change.id),
          ).text.equals(base),
        ).toBe(true)
        const refused = changes.filter(() => random(3) === 0).map(change => change.id)
        const once = replay(base, operations, refused)
        const twice = replay(base, operations, [...refused, ...once.dropped])
        expect(twice.dropped).toEqual([])
        expect(twice.text.equals(once.text)).toBe(true)
        expect(once.changes.length + once.dropped.length + refused.length).toBe(changes.length)
      }),
      sample(60),
    )
  })
})

/** The changes are shown top to bottom; returns their ids in the order of the patch. */
function idsByIndex(shown: readonly Change[], changes: readonly LineChange[]): ChangeId[] {
  const position = (change: LineChange) =>
    change.operation === 'insert' ? change.afterLine + 0.5 : change.startLine
  const order = changes
    .map((_, i) => i)
    .sort((a, b) => position(changes[a]!) - position(changes[b]!) || a - b)
  return changes.map((_, i) => shown[order.indexOf(i)]!.id)
}

/** A line with an identity: who brought it, and what it replaced. */
interface Line {
  readonly text: string
  readonly by?: Told
}

/** A change by the lines themselves, not by their numbers. */
interface Told {
  readonly id: ChangeId
  readonly removed: readonly Line[]
  readonly left: readonly Line[]
  readonly right: readonly Line[]
  added: readonly Line[]
}

interface Story {
  readonly base: string
  readonly lines: readonly Line[]
  readonly log: LoggedOperation[]
  readonly told: Told[]
  readonly full: Line[]
}

const toText = (list: readonly Line[]) => list.map(line => `${line.text}\n`).join('')

function tellLines(random: (below: number) => number, operations: number): Story {
  const start: Line[] = Array.from({ length: 4 + random(10) }, (_, i) => ({ text: `base ${i}` }))
  let full = [...start]
  const told: Told[] = []
  const logged: LoggedOperation[] = []
  for (let op = 0; op < operations; op++) {
    const before = full
    const changes: LineChange[] = []
    let at = random(before.length + 1)
    const edits: { at: number; count: number; told: Told }[] = []
    for (let n = 1 + random(3); n > 0 && at <= before.length; n--) {
      const kind = random(3)
      const count = kind === 0 ? 0 : Math.min(1 + random(3), before.length - at)
      if (kind !== 0 && count === 0) break
      const id = `chg_${op}_${changes.length}` as ChangeId
      const change: Told = {
        id,
        removed: before.slice(at, at + count),
        left: before.slice(0, at),
        right: before.slice(at + count),
        added: [],
      }
      change.added =
        kind === 2
          ? []
          : Array.from({ length: 1 + random(3) }, (_, i) => ({ text: `${id} ${i}`, by: change }))
      const newLines = change.added.map(line => line.text)
      const expectedOriginalLines = change.removed.map(line => line.text)
      const range = { startLine: at + 1, endLine: at + count, expectedOriginalLines, changeId: id }
      if (kind === 0) changes.push({ operation: 'insert', afterLine: at, newLines, changeId: id })
      else if (kind === 1) changes.push({ operation: 'replace', ...range, newLines })
      else changes.push({ operation: 'delete', ...range })
      edits.push({ at, count, told: change })
      at += count + 1 + random(4)
    }
    if (changes.length === 0) continue
    for (const { at: place, count, told: change } of edits.toReversed())
      full = full.toSpliced(place, count, ...change.added)
    told.push(...edits.map(({ told: change }) => change))
    logged.push({
      toolCallId: `tc_${op}`,
      index: 0,
      operation: lines(...changes),
      circumstances: CIRCUMSTANCES,
    })
  }
  return { base: toText(start), lines: start, log: logged, told, full }
}

/** Applies the accepted changes to the base by their neighbouring lines: a separate and simpler way to the same text. */
function retell({ lines: start, told }: Story, accepted: ReadonlySet<ChangeId>): Line[] | null {
  let list = [...start]
  for (const change of told) {
    if (!accepted.has(change.id)) continue
    if (change.removed.length > 0) {
      const first = list.indexOf(change.removed[0]!)
      expect(list.slice(first, first + change.removed.length)).toEqual(change.removed)
      list = list.toSpliced(first, change.removed.length, ...change.added)
      continue
    }
    const place = placeOf(change, list)
    if (place === null) return null
    list = list.toSpliced(place, 0, ...change.added)
  }
  return list
}

/** Next to its old neighbour; null if both neighbours are gone and other lines lie between. */
function placeOf({ left, right, id }: Told, list: readonly Line[]): number | null {
  const above = left.length === 0 ? -1 : list.indexOf(left.at(-1)!)
  const below = right.length === 0 ? list.length : list.indexOf(right[0]!)
  const hasAbove = left.length === 0 || above !== -1
  const hasBelow = right.length === 0 || below !== -1
  if (hasAbove && hasBelow) expect(below, `${id} has one place`).toBe(above + 1)
  if (hasAbove) return above + 1
  if (hasBelow) return below
  const nearest = lastPresent(left, list)
  return firstPresent(right, list) === nearest + 1 ? nearest + 1 : null
}

/** Index of the nearest line above that exists; a refused change counts as the lines it replaced. */
function lastPresent(above: readonly Line[], list: readonly Line[]): number {
  for (const line of above.toReversed()) {
    const candidates = [line, ...standIns(line).toReversed()]
    for (const candidate of candidates) if (list.includes(candidate)) return list.indexOf(candidate)
  }
  return -1
}

function firstPresent(below: readonly Line[], list: readonly Line[]): number {
  for (const line of below)
    for (const candidate of [line, ...standIns(line)])
      if (list.includes(candidate)) return list.indexOf(candidate)
  return list.length
}

function standIns(line: Line): Line[] {
  return (line.by?.removed ?? []).flatMap(replaced => [replaced, ...standIns(replaced)])
}

function tellText(random: (below: number) => number, finalNewline: boolean): string {
  const parts = Array.from(
    { length: 3 + random(6) },
    () =>
      `${['alpha', 'beta', '', 'gamma delta', 'x'][random(5)]}${['\n', '\n', '\r\n'][random(3)]}`,
  )
  return parts.join('') + (finalNewline ? '' : 'last')
}

/**
 * Operations that fit the text as it is when they come. Each does the same to a file with the bytes of that time; line
 * ends aside, because a history remembers what was set for a file that had no line end just then.
 */
function tellOperations(
  base: Uint8Array,
  random: (below: number) => number,
  count: number,
): LoggedOperation[] {
  const document = unwrap(textFormat.open(base, NAME))
  const logged: LoggedOperation[] = []
  while (logged.length < count) {
    const bytes = toBytes(unwrap(document.content()), base)
    const operation = tellOperation(bytes, random)
    const next = {
      toolCallId: `tc_${logged.length}`,
      index: 0,
      operation,
      circumstances: CIRCUMSTANCES,
    }
    if (!document.apply([next]).ok) continue
    logged.push(next)
    const alone = unwrap(textFormat.open(bytes, NAME))
    unwrap(alone.apply([next]))
    const textOf = (whole: Uint8Array) => decodeText(whole).slice().content.replaceAll('\r\n', '\n')
    expect(textOf(toBytes(unwrap(document.content()), base))).toBe(
      textOf(toBytes(unwrap(alone.content()), bytes)),
    )
  }
  return logged
}

function tellOperation(bytes: Uint8Array, random: (below: number) => number): Operation {
  const doc = decodeText(bytes)
  const whole = doc.slice().content.replaceAll('\r\n', '\n')
  const fresh = () => ['new', 'n\nm', '', 'z\n', '\nq'][random(5)]!
  const kind = random(20)
  if (kind === 0) return { op: 'write_text', content: ['one\ntwo\n', 'only', ''][random(3)]! }
  if (kind === 1) return { op: 'line_changes', changes: [], eol: random(2) === 0 ? 'lf' : 'crlf' }
  if (kind === 2) return { op: 'line_changes', changes: [], finalNewline: random(2) === 0 }
  if (kind < 11) {
    const at = random(Math.max(1, whole.length))
    return {
      op: 'edit_text',
      edits: [
        {
          search: whole.slice(at, at + 1 + random(8)) || 'none',
          replace: fresh(),
          all: random(2) === 0,
        },
      ],
    }
  }
  const first = 1 + random(Math.max(1, doc.lineCount))
  const last = Math.min(doc.lineCount, first + random(3))
  if (kind < 15 || doc.lineCount === 0)
    return lines(insert(Math.min(first, doc.lineCount), 'inserted', 'twice'))
  return lines(kind < 18 ? replace(bytes, first, last, 'replaced') : remove(bytes, first, last))
}

/** mulberry32. */
function createRandom(seed: number): (below: number) => number {
  return below => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

test('a hundred thousand lines go in at one place', () => {
  const many = 'x\n'.repeat(100_000)
  const { text } = open('a\nMARK\nb\n', log(edit('MARK\n', many)))
  expect(text.toString()).toBe(`a\n${many}b\n`)
})
