import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { decodeText } from '../decode/text.ts'
import { applyFilePatch } from '../patch/apply-file-patch.ts'
import type { LineChange } from '../patch/line-changes.ts'
import { arbitraryText } from '../patch-laws.contract.ts'
import { numberedView } from './numbered-view.ts'

verifies(
  'CONTRACT §2 view header',
  'the header names path, version, lines, line ends and encoding',
  () => {
    const doc = decodeText(Buffer.from('\ufeffa\r\nb\r\nc\r\n'))
    const view = numberedView(doc, {
      path: 'src/A.ts',
      version: '1a2b3c4d',
      lineStart: 2,
      lineCount: 1,
    })
    expect(view).toEqual({
      text: 'src/A.ts · version 1a2b3c4d · line 2 of 3 · eol crlf · encoding utf-8 with BOM\n2|b',
      lineStart: 2,
      lineCount: 1,
      nextLine: 3,
    })
    expect(numberedView(decodeText(new Uint8Array()), { path: 'a' }).text).toBe(
      'a · no lines of 0 · eol none · encoding utf-8',
    )
  },
)

verifies(
  ['TUL-002 §6 one canonical view', 'TUL-002 §5.1.1 description informs only'],
  'a patch made from the numbers and lines of a view fits the bytes, line by line',
  () => {
    fc.assert(
      fc.property(arbitraryText, fc.boolean(), (text, isUtf16) => {
        const bytes = isUtf16 ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
        const doc = decodeText(bytes)
        const rows = numberedView(doc, { path: 'a' }).text.split('\n').slice(1)
        expect(rows).toHaveLength(doc.lineCount)
        const changes = rows.map((row): LineChange => {
          const [, number, line] = /^(\d+)\|(.*)$/s.exec(row)!
          const n = Number(number)
          return {
            operation: 'replace',
            startLine: n,
            endLine: n,
            expectedOriginalLines: [line!],
            newLines: [`${line}!`],
          }
        })
        const described = changes.map(change => ({
          ...change,
          description: 'why',
          changeKey: 'key',
        }))
        const applied = applyFilePatch(bytes, { changes })
        expect(applied.ok).toBe(true)
        expect(applyFilePatch(bytes, { changes: described })).toEqual(applied)
      }),
    )
  },
)

test('a view keeps within its bound', () => {
  fc.assert(
    fc.property(arbitraryText, fc.integer({ min: 1, max: 60 }), (text, maxBytes) => {
      const doc = decodeText(Buffer.from(text))
      const view = numberedView(doc, { path: 'a', maxBytes })
      const rows = view.text.split('\n').slice(1, 1 + view.lineCount)
      if (view.cutAfterBytes === undefined)
        expect(Buffer.byteLength(rows.join('\n'))).toBeLessThanOrEqual(maxBytes)
      else expect(view.lineCount).toBe(1)
      if (view.lineCount < doc.lineCount) expect(view.nextLine).toBe(view.lineCount + 1)
    }),
  )
})
