import { toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { decodeText } from '../decode/text.ts'
import {
  applyLawfully,
  arbitraryChanges,
  arbitraryText,
  insert,
  patch,
  remove,
  replace,
} from '../patch-laws.contract.ts'
import { applyFilePatch } from './apply-file-patch.ts'
import { type LineChange, selectChanges } from './line-changes.ts'
import { describeLineMap, mapLine } from './line-map.ts'

describe('line operations', () => {
  verifies('TUL-002 §5.2 example', 'an insert goes after its line', () =>
    patch('1\n2\n3\n', [insert(2, 'new')], '1\n2\nnew\n3\n'),
  )
  verifies('TUL-002 §5.2 afterLine zero', 'an insert after line 0 goes before line 1', () =>
    patch('1\n2\n', [insert(0, 'new')], 'new\n1\n2\n'),
  )
  verifies('TUL-002 §5.3 example', 'a replaced line may become two', () =>
    patch('1\n2\n3\n', [replace('1\n2\n3\n', 2, 2, '2a', '2b')], '1\n2a\n2b\n3\n'),
  )
  verifies(
    ['TUL-002 §5.3 endLine inclusive', 'TUL-002 §5.4 endLine inclusive'],
    'endLine is part of the range',
    () => {
      patch('1\n2\n3\n4\n', [replace('1\n2\n3\n4\n', 2, 3, 'x')], '1\nx\n4\n')
      patch('1\n2\n3\n4\n', [remove('1\n2\n3\n4\n', 2, 3)], '1\n4\n')
    },
  )
  verifies('TUL-002 §5.4 example', 'a delete takes its lines, an empty last one too', () => {
    const base = 'a\nb\n\nc\n'
    patch(base, [remove(base, 2, 3)], 'a\nc\n')
  })
  verifies(
    ['TUL-002 §6 sorted', 'CONTRACT §5 inserts in array order'],
    'inserts at one place keep the array order',
    () =>
      patch(
        '1\n',
        [insert(1, 'a'), insert(1, 'b'), insert(0, 'c'), insert(0, 'd')],
        'c\nd\n1\na\nb\n',
      ),
  )
  verifies(
    'CONTRACT §5 insert at a border',
    'an insert at the border of a range goes next to its replacement',
    () => {
      const base = '1\n2\n3\n'
      patch(
        base,
        [insert(1, 'above'), replace(base, 2, 2, 'x', 'y'), insert(2, 'below')],
        '1\nabove\nx\ny\nbelow\n3\n',
      )
      patch(
        base,
        [insert(2, 'below'), remove(base, 2, 2), insert(1, 'above')],
        '1\nabove\nbelow\n3\n',
      )
    },
  )
  test('a replace by nothing deletes', () => patch('1\n2\n', [replace('1\n2\n', 1, 1)], '2\n'))
})

describe('terminators', () => {
  const mixed = 'a\r\nb\nc\r\nd\n'
  verifies(
    'CONTRACT §2 replaced line keeps terminator',
    'replaced lines keep the existing terminators, in order',
    () => {
      patch(mixed, [replace(mixed, 1, 3, 'x', 'y', 'z')], 'x\r\ny\nz\r\nd\n')
      patch(mixed, [replace(mixed, 1, 2, 'x')], 'x\r\nc\r\nd\n')
      patch(mixed, [replace(mixed, 2, 3, 'x')], 'a\r\nx\nd\n')
    },
  )
  verifies(
    'CONTRACT §2 further lines take terminator before',
    'further lines take the terminator of the line before them',
    () => {
      patch(mixed, [replace(mixed, 1, 1, 'x', 'y')], 'x\r\ny\r\nb\nc\r\nd\n')
      patch(mixed, [insert(2, 'x', 'y')], 'a\r\nb\nx\ny\nc\r\nd\n')
      patch(mixed, [insert(3, 'x'), remove(mixed, 3, 3)], 'a\r\nb\nx\nd\n')
    },
  )
  verifies(
    'CONTRACT §2 top lines take terminator of line 1',
    'lines at the top take the terminator of line 1',
    () => {
      patch(mixed, [insert(0, 'x', 'y')], 'x\r\ny\r\na\r\nb\nc\r\nd\n')
      patch(mixed, [remove(mixed, 1, 1), insert(0, 'x')], 'x\r\nb\nc\r\nd\n')
    },
  )
  verifies('CONTRACT §2 empty file takes LF', 'lines in an empty file end with LF', () =>
    patch('', [insert(0, 'x', 'y')], 'x\ny\n'),
  )
  verifies(
    [
      'CONTRACT §2 final newline stays',
      'CONTRACT §2 text keeps final newline',
      'CONTRACT §5 absent stays',
    ],
    'the final newline stays unchanged, whatever happens to the last line',
    () => {
      patch('a\nb', [insert(2, 'c')], 'a\nb\nc')
      patch('a\nb', [replace('a\nb', 2, 2, 'x', 'y')], 'a\nx\ny')
      patch('a\nb', [remove('a\nb', 2, 2)], 'a')
      patch('a\r\nb\nc', [remove('a\r\nb\nc', 2, 2), remove('a\r\nb\nc', 3, 3)], 'a')
      patch('a\nb\n', [remove('a\nb\n', 2, 2)], 'a\n')
      patch('a\nb\n', [insert(2, 'c')], 'a\nb\nc\n')
      patch('a\nb', [remove('a\nb', 1, 2)], '')
    },
  )
  verifies(
    'CONTRACT §2 unterminated line inside',
    'an unterminated line that ends up inside takes the terminator before it, else of line 1, else LF',
    () => {
      patch('a\r\nb', [insert(2, 'c')], 'a\r\nb\r\nc')
      patch('b', [insert(1, 'c')], 'b\nc')
      patch('a\r\nb', [remove('a\r\nb', 1, 1), insert(2, 'c')], 'b\r\nc')
    },
  )
  verifies(
    ['CONTRACT §2 final newline asked', 'CONTRACT §5 finalNewline'],
    'finalNewline adds or takes the last newline',
    () => {
      patch('a\r\nb', { changes: [], finalNewline: true }, 'a\r\nb\r\n')
      patch('a\nb\n', { changes: [], finalNewline: false }, 'a\nb')
      patch('a\nb\n', { changes: [insert(2, 'c')], finalNewline: false }, 'a\nb\nc')
      patch('a\nb\n', { changes: [], finalNewline: true }, 'a\nb\n')
    },
  )
  verifies(
    'CONTRACT §5 eol',
    'eol lf leaves no CR before a line end, however many there were',
    () => {
      const turned = (text: string, encoding: 'utf8' | 'utf16le', changes: LineChange[] = []) => {
        const base = Buffer.from(text, encoding)
        const { content } = unwrap(applyFilePatch(base, { changes, eol: 'lf' }))
        return Buffer.from(toBytes(content, base)).toString(encoding)
      }
      const twice = 'a\r\r\n\r\r\nb\r\r\r\nc\rd\r\ne\r'
      expect(turned(twice, 'utf8')).toBe('a\n\nb\nc\rd\ne\r')
      expect(turned(`\ufeff${twice}`, 'utf16le')).toBe('\ufeffa\n\nb\nc\rd\ne\r')
      expect(turned(twice, 'utf8', [insert(1, 'x')])).toBe('a\nx\n\nb\nc\rd\ne\r')
      const after = Buffer.from(turned(twice, 'utf8'))
      expect(decodeText(after).eol).toBe('lf')
    },
  )
  verifies('CONTRACT §5 eol', 'eol turns the whole file, new lines included', () => {
    patch(mixed, { changes: [insert(1, 'x')], eol: 'lf' }, 'a\nx\nb\nc\nd\n')
    patch('a\nb\n\nc', { changes: [], eol: 'crlf' }, 'a\r\nb\r\n\r\nc')
    patch('a\nb\n', { changes: [], eol: 'crlf', finalNewline: false }, 'a\r\nb')
  })
  verifies('CONTRACT §5 bom', 'bom adds or takes the mark', () => {
    patch('a\n', { changes: [], bom: true }, '\ufeffa\n')
    patch('\ufeffa\n', { changes: [insert(0, 'x')], bom: false }, 'x\na\n')
    patch('\ufeffa\n', { changes: [], bom: true }, '\ufeffa\n')
  })
  test('an empty last line is closed, because without its newline it would be none', () => {
    patch('a\n\nb', [remove('a\n\nb', 3, 3)], 'a\n\n')
    patch('a\nb', [replace('a\nb', 2, 2, '')], 'a\n\n')
  })
})

/** [name, bytes, a new line that the encoding can hold]; line 2 is the one that is changed. */
const FILES: [string, Uint8Array, string][] = [
  ['CRLF', Buffer.from('one\r\ntwo\r\nthree\r\n'), 'zwei'],
  ['mixed endings', Buffer.from('one\r\ntwo\nthree\r\nfour\n'), 'zwei'],
  ['a BOM', Buffer.from('\ufeffone\ntwo\nthree\n'), 'zwei €'],
  ['UTF-16 LE', Buffer.from('\ufeffone\r\ntwo\r\n😀\r\n', 'utf16le'), 'zwei 😀'],
  ['UTF-16 BE', Buffer.from('\ufeffone\ntwo\n😀', 'utf16le').swap16(), 'zwei 😀'],
  ['UTF-16 with a lone surrogate', Buffer.from('\ufeffone\ud800\ntwo\nx\n', 'utf16le'), 'zwei'],
  ['cp1252', Buffer.from('caf\xe9 \x80\ntwo\nna\xefve\n', 'latin1'), 'zwéi €'],
  ['Shift-JIS', iconv.encode('日本語のテキスト\n二行目です\nこれはテスト\n', 'cp932'), '新しい行'],
  ['GBK', iconv.encode('你好，世界\n第二行文字\n这是一个测试文件\n', 'gbk'), '新的行'],
  [
    'broken UTF-8',
    Buffer.concat([
      Buffer.from('größer, höher, weiter ä\ntwo\n'),
      Buffer.of(0x61, 0xff, 0xfe, 0x0a),
    ]),
    'zwei ä',
  ],
  ['bytes of no encoding', Buffer.from('\x81\x8d \xff\ntwo\n\x90\x9d\n', 'latin1'), 'zwei'],
  ['no final newline', Buffer.from('one\ntwo\nthree'), 'zwei'],
  ['tabs and trailing spaces', Buffer.from('\tone  \n\ttwo\t\n \t three\n'), '\tzwei '],
  [
    'control characters',
    Buffer.from('o\x00ne\x07\x1b[0m\ntwo\x0b\x0c\nth\rree\x7f\u2028\u0085\n'),
    'z\x01wei',
  ],
  ['a line of a megabyte', Buffer.from(`one\ntwo\n${'x'.repeat(2 ** 20)}\n`), 'zwei'],
  ['one line of a megabyte to change', Buffer.from(`one\n${'é'.repeat(2 ** 19)}`), 'zwei'],
]
describe('bytes outside a change are identical', () => {
  for (const [name, bytes, newLine] of FILES)
    verifies(
      [
        'CONTRACT §2 text keeps encoding',
        'CONTRACT §2 text keeps BOM',
        'CONTRACT §2 text keeps terminators',
        'CONTRACT §2 utf-8 edited by bytes',
        'CONTRACT §2 utf-16 edited by bytes',
        'CONTRACT §2 legacy edited by bytes',
        'CONTRACT §6 unnamed bytes identical',
      ],
      `in a file with ${name}`,
      () => {
        const doc = decodeText(bytes)
        const after = applyLawfully(bytes, { changes: [replace(bytes, 2, 2, newLine)] })
        const expected = Buffer.concat([
          bytes.subarray(0, doc.startOf(2)),
          doc.codec.encode(newLine)!,
          bytes.subarray(doc.textEndOf(2)),
        ])
        expect(after.equals(expected)).toBe(true)
        const grown = applyLawfully(bytes, { changes: [insert(1, newLine, newLine)] })
        expect(grown.subarray(0, doc.startOf(2)).equals(bytes.subarray(0, doc.startOf(2)))).toBe(
          true,
        )
        expect(
          grown
            .subarray(grown.length - (bytes.length - doc.startOf(2)))
            .equals(bytes.subarray(doc.startOf(2))),
        ).toBe(true)
        expect(decodeText(grown).encoding).toBe(doc.encoding)
      },
    )
})

describe('laws', () => {
  const textAndChanges = arbitraryText.chain(text =>
    fc.tuple(fc.constant(text), arbitraryChanges(text)),
  )

  verifies(
    'TUL-002 §1 client applies deterministically',
    'apply then invert is the identity, and untouched lines keep every byte',
    () => {
      fc.assert(
        fc.property(textAndChanges, fc.boolean(), ([text, changes], isUtf16) => {
          const bytes = isUtf16 ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
          const after = applyLawfully(bytes, { changes })
          expect(applyLawfully(bytes, { changes })).toEqual(after)
        }),
        { numRuns: 400 },
      )
    },
  )

  test('the order of disjoint changes in the array plays no part', () => {
    fc.assert(
      fc.property(textAndChanges, ([text, changes]) => {
        const places = changes.map(change =>
          change.operation === 'insert' ? change.afterLine : -1,
        )
        fc.pre(
          places.filter(place => place >= 0).length ===
            new Set(places.filter(place => place >= 0)).size,
        )
        const bytes = Buffer.from(text)
        expect(applyLawfully(bytes, { changes: changes.toReversed() })).toEqual(
          applyLawfully(bytes, { changes }),
        )
      }),
    )
  })

  test('the lines of the new text are those that the changes say', () => {
    fc.assert(
      fc.property(textAndChanges, ([text, changes]) => {
        const bytes = Buffer.from(text)
        const after = decodeText(applyLawfully(bytes, { changes }))
        expect(after.lines(1, after.lineCount)).toEqual(
          applyToList(decodeText(bytes).lines(1, decodeText(bytes).lineCount), changes),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('changes accepted one by one are the patch of those alone', () => {
    const base = 'a\nb\nc\nd\n'
    const changes = [replace(base, 1, 1, 'A'), insert(2, 'x'), remove(base, 4, 4)]
    const only = selectChanges({ changes }, new Set([0, 2]))
    patch(base, only, 'A\nb\nc\n')
  })
})

verifies('CONTRACT §5 line map', 'the line map says where each old line is', () => {
  const base = 'a\nb\nc\nd\ne\n'
  const { lineMap } = unwrap(
    applyFilePatch(Buffer.from(base), {
      changes: [replace(base, 2, 2, 'x', 'y'), remove(base, 4, 4)],
    }),
  )
  expect([1, 2, 3, 4, 5].map(n => mapLine(lineMap, n))).toEqual([1, null, 4, null, 5])
  expect(describeLineMap(lineMap)).toBe('1 → 1 · 2 → 2-3 (changed) · 3 → 4 · 4 → deleted · 5 → 5')
})

test('a change of one line in a large file is three slices', () => {
  const bytes = Buffer.from('some line of text\n'.repeat(200_000))
  const { content } = unwrap(
    applyFilePatch(bytes, { changes: [replace(bytes, 100_000, 100_000, 'x')] }),
  )
  expect(content.map(slice => slice.from)).toEqual(['base', 'inline', 'base'])
  expect(toBytes(content, bytes).length).toBe(bytes.length - 16)
})

/** The same by splicing a list, bottom to top: simple enough to be seen to be right. */
function applyToList(lines: string[], changes: readonly ReturnType<typeof insert>[]): string[] {
  const position = (change: ReturnType<typeof insert>) =>
    change.operation === 'insert' ? change.afterLine + 0.5 : change.startLine
  const order = changes
    .map((_, i) => i)
    .sort((a, b) => position(changes[b]!) - position(changes[a]!) || b - a)
  const result = [...lines]
  for (const i of order) {
    const change = changes[i]!
    if (change.operation === 'insert') result.splice(change.afterLine, 0, ...change.newLines)
    else
      result.splice(
        change.startLine - 1,
        change.endLine - change.startLine + 1,
        ...(change.operation === 'replace' ? change.newLines : []),
      )
  }
  return result
}
