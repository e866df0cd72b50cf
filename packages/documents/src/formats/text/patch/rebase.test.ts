import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import { plainGit } from '../../../../../../test/plain-git.ts'
import { verifies } from '../../../../../../test/verifies.ts'
import { insert, remove, replace } from '../patch-laws.contract.ts'
import { applyFilePatch } from './apply-file-patch.ts'
import type { LineChange } from './line-changes.ts'
import { type ConflictingChange, rebaseFilePatch } from './rebase.ts'

const bytes = (text: string) => Buffer.from(text)

function rebase(base: string, current: string, changes: LineChange[], after: string) {
  const rebased = unwrap(rebaseFilePatch(bytes(base), bytes(current), { changes }))
  expect(Buffer.from(toBytes(rebased.content, bytes(current))).toString()).toBe(after)
  return rebased
}

function conflict(base: string, current: string, changes: LineChange[]) {
  const result = rebaseFilePatch(
    bytes(base),
    bytes(current),
    { changes },
    { path: 'a.txt', version: 'abcdef12', at: 'files[0]' },
  )
  if (result.ok) throw new Error('rebased, where a conflict was expected')
  expect(result.failure.code).toBe('CONFLICT')
  expect(result.failure.message).toMatch(
    /^Nothing was written: "a.txt" changed since it was read \(it is version abcdef12 now\)/,
  )
  const details = result.failure.details as {
    conflicts: ConflictingChange[]
    correctedChanges?: LineChange[]
    version: string
  }
  expect(details.version).toBe('abcdef12')
  return details
}

describe('a patch on an old base', () => {
  const base = '1\n2\n3\n4\n5\n6\n7\n8\n'
  verifies(
    ['CONTRACT §5 rebased', 'CONTRACT §5 rebased is said'],
    'is moved with its lines, and says from where to where',
    () => {
      const { moved, patch } = rebase(
        base,
        `0\n0\n${base}`,
        [replace(base, 4, 5, 'x')],
        '0\n0\n1\n2\n3\nx\n6\n7\n8\n',
      )
      expect(moved).toEqual([{ from: 'lines 4-5', to: 'lines 6-7' }])
      expect(patch.changes[0]).toMatchObject({ startLine: 6, endLine: 7 })
    },
  )
  test('keeps the line ends that the file has now', () => {
    rebase('a\nb\nc\n', 'a\r\nb\r\nc\r\n', [insert(2, 'x')], 'a\r\nb\r\nx\r\nc\r\n')
  })
  test('is moved onto a file that changed its encoding', () => {
    const current = Buffer.from('\ufeffnew\n1\n2\n3\n', 'utf16le')
    const { content } = unwrap(
      rebaseFilePatch(bytes('1\n2\n3\n'), current, { changes: [insert(1, 'ä')] }),
    )
    expect(Buffer.from(toBytes(content, current)).toString('utf16le')).toBe(
      '\ufeffnew\n1\nä\n2\n3\n',
    )
  })
  verifies(
    [
      'CONTRACT §5 conflict shows current lines',
      'CONTRACT §5 conflict gives the version',
      'CONTRACT §5 conflict writes nothing',
    ],
    'conflicts when its lines changed, and shows the current lines',
    () => {
      const { conflicts, correctedChanges } = conflict(base, base.replace('4', 'four'), [
        replace(base, 4, 4, 'x'),
      ])
      expect(conflicts).toEqual([
        {
          at: 'files[0].changes[0]',
          message: 'line 4 of the base: the original lines have changed.',
          current: { firstLine: 1, lines: ['1', '2', '3', 'four', '5', '6', '7'] },
        },
      ])
      expect(correctedChanges).toBeUndefined()
    },
  )
  verifies(
    'CONTRACT §5 conflict corrects',
    'conflicts when a neighbour changed, with a corrected change that succeeds',
    () => {
      const current = `top\n${base.replace('3', 'three')}`
      const { correctedChanges } = conflict(base, current, [
        replace(base, 4, 4, 'x'),
        insert(7, 'y'),
      ])
      const applied = unwrap(applyFilePatch(bytes(current), { changes: correctedChanges! }))
      expect(Buffer.from(toBytes(applied.content, bytes(current))).toString()).toBe(
        'top\n1\n2\nthree\nx\n5\n6\n7\ny\n8\n',
      )
    },
  )
  verifies(
    ['CONTRACT §5 conflict truthful', 'CONTRACT §5 conflict shows current lines'],
    'is not corrected onto an equal line that was always elsewhere',
    () => {
      const two = 'def x\n p\n return\n\ndef y\n p\n q\n return\nend\n'
      const changed = two.replace(' return\nend', ' done\nend')
      const { conflicts, correctedChanges } = conflict(two, changed, [replace(two, 8, 8, ' z')])
      expect(conflicts).toEqual([
        {
          at: 'files[0].changes[0]',
          message: 'line 8 of the base: the original lines have changed.',
          current: { firstLine: 5, lines: ['def y', ' p', ' q', ' done', 'end'] },
        },
      ])
      expect(correctedChanges).toBeUndefined()
    },
  )
  test('is corrected onto a block that was moved', () => {
    const text = 'a\nb\nc\nd\ne\nf\n'
    const { correctedChanges } = conflict(text, 'a\nd\ne\nf\nb\n', [replace(text, 2, 2, 'B')])
    expect(correctedChanges).toMatchObject([{ startLine: 5, endLine: 5 }])
  })
  verifies('CONTRACT §5 conflict truthful', 'conflicts when the block now occurs twice', () => {
    const twice = 'f(\na\n)\n'
    const { conflicts } = conflict(`${twice}end\n`, `${twice}${twice}end\n`, [
      replace(twice, 2, 2, 'b'),
    ])
    expect(conflicts[0]!.message).toContain('several times')
    expect(conflicts[0]!.corrected).toBeUndefined()
  })
  test('conflicts when one of two equal blocks was deleted', () => {
    const two = 'x\nf(\na\n)\ny\nf(\na\n)\nz\n'
    conflict(two, 'n\nf(\na\n)\nz\n', [replace(two, 3, 3, 'b')])
  })
  test('conflicts when a block was copied and the original changed next to the place', () => {
    const text = 'a\nb\nf\ng\nc\n}\nz\n'
    const copiedAbove = 'a\nf\ng\nx\n}\ny\nf\ng\nw\nz\n' // b is gone, and so are c and } below
    conflict(text, copiedAbove, [insert(3, 'new')])
  })
  verifies(
    'CONTRACT §5 never first of many',
    'is not moved to a block of the same text elsewhere',
    () => {
      const text = 'a\nx\nb\nc\nx\nd\n'
      conflict(text, 'a\nb\nc\nx\nd\n', [replace(text, 2, 2, 'y')])
    },
  )
})

describe('a change that a person decided for', () => {
  const force = (base: string, current: string, changes: LineChange[]) => {
    const forced = rebaseFilePatch(bytes(base), bytes(current), { changes }, { isForced: true })
    return forced.ok ? Buffer.from(toBytes(forced.value.content, bytes(current))).toString() : null
  }
  const base = 'one\ntwo\nthree\nfour\nfive\n'

  test.each([
    ['its line was changed', 'one\ntwo\nDREI\nfour\nfive\n', 'one\ntwo\nours\nfour\nfive\n'],
    ['its line was deleted', 'one\ntwo\nfour\nfive\n', 'one\ntwo\nours\nfour\nfive\n'],
    [
      'its line was changed, and lines came above',
      '0\none\ntwo\nDREI\nfour\nfive\n',
      '0\none\ntwo\nours\nfour\nfive\n',
    ],
  ])('replaces what its lines are now: %s', (_, current, after) => {
    expect(force(base, current, [replace(base, 3, 3, 'ours')])).toBe(after)
  })

  test('is refused where others rewrote more than its lines', () => {
    const wider = 'one\nZWEI\nDREI\nfour\nfive\n'
    expect(force(base, wider, [replace(base, 3, 3, 'ours')])).toBeNull()
    expect(force(base, 'all new\n', [replace(base, 1, 1, 'ours')])).toBeNull()
  })

  test('is refused where one of two equal blocks was deleted', () => {
    const two = 'x\nf(\na\n)\ny\nf(\na\n)\nz\n'
    expect(force(two, 'n\nf(\na\n)\nz\n', [replace(two, 3, 3, 'b')])).toBeNull()
    expect(force(two, 'n\nf(\na\n)\nz\n', [replace(two, 7, 7, 'b')])).toBeNull()
  })
})

const isFull = process.env.FILEWRIGHT_FULL === '1'
const TRIPLES = isFull ? 3000 : 220
const folder = mkdtempSync(join(tmpdir(), 'filewright-rebase-'))
afterAll(() => rmSync(folder, { recursive: true }))
const hasGit = spawnSync('git', ['--version']).status === 0

verifies(
  ['CONTRACT §5 rebased', 'CONTRACT §5 conflict truthful', 'CONTRACT §5 conflict corrects'],
  `of ${TRIPLES} stale patches, those that git merges are rebased to the same text`,
  () => {
    const random = createRandom(20_260_101)
    const count = { clean: 0, rebased: 0, missed: [] as string[], corrections: 0, corrected: 0 }
    for (let i = 0; i < TRIPLES; i++) {
      const triple = makeTriple(random)
      const base = triple.base.join('')
      const current = triple.current.map(line => line.text).join('')
      const planned = Buffer.from(
        toBytes(
          unwrap(applyFilePatch(bytes(base), { changes: triple.changes })).content,
          bytes(base),
        ),
      ).toString()
      const merged = mergeWithGit(current, base, planned)
      const result = rebaseFilePatch(bytes(base), bytes(current), { changes: triple.changes })
      const truth = mergeByIdentity(triple)
      if (truth !== null && merged !== null) count.clean++
      if (result.ok) {
        const text = Buffer.from(toBytes(result.value.content, bytes(current))).toString()
        if (merged !== null)
          expect(text, describeTriple(base, current, triple.changes)).toBe(merged)
        if (truth !== null) expect(text, describeTriple(base, current, triple.changes)).toBe(truth)
        if (truth !== null && merged !== null) count.rebased++
        expectBoth(text, triple)
        continue
      }
      if (truth !== null && merged !== null)
        count.missed.push(describeTriple(base, current, triple.changes))
      const { correctedChanges } = result.failure.details as { correctedChanges?: LineChange[] }
      if (!correctedChanges) continue
      count.corrections++
      const again = applyFilePatch(bytes(current), { changes: correctedChanges })
      if (again.ok) count.corrected++
      expect(again.ok ? null : again.failure.message).toBeNull()
    }
    expect(count.clean).toBeGreaterThan(TRIPLES / 4)
    expect(count.corrections).toBeGreaterThan(0)
    expect(
      count.rebased / count.clean,
      count.missed.slice(0, 3).join('\n\n'),
    ).toBeGreaterThanOrEqual(0.99)
    if (isFull)
      console.log(
        `rebase: ${count.rebased} of ${count.clean} clean merges, ${count.corrected} of ${count.corrections} corrections`,
      )
  },
  { skip: !hasGit, timeout: 300_000 },
)

/** No line of either side is lost, wherever it stands. */
function expectBoth(text: string, { base, current, changes }: Triple): void {
  const lines = text.split('\n')
  const fresh = changes.flatMap(change => (change.operation === 'delete' ? [] : change.newLines))
  const taken = changes.flatMap(change =>
    change.operation === 'insert' ? [] : base.slice(change.startLine - 1, change.endLine),
  )
  const left = [...current.map(line => line.text.slice(0, -1)), ...fresh, '']
  for (const line of taken) left.splice(left.indexOf(line.slice(0, -1)), 1)
  expect(lines.toSorted()).toEqual(left.toSorted())
}

/** A line of the current text and the line of the base that it is, if any. */
interface CurrentLine {
  readonly text: string
  readonly base: number | null
}

interface Triple {
  readonly base: string[]
  readonly current: CurrentLine[]
  readonly changes: LineChange[]
}

type Random = (below: number) => number

/** Code-like: blank lines, braces and repeated statements between lines of their own. */
function makeLine(random: Random): string {
  const common = ['\n', '\n', '}\n', '  }\n', '  return null\n', '{\n', '  i++\n', '*/\n']
  return random(3) === 0 ? common[random(common.length)]! : `  call_${random(60)}(${random(6)})\n`
}

function makeTriple(random: Random): Triple {
  const base = Array.from({ length: 5 + random(40) }, () => makeLine(random))
  let current: CurrentLine[] = base.map((text, i) => ({ text, base: i + 1 }))
  for (let edits = 1 + random(4); edits > 0; edits--) current = editOnce(current, random)
  return { base, current, changes: makeChanges(base, random) }
}

function editOnce(lines: CurrentLine[], random: Random): CurrentLine[] {
  const at = random(lines.length + 1)
  const fresh = (): CurrentLine[] =>
    Array.from({ length: 1 + random(4) }, () => ({ text: makeLine(random), base: null }))
  const copyOf = (from: number): CurrentLine[] =>
    lines.slice(from, from + 1 + random(5)).map(({ text }) => ({ text, base: null }))
  switch (random(5)) {
    case 0:
      return lines.toSpliced(at, 1 + random(3))
    case 1:
      return lines.toSpliced(at, 1 + random(2), ...fresh())
    case 2:
      return lines.toSpliced(at, 0, ...copyOf(random(lines.length + 1))) // a block copied
    default:
      return lines.toSpliced(at, 0, ...fresh())
  }
}

function makeChanges(base: string[], random: Random): LineChange[] {
  const text = base.join('')
  const changes: LineChange[] = []
  let next = 1 + random(base.length)
  for (let left = 1 + random(3); left > 0 && next <= base.length; left--) {
    const end = Math.min(base.length, next + random(3))
    const fresh = Array.from(
      { length: 1 + random(2) },
      (_, i) => `  planned_${changes.length}_${i}_${random(1000)}`,
    )
    const kind = random(3)
    if (kind === 0) changes.push(insert(next, ...fresh))
    else if (kind === 1) changes.push(replace(text, next, end, ...fresh))
    else changes.push(remove(text, next, end))
    next = end + 2 + random(8)
  }
  return changes
}

/** What is right, because every line of the current text is known by its origin; null where a window was touched. */
function mergeByIdentity({ base, current, changes }: Triple): string | null {
  const placeOf = new Map(
    current.flatMap(({ base: n }, i) => (n === null ? [] : [[n, i + 1] as const])),
  )
  placeOf.set(0, 0)
  placeOf.set(base.length + 1, current.length + 1)
  const lines = current.map(({ text }) => text)
  for (const change of changes.toReversed()) {
    const isInsert = change.operation === 'insert'
    const first = isInsert ? change.afterLine : change.startLine - 1
    const last = isInsert ? change.afterLine + 1 : change.endLine + 1
    const start = placeOf.get(first)
    if (start === undefined) return null
    for (let n = first; n <= last; n++) if (placeOf.get(n) !== start + n - first) return null
    const fresh = change.operation === 'delete' ? [] : change.newLines.map(line => `${line}\n`)
    lines.splice(start, isInsert ? 0 : last - first - 1, ...fresh)
  }
  return lines.join('')
}

function mergeWithGit(current: string, base: string, planned: string): string | null {
  const names = ['current', 'base', 'planned'].map(name => join(folder, name))
  for (const [i, text] of [current, base, planned].entries()) writeFileSync(names[i]!, text)
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', '--quiet', ...names], {
    encoding: 'utf8',
    cwd: folder,
    env: plainGit(folder),
  })
  return status === 0 ? stdout : null
}

function describeTriple(base: string, current: string, changes: LineChange[]): string {
  return JSON.stringify({ base: base.split('\n'), current: current.split('\n'), changes })
}

/** mulberry32: the same triples on every machine. */
function createRandom(seed: number): Random {
  return below => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
