import type { DocPath, LoggedOperation, Operation, RelativePath } from '@filewright/protocol'
import { type FormatExample, testFormat } from '../../format.contract.ts'
import { factsOf } from '../../known-formats.ts'
import { decodeText } from './decode/text.ts'
import { textFormat } from './format.ts'

const CIRCUMSTANCES = { time: '2026-01-01T00:00:00Z', author: 'model', seed: 1 }
const log = (...operations: Operation[]): LoggedOperation[] =>
  operations.map((operation, index) => ({
    toolCallId: 'tc_1',
    index,
    operation,
    circumstances: CIRCUMSTANCES,
  }))

const TEXT = 'one\r\ntwo\nthree\nfour'
const shows =
  (text: string): FormatExample['shows'] =>
  document => {
    const reading = document.read({}, { maxBytes: 10_000 })
    return reading.ok && reading.value.text.includes(text)
  }

testFormat(factsOf('text'), textFormat, {
  name: { docPath: 'a.txt' as DocPath, path: 'a.txt' as RelativePath },
  examples: [
    {
      title: 'edit_text',
      bytes: Buffer.from(TEXT),
      operations: log({ op: 'edit_text', edits: [{ search: 'two', replace: '2' }] }),
      touches: ['line 2'],
      shows: shows('2|2'),
    },
    {
      title: 'line_changes in UTF-16',
      bytes: Buffer.from(`\ufeff${TEXT}`, 'utf16le'),
      operations: log({
        op: 'line_changes',
        changes: [
          {
            operation: 'replace',
            startLine: 3,
            endLine: 3,
            expectedOriginalLines: ['three'],
            newLines: ['drei'],
          },
        ],
      }),
      touches: ['line 3'],
      shows: shows('3|drei'),
    },
    {
      title: 'write_text',
      bytes: Buffer.from(TEXT),
      operations: log(
        { op: 'write_text', content: 'one\nnew\n' },
        { op: 'edit_text', edits: [{ search: 'new', replace: 'newer' }] },
      ),
      touches: ['line 1', 'line 2', 'line 3', 'line 4'],
      shows: shows('2|newer'),
    },
  ],
  hostile: { 'zero bytes': Buffer.of(0, 0, 0, 1, 2), 'a pdf': Buffer.from('%PDF-1.7') },
  partsOf: bytes => {
    const doc = decodeText(bytes)
    const parts = Array.from(
      { length: doc.lineCount },
      (_, i) => [`line ${i + 1}`, bytes.subarray(doc.startOf(i + 1), doc.endOf(i + 1))] as const,
    )
    return new Map<string, Uint8Array>([['BOM', bytes.subarray(0, doc.bomLength)], ...parts])
  },
})
