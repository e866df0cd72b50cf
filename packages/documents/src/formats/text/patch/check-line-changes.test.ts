import { toBytes, unwrap } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../../test/verifies.ts'
import { decodeText } from '../decode/text.ts'
import { insert, patch, remove, replace } from '../patch-laws.contract.ts'
import { applyFilePatch } from './apply-file-patch.ts'
import { checkAgainstBase, type Problem } from './check-line-changes.ts'
import type { LineChange, LinePatch } from './line-changes.ts'

const BASE = 'one\n  two\nthree\nfour\n'

function problemsOf(base: string | Uint8Array, changes: LineChange[] | LinePatch): Problem[] {
  const whole = Array.isArray(changes) ? { changes } : changes
  const checked = checkAgainstBase(decodeText(Buffer.from(base)), whole, 'files[0]')
  if (checked.ok) throw new Error('accepted, where a refusal was expected')
  expect(checked.failure).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(/^Nothing was written: /),
  })
  return checked.failure.details!.problems as Problem[]
}

/** The corrected change is sent back and must succeed. */
function correctedText(base: string, change: LineChange): string {
  const [problem] = problemsOf(base, [change])
  const { content } = unwrap(applyFilePatch(Buffer.from(base), { changes: [problem!.corrected!] }))
  return Buffer.from(toBytes(content, Buffer.from(base))).toString()
}

describe('the file', () => {
  verifies(
    ['CONTRACT §5 inside the file', 'TUL-002 §10 ranges rejected'],
    'has as many lines as it has',
    () => {
      const change: LineChange = {
        operation: 'delete',
        startLine: 4,
        endLine: 5,
        expectedOriginalLines: ['four', 'x'],
      }
      expect(problemsOf(BASE, [change])).toEqual([
        { at: 'files[0].changes[0].endLine', message: 'is 5, but the file has 4 lines' },
      ])
    },
  )
  verifies('CONTRACT §5 afterLine inside', 'is not longer than an insert says', () => {
    expect(problemsOf(BASE, [insert(5, 'x')])).toEqual([
      { at: 'files[0].changes[0].afterLine', message: 'is 5, but the file has 4 lines' },
    ])
    expect(problemsOf('', [insert(1, 'x')])[0]!.message).toBe('is 1, but the file has no lines')
    patch(BASE, [insert(4, 'x')], `${BASE}x\n`)
  })
  verifies(
    'CONTRACT §2 unencodable refused',
    'refuses a character that its encoding cannot hold, with the reason',
    () => {
      const latin = Buffer.from('caf\xe9\nx\n', 'latin1')
      expect(problemsOf(latin, [insert(1, 'ok', '日')])).toEqual([
        {
          at: 'files[0].changes[0].newLines[1]',
          message:
            'holds "日" (U+65E5), which the file\'s encoding windows-1252 cannot represent; use a character that it has',
        },
      ])
    },
  )
  test('gets no zero byte: it would be a binary file that cannot be read as text again', () => {
    for (const change of [insert(1, 'a\0b'), replace(BASE, 2, 2, 'a\0b')])
      expect(problemsOf(BASE, [change])[0]!.message).toMatch(/^contains U\+0000, .*leave that/)
    const far = `${'x\n'.repeat(5000)}a\0b\n` // text by its first bytes, as git sees it
    patch(far, [replace(far, 5001, 5001, 'c\0d')], `${'x\n'.repeat(5000)}c\0d\n`)
  })
  test('keeps broken bytes that a read shows as U+FFFD', () => {
    const broken = Buffer.concat([
      Buffer.from('größer, höher, weiter ä\nx'),
      Buffer.of(0xff),
      Buffer.from('y\nz\n'),
    ])
    expect(problemsOf(broken, [replace(broken, 2, 2, 'x\ufffdz')])[0]!.message).toContain(
      'holds U+FFFD',
    )
    expect(
      checkAgainstBase(decodeText(broken), { changes: [replace(broken, 2, 2, 'clean')] }).ok,
    ).toBe(true)
    const kept = unwrap(
      applyFilePatch(broken, { changes: [replace(broken, 2, 3, 'x\ufffdy', 'Z')] }),
    )
    expect(Buffer.from(toBytes(kept.content, broken)).includes(0xff)).toBe(true)
  })
  test('has a BOM where its encoding has one', () => {
    const latin = Buffer.from('caf\xe9\n', 'latin1')
    expect(problemsOf(latin, { changes: [], bom: true })[0]).toMatchObject({ at: 'files[0].bom' })
    expect(
      problemsOf(Buffer.from('\ufeffa\n', 'utf16le'), { changes: [], bom: false })[0],
    ).toMatchObject({ at: 'files[0].bom' })
  })
  test('cannot lose the final newline of an empty last line', () => {
    expect(problemsOf('a\n\n', { changes: [], finalNewline: false })[0]).toMatchObject({
      at: 'files[0].finalNewline',
    })
    patch('a\n\n', { changes: [remove('a\n\n', 2, 2)], finalNewline: false }, 'a')
    expect(problemsOf('a\n', { changes: [insert(1, 'b', '')], finalNewline: false })).toHaveLength(
      1,
    )
  })
})

describe('expected lines', () => {
  const range = (...expectedOriginalLines: string[]): LineChange => ({
    operation: 'delete',
    startLine: 2,
    endLine: 1 + expectedOriginalLines.length,
    expectedOriginalLines,
  })
  verifies(
    [
      'TUL-002 §5.3 expectedOriginalLines verbatim',
      'TUL-002 §5.4 expectedOriginalLines verbatim',
      'CONTRACT §5 never fuzzy',
      'TUL-002 §3 lines from the full file',
    ],
    'must be verbatim: a space, a tab or a capital is a difference',
    () => {
      for (const expected of [' two', '\ttwo', '  Two', '  two ', 'two'])
        expect(problemsOf(BASE, [range(expected)])).toEqual([
          {
            at: 'files[0].changes[0].expectedOriginalLines',
            message: `does not match line 2 (line 2 is "  two", expected ${JSON.stringify(expected)})`,
          },
        ])
    },
  )
  test('that occur at one other place come back corrected, and the corrected change succeeds', () => {
    expect(
      correctedText(BASE, {
        operation: 'replace',
        startLine: 1,
        endLine: 1,
        expectedOriginalLines: ['three'],
        newLines: ['3'],
      }),
    ).toBe('one\n  two\n3\nfour\n')
    expect(
      correctedText(BASE, {
        operation: 'delete',
        startLine: 8,
        endLine: 9,
        expectedOriginalLines: ['three', 'four'],
      }),
    ).toBe('one\n  two\n')
  })
  verifies(
    'CONTRACT §5 never first of many',
    'that occur several times are not corrected to the first place',
    () => {
      const [problem] = problemsOf('x\na\ny\na\n', [
        { operation: 'delete', startLine: 1, endLine: 1, expectedOriginalLines: ['a'] },
      ])
      expect(problem!.corrected).toBeUndefined()
      expect(problem!.message).toContain(
        'it occurs several times, starting at lines 2, 4: name the right one',
      )
    },
  )
  test('may carry the carriage return of a CRLF line', () => {
    const { warnings } = unwrap(
      applyFilePatch(Buffer.from('a\r\nb\r\n'), {
        changes: [
          { operation: 'delete', startLine: 2, endLine: 2, expectedOriginalLines: ['b\r'] },
        ],
      }),
    )
    expect(warnings).toHaveLength(1)
  })
  verifies('CONTRACT §5 expectedBefore', 'above an insert must match', () => {
    const wrong: LineChange = { ...insert(3, 'x'), expectedBefore: ['one', '  two'] } as LineChange
    expect(problemsOf(BASE, [wrong])[0]).toMatchObject({
      at: 'files[0].changes[0].expectedBefore',
      corrected: { afterLine: 2 },
    })
    expect(correctedText(BASE, wrong)).toBe('one\n  two\nx\nthree\nfour\n')
    patch(
      BASE,
      [{ ...insert(2, 'x'), expectedBefore: ['one', '  two'] } as LineChange],
      'one\n  two\nx\nthree\nfour\n',
    )
    expect(
      problemsOf(BASE, [{ ...insert(0, 'x'), expectedBefore: ['zero'] } as LineChange]),
    ).toHaveLength(1)
  })
  verifies('CONTRACT §5 expectedAfter', 'below an insert must match', () => {
    const wrong = { ...insert(0, 'x'), expectedAfter: ['four'] } as LineChange
    expect(problemsOf(BASE, [wrong])[0]).toMatchObject({
      at: 'files[0].changes[0].expectedAfter',
      corrected: { afterLine: 3 },
    })
    expect(correctedText(BASE, wrong)).toBe('one\n  two\nthree\nx\nfour\n')
    expect(
      problemsOf(BASE, [{ ...insert(4, 'x'), expectedAfter: ['five'] } as LineChange])[0]!.message,
    ).toContain('the file has 4 lines')
  })
})

describe('pasted `12|` prefixes', () => {
  verifies(
    'CONTRACT §5 refuses number prefixes',
    'are refused with a corrected change that succeeds',
    () => {
      expect(
        correctedText(BASE, {
          operation: 'replace',
          startLine: 2,
          endLine: 3,
          expectedOriginalLines: ['2|  two', '3|three'],
          newLines: ['2|  TWO', 'new'],
        }),
      ).toBe('one\n  TWO\nnew\nfour\n')
      expect(
        correctedText(BASE, {
          operation: 'delete',
          startLine: 4,
          endLine: 4,
          expectedOriginalLines: ['4|four'],
        }),
      ).toBe('one\n  two\nthree\n')
      expect(correctedText(BASE, replace(BASE, 1, 1, '1|uno', '2|dos'))).toBe(
        'uno\ndos\n  two\nthree\nfour\n',
      )
      expect(correctedText(BASE, insert(2, '3|x', '4|y'))).toBe('one\n  two\nx\ny\nthree\nfour\n')
    },
  )
  test('are the text itself in a file whose lines begin so', () => {
    const table = '1|apple\n2|pear\n'
    patch(table, [replace(table, 2, 2, '2|plum'), insert(2, '3|fig')], '1|apple\n2|plum\n3|fig\n')
    patch('', [insert(0, '1|apple')], '1|apple\n')
    patch(
      BASE,
      [insert(2, '7|not a line number here')],
      'one\n  two\n7|not a line number here\nthree\nfour\n',
    )
  })
})

test('all problems of a patch come at once', () => {
  expect(
    problemsOf(BASE, {
      changes: [insert(9, 'x'), replace(BASE, 1, 1, 'a\ud800')],
      finalNewline: false,
      bom: undefined,
    }),
  ).toHaveLength(2)
})
