import { type Reading, unwrap } from '@filewright/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import { corpusFiles, hasCorpus, IS_FULL, readCorpusFile } from '../../corpus.contract.ts'
import type { DocumentName, ReadableDocument, ReadableFormat } from '../../format.ts'
import { startPdf } from './start.ts'
import { type MadePage, makePdf, seeded, words } from './testing/make-pdf.contract.ts'

const NAME = { docPath: 'a.pdf', path: 'A.pdf' } as DocumentName
const MANY = { maxBytes: 46_000 }

let pdf: ReadableFormat
beforeAll(async () => {
  pdf = await startPdf()
})

const open = (bytes: Uint8Array) => unwrap(pdf.open(bytes, NAME))
const textOf = (bytes: Uint8Array, region = {}) => unwrap(open(bytes).read(region, MANY)).text
const line = (text: string, y: number, x = 72) => ({ text, x, y })

describe('pages', () => {
  verifies(
    ['ADR-0010 §Reading Files read_file pages', 'CONTRACT §4 read_file pages'],
    'a range of pages is read, and the answer says what there is and how to go on',
    () => {
      const bytes = makePdf(
        Array.from({ length: 9 }, (_, n) => ({ texts: [line(`This is page ${n + 1}.`, 72)] })),
      )
      const reading = unwrap(open(bytes).read({ pages: '2-3,8' }, { ...MANY, version: '1a2b3c4d' }))
      expect(reading.text).toBe(
        'A.pdf · version 1a2b3c4d · pages 2-3,8 of 9\n— page 2 —\nThis is page 2.\n— page 3 —\nThis is page 3.\n— page 8 —\nThis is page 8.',
      )
      expect(reading).toMatchObject({ shown: 'pages 2-3,8', total: '9 pages' })
      const part = unwrap(open(bytes).read({}, { maxBytes: 70 }))
      expect(part.next).toEqual({ pages: '3-9' })
      expect(open(bytes).read({ pages: '10' }, MANY)).toMatchObject({
        failure: {
          code: 'NO_SUCH_REGION',
          message: 'Cannot read page 10 of "A.pdf": its last page is 9.',
        },
      })
      expect(open(bytes).read({ pages: 'three' }, MANY)).toMatchObject({
        failure: { code: 'INVALID_ARGUMENT' },
      })
    },
  )

  test('a page longer than one read goes on at its next line', () => {
    const texts = Array.from({ length: 60 }, (_, n) =>
      line(`line ${n} ${'x'.repeat(60)}`, 20 + 12 * n),
    )
    const document = open(makePdf([{ texts }]))
    const first = unwrap(document.read({}, { maxBytes: 2_000 }))
    expect(first.next).toMatchObject({ pages: '1' })
    const rest = unwrap(document.read({ ...first.next }, MANY))
    expect(rest.text).toContain('line 59')
    const shown = [first, rest].flatMap(({ text }) => text.match(/line \d+/g) ?? [])
    expect(shown).toEqual(Array.from({ length: 60 }, (_, n) => `line ${n}`))
  })

  test('a page that is turned is read as it is shown', () => {
    const texts = [line('first line', 72), line('second line', 90), line('right', 72, 400)]
    const turned = makePdf([{ texts, rotate: 90, isSideways: true }])
    expect(textOf(turned).split('\n').slice(2)).toEqual(['first line  right', 'second line'])
    const margin = makePdf([{ texts: [line('along the margin', 20, 300)], isSideways: true }])
    expect(textOf(margin)).toContain('along the margin')
  })

  verifies(
    'CONTRACT §4 read_file pages',
    'text in two columns is read one column after the other',
    () => {
      for (let seed = 1; seed <= 10; seed++) {
        const { bytes, expected } = twoColumns(seed)
        const read = textOf(bytes)
          .split('\n')
          .slice(2)
          .filter(text => text !== '')
        expect(read, `page ${seed}`).toEqual(expected)
      }
    },
  )

  test('layout keeps what stands below each other below each other', () => {
    const texts = [line('Name', 72), line('Sum', 72, 300), line('Ann', 90), line('12', 90, 300)]
    const [, , head, row] = textOf(makePdf([{ texts }]), { layout: true }).split('\n')
    expect(head!.indexOf('Sum')).toBe(row!.indexOf('12'))
    expect(head).toMatch(/^Name {10,}Sum$/)
  })

  test('boxes say where a line stands, in the form that crop takes', () => {
    const bytes = makePdf([{ texts: [line('Total 42', 396)] }])
    const { fields, text } = unwrap(open(bytes).read({ boxes: true }, MANY))
    const [page] = fields.pages as { lines: { box: number[] }[] }[]
    const box = page!.lines[0]!.box
    expect(text).toContain(`Total 42 {${box.join(', ')}}`)
    expect(box[1]).toBeGreaterThan(0.49)
    expect(box[3]).toBeLessThan(0.53)
    const part = unwrap(open(bytes).read({ pages: '1', crop: box }, MANY))
    expect(part.pictures?.[0]).toMatchObject({ mediaType: 'image/jpeg' })
    expect(open(bytes).read({ crop: [0, 0, 2, 1] }, MANY)).toMatchObject({
      failure: { message: expect.stringContaining('four numbers from 0 to 1') },
    })
  })

  test('a page without text says so and comes as a picture', () => {
    const bytes = makePdf([{ lines: [[72, 72, 500, 500]] }, { texts: [line('text', 72)] }])
    const reading = unwrap(open(bytes).read({}, MANY))
    expect(reading.text).toContain(
      'This page has no text layer: it is probably a scan. It is attached as a picture.',
    )
    expect(reading.pictures).toHaveLength(1)
    expect(Math.max(reading.pictures![0]!.width, reading.pictures![0]!.height)).toBeLessThanOrEqual(
      1568,
    )
    expect(unwrap(open(bytes).map()).fields.pagesWithoutText).toEqual([1])
  })
})

/** A heading across, two columns of text whose lines do not stand level, a line across below. */
function twoColumns(seed: number) {
  const random = seeded(seed)
  const rows = 8 + Math.floor(random() * 30)
  const shift = seed % 3 === 0 ? 0 : 5
  const column = (x: number, from: number) =>
    Array.from({ length: rows }, (_, n) => ({
      x,
      y: from + 12 * n,
      text: words(random, 7),
      size: 9,
    }))
  const left = column(60, 120)
  const right = column(330, 120 + shift)
  const head = {
    ...line(`A heading that spans both columns of page ${seed} and more`, 70, 100),
    size: 16,
  }
  const foot = line(
    `${words(random, 6)} across the whole page ${words(random, 8)}`,
    130 + 12 * (rows + 2),
    60,
  )
  const isWithHead = seed % 2 === 0
  const texts = [...(isWithHead ? [head] : []), ...right, ...left, foot]
  return {
    bytes: makePdf([{ texts }]),
    expected: [...(isWithHead ? [head] : []), ...left, ...right, foot].map(({ text }) => text),
  }
}

describe('tables', () => {
  test('ruled and aligned tables are read in rows and columns: 9 of 10 numbers in their place', () => {
    let right = 0
    let all = 0
    for (let seed = 1; seed <= 20; seed++) {
      const { bytes, cells } = numbersTable(seed)
      const { fields } = unwrap(open(bytes).read({}, MANY))
      const [page] = fields.pages as { tables?: { rows: string[][] }[] }[]
      const read = page!.tables?.[0]?.rows ?? []
      for (const [row, own] of cells.entries())
        for (const [column, cell] of own.entries()) {
          if (!/\d/.test(cell)) continue
          all++
          if (read[row]?.[column] === cell) right++
        }
    }
    console.info(`numbers of 20 tables in their place: ${right} of ${all}`)
    expect(all).toBeGreaterThan(350)
    expect(right / all).toBeGreaterThanOrEqual(0.9)
  })

  test('a sheet printed without lines has close numbers in columns of their own', () => {
    const cells = (n: number) => [`Thing ${n}`, `${100 + n}`, `${10 + n}.25`, `${1000 + n}.50`]
    const rows = [['Name', 'Qty', 'Price', 'Total'], ...[1, 2, 3, 4, 5].map(cells)]
    const page = gridPage(rows, { isRuled: false, widths: [60, 45, 45, 47] })
    const [table] = unwrap(open(makePdf([page])).tables!())
    expect([...table!.rows()][3]).toEqual({ row: 4, cells: ['Thing 3', 103, 13.25, 1003.5] })
  })

  test('… and goes on over the next page without its head', () => {
    const cells = (n: number) => [`Thing ${n}`, `${100 + n}`, `${10 + n}.25`, `${1000 + n}.50`]
    const options = { isRuled: false, widths: [60, 45, 45, 47] }
    const first = gridPage(
      [['Name', 'Qty', 'Price', 'Total'], cells(1), cells(2), cells(3)],
      options,
    )
    const second = gridPage([cells(4), cells(5), cells(6)], options)
    const tables = unwrap(open(makePdf([first, second])).tables!())
    expect(tables.map(({ name, box }) => [name, box.bottom])).toEqual([['page 1 table 1', 7]])
  })

  test('a table that the end of a page cuts keeps the row that no line closes', () => {
    const rows = [['Id', 'Sum'], ...[1, 2, 3].map(n => [`${n}`, `${n}.50`])]
    const { texts, lines = [] } = gridPage(rows)
    const bottom = Math.max(...lines.map(([, y]) => y))
    const cut = { texts, lines: lines.filter(([, y1, , y2]) => y1 !== y2 || y1 !== bottom) }
    const { fields } = unwrap(open(makePdf([cut])).read({}, MANY))
    const [shown] = fields.pages as { tables: ReadTable[] }[]
    expect(shown!.tables[0]!.rows).toEqual(rows)
  })

  const listPage = (from: number, rows: number): MadePage =>
    gridPage([
      ['Id', 'Sum'],
      ...Array.from({ length: rows }, (_, n) => [`${from + n}`, `${(from + n) * 10}.50`]),
    ])

  test('a table that goes on over the next page is one table for a query', () => {
    const document = open(makePdf([listPage(1, 20), listPage(21, 5)]))
    const tables = unwrap(document.tables!())
    expect(tables).toHaveLength(1)
    expect(tables[0]).toMatchObject({ name: 'page 1 table 1', region: { pages: '1-2' } })
    const rows = [...tables[0]!.rows()]
    expect(rows).toHaveLength(26)
    expect(rows[0]).toEqual({ row: 1, cells: ['Id', 'Sum'] })
    expect(rows.at(-1)).toEqual({ row: 26, cells: [25, 250.5] })
  })

  test('a read of any of its pages has its name, its rows and where they stand in a query', () => {
    const text = { texts: [line('No table here', 72)] }
    const pages = [text, listPage(1, 20), listPage(21, 20), listPage(41, 5), text]
    const document = open(makePdf(pages))
    const [table] = unwrap(document.tables!())
    const queried = [...table!.rows()].map(({ row, cells }) => [row, String(cells[0])])
    const read = (pages: string) => {
      const reading = unwrap(document.read({ pages }, MANY))
      const shown = reading.fields.pages as { tables?: ReadTable[] }[]
      return { text: reading.text, tables: shown.flatMap(({ tables = [] }) => tables) }
    }
    const parts = ['2', '3', '4'].flatMap(page => read(page).tables)
    expect(parts).toEqual(read('1-5').tables)
    expect(parts.map(({ name, isFromBefore, goesOn }) => [name, isFromBefore, goesOn])).toEqual([
      ['page 2 table 1', undefined, true],
      ['page 2 table 1', true, true],
      ['page 2 table 1', true, undefined],
    ])
    const numbered = parts.flatMap(({ rows, firstRow = 1 }) =>
      rows.map(([id], index) => [firstRow + index, id]),
    )
    expect(numbered).toEqual(queried)
    expect(read('3').text).toContain(
      '(The table goes on from the page before: page 2 table 1, from row 22.)',
    )
    expect(read('3').text).toContain('(The table goes on on the next page.)')
    expect(read('4').text).not.toContain('next page')
    for (const name of ['page 2 table 1', 'Page 2 Table 1'])
      expect(unwrap(document.tables!(name)).map(own => [...own.rows()].length)).toEqual([46])
    expect(unwrap(document.tables!('page 3 table 1'))).toEqual([]) // it is the one of page 2
  })

  test('a file of very many pages has the table that is named, and says so', () => {
    const many = Array.from({ length: 501 }, (): MadePage => ({}))
    const document = open(makePdf([...many, listPage(1, 3)]))
    expect(document.tables!()).toMatchObject({
      failure: { code: 'TOO_LARGE', message: expect.stringContaining('it has 502 pages') },
    })
    const [table] = unwrap(document.tables!('page 502 table 1'))
    expect([...table!.rows()]).toHaveLength(4)
  })
})

interface ReadTable {
  readonly name: string
  readonly rows: readonly string[][]
  readonly firstRow?: number
  readonly isFromBefore?: boolean
  readonly goesOn?: boolean
}

const ROW = 18

function gridPage(
  rows: readonly (readonly string[])[],
  { isRuled = true, x = 80, widths = [90, 90] } = {},
): MadePage {
  const edges = [x]
  for (const width of widths) edges.push(edges.at(-1)! + width)
  const texts = rows.flatMap((row, r) =>
    row.map((text, c) => ({ x: placeOf(text, edges, c), y: 100 + r * ROW + 3, text })),
  )
  const bottom = 100 + rows.length * ROW
  const levels = Array.from(
    { length: rows.length + 1 },
    (_, r) => [x, 100 + r * ROW, edges.at(-1)!, 100 + r * ROW] as const,
  )
  const uprights = edges.map(at => [at, 100, at, bottom] as const)
  return { texts, lines: isRuled ? [...levels, ...uprights] : [] }
}

const DIGIT = 5.56 // points of a digit of Helvetica at 10 points

/** Numbers stand at the right of their column, as programs set them. */
function placeOf(text: string, edges: readonly number[], column: number): number {
  const isNumber = /^[\d.]+$/.test(text)
  return isNumber ? edges[column + 1]! - 6 - DIGIT * text.length : edges[column]! + 4
}

function numbersTable(seed: number) {
  const random = seeded(seed)
  const columns = 3 + Math.floor(random() * 4)
  const rows = 5 + Math.floor(random() * 15)
  const cells = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) => {
      if (r === 0) return c === 0 ? 'Name' : `Col ${'abcdefg'[c]}`
      if (c === 0) return words(random, 1)
      if (random() < 0.1) return ''
      return (random() * 10 ** (1 + (c % 4))).toFixed(c % 3)
    }),
  )
  const widths = Array.from({ length: columns }, () => 70 + Math.floor(random() * 10))
  return { cells, bytes: makePdf([gridPage(cells, { isRuled: seed % 3 !== 0, widths })]) }
}

/** What a process has that only loaded the format. */
const BARE_MB = 130

test.skipIf(!IS_FULL)(
  'a page far back costs what one at the front does, and memory stays bounded',
  async () => {
    const random = seeded(7)
    const long = makePdf(
      Array.from({ length: 500 }, () => ({
        texts: Array.from({ length: 50 }, (_, n) => line(words(random, 12), 40 + 14 * n)),
      })),
    )
    const document = open(long)
    const cost = (pages: string) => {
      const start = performance.now()
      unwrap(document.read({ pages }, MANY))
      return performance.now() - start
    }
    const before = process.memoryUsage().rss // other files ran in this process
    // In turn, the best of each: what else runs on the machine slows both.
    const turns = Array.from({ length: 11 }, () => [cost('1-3'), cost('400-402')] as const)
    const front = Math.min(...turns.map(([time]) => time))
    const back = Math.min(...turns.map(([, time]) => time))
    const megabytes = (process.memoryUsage().rss - before) / 1e6
    console.info(`pages 1-3: ${front} ms, 400-402: ${back} ms, ${megabytes} MB more`)
    expect(back).toBeLessThan(1.5 * front)
    expect(megabytes + BARE_MB).toBeLessThan(300)
  },
)

describe('the map', () => {
  verifies(
    ['ADR-0010 §File Information get_file_info pdf', 'CONTRACT §4 get_file_info pdf'],
    'the map has pages, outline, form fields; a read has annotations and links',
    () => {
      const bytes = makePdf(
        [
          {
            texts: [line('Click here', 72)],
            more: '/Annots [10002 0 R 10003 0 R 10004 0 R]',
          },
          { texts: [line('Chapter two', 72)] },
        ],
        {
          catalog: '/Outlines 10000 0 R /AcroForm <</Fields [10003 0 R]>>',
          objects: [
            '<</Type /Outlines /First 10001 0 R /Last 10001 0 R /Count 1>>',
            '<</Title (Chapter two) /Parent 10000 0 R /Dest [12 0 R /Fit]>>',
            '<</Type /Annot /Subtype /Link /Rect [70 700 140 725] /A <</S /URI /URI (https://example.com/x)>>>>',
            '<</Type /Annot /Subtype /Widget /FT /Tx /T (Amount) /V (42 EUR) /Rect [70 600 200 620]>>',
            '<</Type /Annot /Subtype /Text /Contents (Check this) /Rect [70 500 90 520]>>',
          ],
        },
      )
      const map = unwrap(open(bytes).map())
      expect(map.fields).toMatchObject({
        kind: 'pdf',
        pageCount: 2,
        outline: [{ title: 'Chapter two', level: 1, page: 2 }],
        formFields: [{ name: 'Amount', type: 'text', value: '42 EUR' }],
      })
      expect(map.text).toContain('A.pdf: PDF, 2 pages, the first 612 × 792 points')
      const text = textOf(bytes, { pages: '1' })
      expect(text).toContain('form field Amount (text): 42 EUR')
      expect(text).toContain('note: Check this')
      expect(text).toContain('link: Click here → https://example.com/x')
    },
  )

  test('a search names the page', () => {
    const bytes = makePdf([{ texts: [line('one', 72)] }, { texts: [line('two Apples', 72)] }])
    expect(unwrap(open(bytes).search({ text: 'apples', maxHits: 5 }))).toEqual({
      hits: [{ region: { pages: '2' }, place: 'page 2', text: 'two Apples' }],
      isTruncated: false,
      total: 1,
    })
  })
})

describe('broken and hostile files', () => {
  const sound = makePdf([{ texts: [line('sound', 72)] }])
  const asText = Buffer.from(sound).toString('latin1')
  const circle = Buffer.from(asText.replace('/Kids [10 0 R]', '/Kids [2 0 R]'), 'latin1')
  const hollow = Buffer.from(
    asText.replace('/Kids [10 0 R] /Count 1', '/Kids [] /Count 7'),
    'latin1',
  )
  test.each([
    ['no PDF', Buffer.from('hello'), 'UNREADABLE_FORMAT'],
    ['nothing but a head', Buffer.from('%PDF-1.7\n'), 'UNREADABLE_FORMAT'],
    ['cut in its first object', Buffer.from(sound.subarray(0, 40)), 'UNREADABLE_FORMAT'],
    ['a tree of pages that leads to itself', circle, 'UNREADABLE_FORMAT'],
    ['pages that are not there', hollow, 'UNREADABLE_FORMAT'],
  ])('%s: one sentence', (_, bytes, code) => {
    const opened = pdf.open(bytes, NAME)
    const read = opened.ok ? opened.value.read({}, MANY) : opened
    expect(read).toMatchObject({ ok: false, failure: { code } })
    expect(open(sound).read({}, MANY).ok).toBe(true)
  })

  test.skipIf(!hasCorpus)('malformed files of the corpus answer as is expected of them', () => {
    const files = corpusFiles(
      ({ category, file }) => category === 'malformed' && file.endsWith('.pdf'),
    )
    expect(files).toHaveLength(3)
    for (const file of files) {
      const opened = pdf.open(readCorpusFile(file), NAME)
      const read = opened.ok ? opened.value.read({}, MANY) : opened
      const code = file.expect?.includes('encrypted') ? 'ENCRYPTED' : 'UNREADABLE_FORMAT'
      expect(read, file.file).toMatchObject({ ok: false, failure: { code } })
    }
  })
})

/** Whatever a read shows in a line, a search finds. */
function expectFound(document: ReadableDocument, { fields }: Reading): void {
  const [{ text = '' } = {}] = fields.pages as { text?: string }[]
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const middle = lines[lines.length >> 1]
  for (const line of IS_FULL ? [lines[0], middle, lines.at(-1)] : [middle]) {
    if (line === undefined) continue
    const found = unwrap(document.search({ text: line, maxHits: 1 }))
    expect(found.total, line).toBeGreaterThan(0)
  }
}

describe.skipIf(!hasCorpus)('real files', () => {
  verifies(
    'CONTRACT §4 pdf with empty password',
    'a file that opens without a password is read, whatever it permits',
    () => {
      const encrypted = corpusFiles(({ file }) => /copy-protected|secHandler/.test(file))
      expect(encrypted).toHaveLength(2)
      for (const file of encrypted) {
        const map = unwrap(open(readCorpusFile(file)).map())
        expect(map.text).toContain('encrypted, but it opens without a password')
      }
      expect(
        textOf(readCorpusFile(encrypted.find(({ file }) => file.includes('copy'))!)),
      ).toContain('LayoutParser: A Unified Toolkit')
    },
  )

  test('every one can be mapped, read and searched', () => {
    const files = corpusFiles(({ category }) => category === 'pdf')
    expect(files).toHaveLength(20)
    for (const file of files) {
      const document = open(readCorpusFile(file))
      expect(document.map().ok, file.file).toBe(true)
      const reading = unwrap(document.read({}, MANY))
      expect(Buffer.byteLength(reading.text), file.file).toBeLessThan(48_000)
      expectFound(document, reading)
      expect(document.tables!().ok).toBe(true)
    }
  })
})
