import { toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText } from '../decode/text.ts'
import { parseDiff } from '../diff/parse-diff.ts'
import { unifiedDiff } from '../diff/unified-diff.ts'
import { applyFilePatch } from './apply-file-patch.ts'
import { placeHunks } from './place-hunks.ts'

const place = (base: string, diff: string) =>
  placeHunks(decodeText(Buffer.from(base)), parseDiff(diff)![0]!.hunks)

function patched(base: string, diff: string): string {
  const bytes = Buffer.from(base)
  const { content } = unwrap(applyFilePatch(bytes, unwrap(place(base, diff))))
  return Buffer.from(toBytes(content, bytes)).toString()
}

describe('hunks', () => {
  test('go where their old lines are, whatever line they name', () => {
    expect(patched('a\nb\nc\nd\n', '@@ -90,2 +90,2 @@\n b\n-c\n+C\n')).toBe('a\nb\nC\nd\n')
    expect(patched('a\nb\n', '@@\n a\n+x\n b\n')).toBe('a\nx\nb\n')
    expect(patched('a\nb\n', '@@ -1,3 +1,2 @@\n-a\n b\n \n')).toBe('b\n')
  })

  test('go to the line they name where their old lines occur several times, and nowhere without one', () => {
    expect(patched('x\na\nx\n', '@@ -3 +3 @@\n-x\n+y\n')).toBe('x\na\ny\n')
    expect(place('x\na\nx\n', '@@\n-x\n+y\n')).toMatchObject({
      failure: { message: expect.stringContaining('starting at lines 1, 3') },
    })
  })

  test('that do not fit are answered with the nearest lines', () => {
    expect(place('if a:\n    b\n    c\n', '@@\n-  b\n   c\n')).toMatchObject({
      failure: { message: expect.stringContaining('2|    b\n3|    c\n') },
    })
  })

  test('without old lines need a line number', () => {
    expect(patched('a\n', '@@ -1,0 +2 @@\n+b\n')).toBe('a\nb\n')
    expect(place('a\n', '@@\n+b\n')).toMatchObject({ ok: false })
  })

  test('bring and take the final newline', () => {
    const gone = '@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n'
    expect(patched('a\n', gone)).toBe('a')
    expect(patched('a', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n')).toBe('b\n')
  })
})

const lines = fc.array(fc.constantFrom('a', 'b', '', '  a', '-- x', '@@', '+y'), { maxLength: 12 })
test('our own diff of two texts, placed, makes the one of the other', () => {
  const text = (own: readonly string[], ends: boolean) =>
    own.join('\n') + (ends && own.length > 0 ? '\n' : '')
  fc.assert(
    fc.property(lines, lines, fc.boolean(), fc.boolean(), (old, now, oldEnds, newEnds) => {
      const [before, after] = [text(old, oldEnds), text(now, newEnds)]
      const diff = unifiedDiff(Buffer.from(before), Buffer.from(after), 'x')
      if (diff !== '') expect(patched(before, diff)).toBe(after)
    }),
  )
})
