import { toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { expect } from 'vitest'
import { decodeText, decodeTextAs } from './decode/text.ts'
import { applyFilePatch, invertFilePatch } from './patch/apply-file-patch.ts'
import type { LineChange, LinePatch } from './patch/line-changes.ts'
import { mapLine } from './patch/line-map.ts'
import { parseLinePatch } from './patch/parse-file-patch.ts'

export const insert = (afterLine: number, ...newLines: string[]): LineChange => ({
  operation: 'insert',
  afterLine,
  newLines,
})

/** With the lines of `base` as the expected ones. */
export function replace(
  base: string | Uint8Array,
  startLine: number,
  endLine: number,
  ...newLines: string[]
): LineChange {
  const expectedOriginalLines = decodeText(Buffer.from(base)).lines(startLine, endLine)
  return { operation: 'replace', startLine, endLine, expectedOriginalLines, newLines }
}

export function remove(base: string | Uint8Array, startLine: number, endLine: number): LineChange {
  const expectedOriginalLines = decodeText(Buffer.from(base)).lines(startLine, endLine)
  return { operation: 'delete', startLine, endLine, expectedOriginalLines }
}

/** Applies, and proves on the way: the inverse, the JSON round trip, untouched lines byte for byte, the line map. */
export function applyLawfully(base: Uint8Array, patch: LinePatch): Buffer {
  const { content, lineMap } = unwrap(applyFilePatch(base, patch))
  const after = Buffer.from(toBytes(content, base))
  const back = toBytes(unwrap(invertFilePatch(base, patch)), after)
  expect(Buffer.from(base).equals(back)).toBe(true)

  if (patch.changes.length > 0) {
    const sent = unwrap(parseLinePatch(JSON.parse(JSON.stringify(patch))))
    expect(sent.value).toEqual(patch)
  }

  const old = decodeText(base)
  const now = decodeTextAs(after, {
    label: old.encoding,
    bomLength: (patch.bom ?? old.bom) ? old.bomLength || 3 : 0,
  })
  for (let n = 1; n <= old.lineCount; n++) {
    const moved = mapLine(lineMap, n)
    if (moved === null) continue
    expect(Buffer.from(now.lineBytes(moved)).equals(old.lineBytes(n))).toBe(true)
    const keepsEnd = patch.eol === undefined && n < old.lineCount && moved < now.lineCount
    if (keepsEnd) expect(now.terminator(moved)).toBe(old.terminator(n))
  }
  expect(now.lineCount).toBe(lineMap.at(-1)?.newEnd ?? 0)
  return after
}

/** An example a person can read: the text before, the changes, the text after. */
export function patch(before: string, changes: LineChange[] | LinePatch, after: string) {
  const whole = Array.isArray(changes) ? { changes } : changes
  expect(applyLawfully(Buffer.from(before), whole).toString()).toBe(after)
}

const lineText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', '}', 'a', 'b', '  return x', '\t', 'x\ry', '\u2028'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }).map(text => text.replace(/[\r\n|]/g, '_')) },
)

/** Text with every kind of line end, with and without the last one. */
export const arbitraryText = fc
  .tuple(fc.array(fc.tuple(lineText, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }), lineText)
  .map(([lines, last]) => lines.map(([text, end]) => text + end).join('') + last)

/** Disjoint changes of `base`, in any order. */
export function arbitraryChanges(base: string | Uint8Array): fc.Arbitrary<LineChange[]> {
  const { lineCount } = decodeText(Buffer.from(base))
  const newLines = fc.array(lineText, { maxLength: 3 })
  return fc
    .tuple(
      fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2), newLines), { maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
    )
    .map(([steps, order]) => {
      const changes: LineChange[] = []
      let next = 1
      for (const [skip, kind, length, lines] of steps) {
        const start = next + skip
        if (kind === 0) {
          if (start - 1 > lineCount) break
          changes.push(insert(start - 1, ...(lines.length > 0 ? lines : ['new'])))
          next = start
          continue
        }
        const end = start + length
        if (end > lineCount) break
        changes.push(kind === 1 ? replace(base, start, end, ...lines) : remove(base, start, end))
        next = end + 1
      }
      return isStable(changes) ? shuffle(changes, order) : changes
    })
}

/** Inserts at one place keep array order, so only a set without two of them may be shuffled. */
function isStable(changes: readonly LineChange[]): boolean {
  const places = changes.flatMap(change =>
    change.operation === 'insert' ? [change.afterLine] : [],
  )
  return new Set(places).size === places.length
}

function shuffle(changes: readonly LineChange[], order: fc.Stream<number>): LineChange[] {
  const keys = [...order.take(changes.length)]
  return changes
    .map((change, i) => ({ change, key: keys[i]! }))
    .sort((a, b) => a.key - b.key)
    .map(({ change }) => change)
}
