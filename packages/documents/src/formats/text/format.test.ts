import {
  type DocPath,
  type LoggedOperation,
  type Operation,
  type Reading,
  type Region,
  type RelativePath,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import { textFormat } from './format.ts'

const NAME = { docPath: 'notes.md' as DocPath, path: 'Notes.md' as RelativePath }
const open = (content: string | Uint8Array) => unwrap(textFormat.open(Buffer.from(content), NAME))
const logged = (operation: Operation): LoggedOperation => ({
  toolCallId: 'tc_1',
  index: 0,
  operation,
  circumstances: { time: '', author: '', seed: 0 },
})

/** What the operation makes of the content, with its warnings. */
function run(content: string | Uint8Array, operation: Operation) {
  const base = Buffer.from(content)
  const document = open(base)
  const { warnings, results } = unwrap(document.apply([logged(operation)]))
  return {
    bytes: Buffer.from(toBytes(unwrap(document.content()), base)),
    warnings,
    message: results[0]!.message,
  }
}

function refusal(content: string | Uint8Array, operation: Operation): string {
  const base = Buffer.from(content)
  const document = open(base)
  const result = document.apply([logged(operation)])
  if (result.ok) throw new Error('done, where a refusal was expected')
  expect(Buffer.from(toBytes(unwrap(document.content()), base)).equals(base)).toBe(true)
  expect(result.failure.message).toMatch(/^Nothing was written: /)
  return result.failure.message
}

const edit = (...edits: { search: string; replace: string; all?: boolean }[]) => ({
  op: 'edit_text',
  edits,
})

describe('write_text', () => {
  verifies('CONTRACT §2 created text', 'writes UTF-8 without BOM and with LF', () => {
    expect(run('', { op: 'write_text', content: '\ufeffä\r\nb\n' }).bytes.toString()).toBe('ä\nb\n')
    expect(run('', { op: 'write_text', content: '\ufeff\ufeffä' }).bytes.toString()).toBe('ä')
    expect(unwrap(textFormat.create(NAME))).toHaveLength(0)
  })
  verifies(
    'CONTRACT §2 replacing keeps CRLF',
    'keeps the CRLF of a file it replaces, and says so',
    () => {
      const { bytes, warnings } = run('a\r\nb\r\n', { op: 'write_text', content: 'x\ny\n' })
      expect(bytes.toString()).toBe('x\r\ny\r\n')
      expect(warnings).toEqual([
        'The file had CRLF line ends and keeps them; pass eol: "lf" to write \\n.',
      ])
    },
  )
  verifies('CONTRACT §2 eol lf converts', 'writes LF over CRLF when asked', () => {
    expect(
      run('a\r\nb\r\n', { op: 'write_text', content: 'x\ny\n', eol: 'lf' }).bytes.toString(),
    ).toBe('x\ny\n')
  })
  test('says when the encoding changes', () => {
    const { bytes, warnings } = run(Buffer.from('\ufeffalt\n', 'utf16le'), {
      op: 'write_text',
      content: 'neu ä\n',
    })
    expect(bytes.toString()).toBe('neu ä\n')
    expect(warnings).toEqual(['The file was utf-16le and is UTF-8 now.'])
  })
  test('of the same content changes nothing', () => {
    const document = open('a\n')
    unwrap(document.apply([logged({ op: 'write_text', content: 'a\n' })]))
    expect(document.changes()).toEqual([])
  })
  test('returns only its own changes each time, and the text is the written one', () => {
    const document = open('a\nb\n')
    const answered = ['a\nc\n', 'a\nc\nd', '', 'e\n'].map((content, i) => {
      const call = { ...logged({ op: 'write_text', content }), toolCallId: `tc_${i}` }
      const { changes } = unwrap(document.apply([call]))
      expect(
        Buffer.from(toBytes(unwrap(document.content()), Buffer.from('a\nb\n'))).toString(),
      ).toBe(content)
      return changes
    })
    expect(answered.every(changes => changes.length > 0)).toBe(true)
    expect(answered.flat()).toEqual(document.changes())
  })
  test('refuses content that is not text', () => {
    expect(refusal('a\n', { op: 'write_text' })).toContain('use write_text {content, eol?}')
    expect(refusal('a\n', { op: 'write_text', content: '\ud800' })).toContain('lone surrogate')
    expect(refusal('a\n', { op: 'write_text', content: 'a\0' })).toContain('contains U+0000')
    expect(refusal('a\n', edit({ search: 'a', replace: '\0' }))).toContain('contains U+0000')
  })
})

describe('edit_text', () => {
  test('replaces exact text and keeps the line ends of the file', () => {
    expect(run('a b\r\nc\r\n', edit({ search: 'b\nc', replace: 'x\ny\nz' })).bytes.toString()).toBe(
      'a x\r\ny\r\nz\r\n',
    )
    expect(
      run('a\nb\r\nc\n', edit({ search: 'a\nb\nc', replace: '1\n2\n3\n4' })).bytes.toString(),
    ).toBe('1\n2\r\n3\r\n4\n')
    expect(run('a\n', edit({ search: 'a', replace: 'x\r\ny' })).bytes.toString()).toBe('x\ny\n')
  })
  test('applies to the result of the edits before it', () => {
    expect(
      run(
        'a\n',
        edit({ search: 'a', replace: 'bc' }, { search: 'c', replace: 'd' }),
      ).bytes.toString(),
    ).toBe('bd\n')
  })
  test('replaces every place when asked', () => {
    const { bytes, message } = run('aaa a\n', edit({ search: 'aa', replace: 'b', all: true }))
    expect(bytes.toString()).toBe('ba a\n')
    expect(message).toBe('Replaced 1 occurrence.')
  })
  test('at several places of a line shows the line in the end as it will be', () => {
    const document = open('## b # a\n')
    unwrap(document.apply([logged(edit({ search: '#', replace: '##', all: true }))]))
    expect(document.changes().map(({ before, after }) => [before?.lines, after?.lines])).toEqual([
      [['## b # a'], ['### b # a']],
      [['### b # a'], ['#### b # a']],
      [['#### b # a'], ['#### b ## a']],
    ])
    const over = open('a;\nb;\nc')
    unwrap(over.apply([logged(edit({ search: ';\n', replace: ', ', all: true }))]))
    expect(over.changes().at(-1)).toMatchObject({
      before: { lines: ['a, b;', 'c'] },
      after: { lines: ['a, b, c'] },
    })
  })
  test('of text by itself changes nothing, and the other edits are applied', () => {
    const same = { search: 'b\nc', replace: 'b\nc' }
    const document = open('a\r\nb\r\nc')
    const { results } = unwrap(document.apply([logged(edit(same))]))
    expect(results).toMatchObject([{ message: 'The file already has this text.', places: 0 }])
    expect(document.changes()).toEqual([])
    const { bytes, message } = run('a\r\nb\r\nc', edit(same, { search: 'a', replace: 'x' }))
    expect(bytes.toString()).toBe('x\r\nb\r\nc')
    expect(message).toBe('Replaced 1 occurrence.')
    expect(refusal('a', edit({ search: 'none', replace: 'none' }))).toContain('edits[0].search')
  })
  test('refuses more places than a review can hold, before it makes any', () => {
    const many = edit({ search: 'a', replace: 'b', all: true })
    expect(refusal('a'.repeat(250_001), many)).toContain('more than 250,000 times')
    const [first, second] = ['a', 'b'].map(search => ({ search, replace: 'c', all: true }))
    expect(refusal('a\nb\n'.repeat(125_001), edit(first!, second!))).toContain(
      'edits[1].search: it occurs more than 124,999 further times',
    )
  })
  test('adds and takes a final newline as text', () => {
    const cases: [string, string, string, string][] = [
      ['a\nb', 'b', 'b\n', 'a\nb\n'],
      ['a\nb\n', 'b\n', 'b', 'a\nb'],
      ['a\nb\n', 'b\n', '', 'a\n'],
      ['a\nb', 'b', '', 'a\n'],
      ['a\nb\n', 'a\nb\n', '', ''],
      ['a\nb\n', 'b\n', 'c\nd\n', 'a\nc\nd\n'],
      ['a\n\n', 'a\n\n', 'a', 'a'],
      ['a\nb', 'a\nb', 'x\n\n', 'x\n\n'],
      ['a\n\nb', '\nb', '', 'a\n'],
    ]
    for (const [before, search, replace, after] of cases)
      expect(run(before, edit({ search, replace })).bytes.toString()).toBe(after)
    expect(run('a\n\n', edit({ search: '\n', replace: '', all: true })).bytes.toString()).toBe('a')
  })
  test('keeps every byte outside of its place, in any encoding', () => {
    const shiftJis = iconv.encode('表示ソ能\n日本語のテキスト\nこれはテスト\n', 'cp932') // 表, ソ and 能 end with "\"
    expect(
      iconv.decode(run(shiftJis, edit({ search: '日本語', replace: '英語' })).bytes, 'cp932'),
    ).toBe('表示ソ能\n英語のテキスト\nこれはテスト\n')
    expect(refusal(shiftJis, edit({ search: '\\', replace: '/' }))).toContain('does not contain')
    const broken = Buffer.concat([
      Buffer.from('größer, höher, weiter ä\nx'),
      Buffer.of(0xff),
      Buffer.from(' y\n'),
    ])
    expect(run(broken, edit({ search: ' y', replace: ' z' })).bytes.toString('latin1')).toBe(
      broken.toString('latin1').replace(' y', ' z'),
    )
    const wide = run(Buffer.from('\ufeffa\u0a61\n', 'utf16le'), edit({ search: 'a', replace: 'b' }))
    expect(wide.bytes.toString('utf16le')).toBe('\ufeffb\u0a61\n')
  })
  test('shows the lines around its places as they are and will be, in any encoding', () => {
    const text = 'plain old text\nGrüße, old old Köln €\n\ud83d\ude00 old\n'
    const japanese = '表示ソ能\n日本語のテキスト old これはテスト\nこれはテスト\n'
    for (const [content, lines] of [
      [Buffer.from(text), text],
      [Buffer.from(`\ufeff${text}`, 'utf16le'), text],
      [iconv.encode('Grüße old Köln\n', 'latin1'), 'Grüße old Köln\n'],
      [iconv.encode(japanese, 'cp932'), japanese],
    ] as const) {
      const document = open(content)
      unwrap(document.apply([logged(edit({ search: 'old', replace: 'newer', all: true }))]))
      const shown = document.changes().map(({ before, after }) => [before, after])
      const expected = [...lines.matchAll(/old/g)].map(({ index }) => {
        const firstLine = lines.slice(0, index).split('\n').length
        const line = lines.split('\n')[firstLine - 1]!
        const column = index - lines.lastIndexOf('\n', index - 1) - 1
        // a second place on a line is shown in the line as the first one left it
        const head = line.slice(0, column).replaceAll('old', 'newer')
        return [
          { firstLine, lines: [`${head}${line.slice(column)}`] },
          { firstLine, lines: [`${head}newer${line.slice(column + 3)}`] },
        ]
      })
      expect(shown).toEqual(expected)
    }
  })

  test('does not take the carriage return of a line end for text', () => {
    expect(refusal('a\r\nb\r\n', edit({ search: 'a\r', replace: 'x' }))).toContain(
      'does not contain',
    )
  })
  test('names the lines of text that occurs several times', () => {
    const message = refusal('x\na\nb\na\naa\n', edit({ search: 'a', replace: 'b' }))
    expect(message).toContain(
      'edits[0].search: it occurs 4 times (lines 2, 4, 5); add text around the one you mean until it is unique, or pass all: true',
    )
  })
  test('shows of a file that is one long line no part as if it were all', () => {
    const minified = `${'var a=1;'.repeat(100)}\n`
    expect(refusal(minified, edit({ search: 'let a', replace: 'x' }))).toContain(
      'the file does not contain it; read the file and copy the text',
    )
    expect(refusal(minified, edit({ search: 'var', replace: 'let' }))).toContain(
      'it occurs many times (line 1 and more); add text around',
    )
  })
  verifies(
    'CONTRACT §5 never fuzzy',
    'shows the lines nearest to missing text, and does not use them',
    () => {
      const message = refusal(
        'function  total(a) {\n  return a\n}\n',
        edit({ search: 'function total(a) {', replace: 'x' }),
      )
      expect(message).toContain('The nearest lines are:\n1|function  total(a) {')
      expect(refusal('a\nb\n', edit({ search: '1|a', replace: 'x' }))).toContain(
        'without the `12|` prefixes of a read it is at line 1',
      )
    },
  )
  test('scans text that repeats one line only once', () => {
    const search = `${'a\n'.repeat(20_000)}b\n`
    const text = 'a\n'.repeat(100_000)
    expect(refusal(text, edit({ search, replace: 'x' }))).toContain('does not contain')
    expect(run(`${text}b\n`, edit({ search, replace: 'x\n' })).bytes.toString()).toBe(
      `${'a\n'.repeat(80_000)}x\n`,
    )
  })
  test('finds no character of UTF-16 across two others', () => {
    const across = Buffer.from('\ufeffA A\n', 'utf16le') // … 20 [00 41] 00 …, and U+4100 is 00 41
    expect(refusal(across, edit({ search: '\u4100', replace: 'x' }))).toContain('does not contain')
  })
  test('shows a part of a long line at each of its many places', () => {
    const fields = Array.from({ length: 15_000 }, (_, n) => `{"id":${n},"é":"x"}`)
    const line = `[${fields.join(',')}]`
    const document = open(`top\n${line}\n`)
    const renaming = edit({ search: '"id"', replace: '"key"', all: true })
    const { changes } = unwrap(document.apply([logged(renaming)]))
    expect(changes).toHaveLength(15_000)
    const [first, middle] = [changes[0]!, changes[7000]!]
    expect(first.before!.lines![0]).toMatch(/^\[\{"id":0,"é":"x"\},.{1500,}…$/)
    expect(first.after!.lines![0]).toMatch(/^\[\{"key":0,"é":"x"\},\{"id":1,.{1500,}…$/)
    expect(middle.before!.lines![0]).toMatch(/^….{199}\{"id":7000,.{1500,}…$/)
    expect(middle.after!.lines![0]).toMatch(/^….{199}\{"key":7000,.{1500,}…$/)
    expect(changes.at(-1)!.after!.lines![0]).toMatch(/^….{199}\{"key":14999,"é":"x"\}\]$/)
  })
  test('scans once for a long search of empty lines that does not occur', () => {
    const search = `12|a${'\n'.repeat(300_000)}x`
    expect(refusal('a\n', edit({ search, replace: 'b' }))).toContain('does not contain')
  })
  test('shows the lines where most of a multi-line text occurs, and the first that differs', () => {
    const source = 'import os\n\ndef main():\n    print("hello")\n    return 1\n\nmain()\n'
    const search = 'def main():\n  print("hello")\n  return 1\n'
    expect(refusal(source, edit({ search, replace: 'x' }))).toContain(
      'Lines 3-6 come nearest and differ first at line 4.\n3|def main():\n4|    print("hello")\n5|    return 1\n6|\nCopy the text',
    )
    const begunInside = 'main():\n    print("hallo")\n    return 1'
    expect(refusal(source, edit({ search: begunInside, replace: 'x' }))).toContain(
      'Lines 3-5 come nearest and differ first at line 4.\n3|def main():\n4|    print("hello")\n5|    return 1\nCopy',
    )
    const shorter = 'import os\n\ndef main():\n    return 1'
    expect(refusal(source, edit({ search: shorter, replace: 'x' }))).toContain(
      'Lines 1-5 come nearest and differ first at line 4.\n',
    )
    const long = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`)
    const wrong = long.with(70, 'another').join('\n')
    expect(refusal(`${long.join('\n')}\n`, edit({ search: wrong, replace: 'x' }))).toContain(
      'Lines 1-100 come nearest and differ first at line 71. Lines 61-100 of them:\n61|line 61\n',
    )
  })
  test('shows a short file whole when nothing in it is near', () => {
    expect(refusal('one\ntwo\n', edit({ search: 'nope', replace: 'x' }))).toContain(
      'the file does not contain it; it has only:\n1|one\n2|two\n',
    )
    expect(refusal('', edit({ search: 'nope', replace: 'x' }))).toContain('it is empty')
  })
  test('reports text that an earlier edit removed, and text in another Unicode form', () => {
    const twice = edit({ search: 'two', replace: 'x' }, { search: 'two', replace: 'y' })
    expect(refusal('one\ntwo\n', twice)).toContain(
      'edits[1].search: it was at line 2 until an earlier edit in this call changed that text',
    )
    const decomposed = 'one\ncafe\u0301\n'
    expect(refusal(decomposed, edit({ search: 'caf\u00e9', replace: 'x' }))).toContain(
      'at line 2 it is in another Unicode form (accents as separate characters)',
    )
    expect(run(decomposed, edit({ search: 'cafe\u0301', replace: 'x' })).bytes.toString()).toBe(
      'one\nx\n',
    )
  })
  test('reports every edit that fails', () => {
    const message = refusal(
      'a\n',
      edit(
        { search: 'q', replace: '' },
        { search: 'a', replace: 'b' },
        { search: 'r', replace: '' },
      ),
    )
    expect(message).toMatch(/edits\[0\].*edits\[2\]/s)
  })
  test('refuses a character that the encoding cannot hold', () => {
    expect(
      refusal(Buffer.from('caf\xe9\n', 'latin1'), edit({ search: 'caf', replace: '日' })),
    ).toContain('windows-1252 cannot represent')
  })
})

test('edit_text gives the same result as replacing in a string', () => {
  const chars = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\n', 'é'), maxLength: 14 })
  fc.assert(
    fc.property(chars, chars, fc.nat(), fc.nat(3), (text, replace, start, length) => {
      fc.pre(text.length > 0)
      const search = text.slice(start % text.length, (start % text.length) + 1 + length)
      expect(run(text, edit({ search, replace, all: true })).bytes.toString()).toBe(
        text.replaceAll(search, () => replace),
      )
      const isUnique = text.indexOf(search) === text.lastIndexOf(search)
      if (isUnique)
        expect(run(text, edit({ search, replace })).bytes.toString()).toBe(
          text.replace(search, () => replace),
        )
      else expect(refusal(text, edit({ search, replace }))).toContain('times')
    }),
    process.env.FILEWRIGHT_FULL === '1' ? { numRuns: 5000 } : { numRuns: 500, seed: 5 },
  )
})

test('line_changes answers with the line map', () => {
  const { bytes, message } = run('a\nb\n', {
    op: 'line_changes',
    changes: [{ operation: 'insert', afterLine: 1, newLines: ['x'] }],
  })
  expect(bytes.toString()).toBe('a\nx\nb\n')
  expect(message).toBe('Applied 1 change. Lines: 1 → 1 · new → 2 · 2 → 3.')
})

test('an unknown operation is refused with the names that exist', () => {
  expect(refusal('a\n', { op: 'set_cells' })).toContain('write_text, edit_text, line_changes')
})

test('operations are done all or none', () => {
  const document = open('a\nb\n')
  expect(
    document.apply([
      logged(edit({ search: 'a', replace: 'A' })),
      logged(edit({ search: 'q', replace: '' })),
    ]).ok,
  ).toBe(false)
  expect(document.changes()).toEqual([])
  expect(unwrap(document.read({}, { maxBytes: 100 })).fields.content).toBe('a\nb\n')
})

describe('reading', () => {
  const text = 'one\r\ntwo\r\nthree\r\nfour'
  const read = (region: Region, maxBytes = 1000) => unwrap(open(text).read(region, { maxBytes }))
  const unread = (region: Region) => {
    const result = open(text).read(region, { maxBytes: 1000 })
    return result.ok ? undefined : result.failure
  }
  verifies(
    ['CONTRACT §2 view header', 'CONTRACT §2 view numbered', 'CONTRACT §2 json content verbatim'],
    'gives a header and numbered lines; the content itself is verbatim',
    () => {
      const { text: view, fields, shown, total, next } = read({ line_start: 2, line_count: 2 })
      expect(view).toBe(
        'Notes.md · lines 2-3 of 4 · eol crlf · encoding utf-8 · no final newline\n2|two\n3|three\n… continue with line_start 4',
      )
      expect(fields).toMatchObject({
        content: 'two\r\nthree\r\n',
        lineStart: 2,
        lineCount: 2,
        totalLines: 4,
      })
      expect({ shown, total, next }).toEqual({
        shown: 'lines 2-3',
        total: '4 lines',
        next: { line_start: 4 },
      })
    },
  )
  test('returns as much as fits and says how to continue', () => {
    const page = read({}, 12)
    expect(page.fields).toMatchObject({ content: 'one\r\ntwo\r\n', isTruncated: true })
    expect(page.next).toEqual({ line_start: 3 })
    expect(read({ line_start: 3 }).next).toBeUndefined()
  })
  test('cuts a line that is longer than the page on a character border', () => {
    const page = unwrap(open(`${'é'.repeat(5000)}\nend\n`).read({}, { maxBytes: 1001 }))
    expect(page.fields.content).toBe('é'.repeat(500))
    expect(page.text).toContain('… line 1 is cut here: 1000 of its 10000 bytes are shown')
    expect(page.next).toEqual({ line_start: 1, byte_start: 1000 })
  })
  test.each(['utf8', 'utf16-le', 'shift_jis'])(
    'continues inside such a line until its end, in %s',
    encoding => {
      const text = `ab${'一行目です。二行目、日本語テキスト。'.repeat(120)}\r\nend\r\n`
      const document = open(iconv.encode(text, encoding, { addBOM: encoding === 'utf16-le' }))
      const pieces: unknown[] = []
      let region: Region | undefined = {}
      while (region) {
        const page: Reading = unwrap(document.read(region, { maxBytes: 1001 }))
        pieces.push(page.fields.content)
        region = page.next
      }
      expect(pieces.length).toBeGreaterThan(4)
      expect(pieces.join('')).toBe(text)
      expect(document.read({ byte_start: 99_999 }, { maxBytes: 1001 })).toMatchObject({
        ok: false,
        failure: { code: 'NO_SUCH_REGION' },
      })
    },
  )
  verifies('CONTRACT §4 read_file beyond the end', 'beyond the end names the last line', () => {
    expect(unread({ line_start: 5 })).toMatchObject({
      code: 'NO_SUCH_REGION',
      message: 'Cannot read "Notes.md" from line 5: its last line is 4.',
    })
    expect(open('').read({ line_start: 1 }, { maxBytes: 10 })).toMatchObject({
      ok: false,
      failure: { message: 'Cannot read "Notes.md" from line 1: it has no lines.' },
    })
    expect(unwrap(open('').read({}, { maxBytes: 10 })).fields.content).toBe('')
  })
  verifies(
    'CONTRACT §4 read_file foreign selector',
    'by a selector of another format is refused',
    () => {
      expect(unread({ sheet: 'Sales' })).toMatchObject({
        code: 'INVALID_ARGUMENT',
        message:
          'Cannot read "Notes.md" by sheet: it is a text file. Use line_start and line_count.',
      })
      expect(unread({ line_start: 0 })).toMatchObject({ code: 'INVALID_ARGUMENT' })
      expect(unread({ line_count: 0 })).toMatchObject({ code: 'INVALID_ARGUMENT' })
    },
  )
})

describe('searching', () => {
  const document = open('Alpha\r\nbeta.gamma\r\nALPHA beta\r\n')
  const places = (
    query: { text?: string; regex?: RegExp; caseSensitive?: boolean },
    maxHits = 10,
  ) => unwrap(document.search({ ...query, maxHits })).hits.map(hit => hit.place)
  test('ignores case unless asked not to', () => {
    expect(places({ text: 'alpha' })).toEqual(['line 1', 'line 3'])
    expect(places({ text: 'Alpha', caseSensitive: true })).toEqual(['line 1'])
    expect(places({ text: 'beta.g' })).toEqual(['line 2'])
    expect(places({ text: '' })).toEqual([])
  })
  test('finds lines by an expression and gives regions that can be read', () => {
    expect(unwrap(document.search({ regex: /^beta|beta$/g, maxHits: 10 })).hits).toEqual([
      { region: { line_start: 2, line_count: 1 }, place: 'line 2', text: 'beta.gamma' },
      { region: { line_start: 3, line_count: 1 }, place: 'line 3', text: 'ALPHA beta' },
    ])
  })
  test('says when there is more', () => {
    expect(unwrap(document.search({ text: 'a', maxHits: 2 })).isTruncated).toBe(true)
    expect(unwrap(document.search({ text: 'a', maxHits: 3 })).isTruncated).toBe(false)
  })
  test('numbers lines right across blocks, and shows a long line around the hit', () => {
    const long = open(
      `${'x'.repeat(3_000_000)}needle${'y'.repeat(1000)}\n${'line\n'.repeat(500_000)}needle\n`,
    )
    const { hits } = unwrap(long.search({ text: 'needle', maxHits: 5 }))
    expect(hits.map(hit => hit.place)).toEqual(['line 1', 'line 500002'])
    expect(hits[0]!.text.length).toBeLessThan(400)
  })
})

test('the map shows size, form, headings and where parts begin', () => {
  const { fields, text } = unwrap(open('# Title\n\n```sh\n# not one\n```\n## Part\ntext').map())
  expect(fields).toMatchObject({
    lineCount: 7,
    encoding: 'utf-8',
    eol: 'lf',
    finalNewline: false,
    longestLineBytes: 9,
    headings: [
      { line: 1, level: 1, title: 'Title' },
      { line: 6, level: 2, title: 'Part' },
    ],
  })
  expect(text).toContain('6|## Part')
  const large = unwrap(open('0123456789\n'.repeat(10_000)).map())
  const { chunks } = large.fields as { chunks: { line_start: number; line_count: number }[] }
  expect(chunks.reduce((sum, chunk) => sum + chunk.line_count, 0)).toBe(10_000)
  expect(chunks[1]!.line_start).toBe(chunks[0]!.line_count + 1)
})

test('a binary file is refused', () => {
  expect(textFormat.open(Buffer.from([0, 1, 2, 3]), NAME)).toMatchObject({
    ok: false,
    failure: { code: 'UNREADABLE_FORMAT', kind: 'unsupported' },
  })
})
