import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokens } from '@filewright/loop'
import { unwrap } from '@filewright/protocol'
import { expect } from 'vitest'
import { readZip } from '../../packages/documents/src/opc/index.ts'
import { type Answer, type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, runTo, says } from './running.ts'

const CORPUS = process.env.FILEWRIGHT_CORPUS ?? join(import.meta.dirname, '../../../shared/corpus')
const WORKBOOK = join(CORPUS, 'xlsx/058-NoExtDataF1.xlsx') // 50,000 cells, formulas, conditional formats
const CONTEXT_TOKENS = 64_000

const WORDS: Readonly<Record<string, string>> = { Xcol: 'X column', Ycol: 'Y column', Area: 'Size' }

verifies(
  [
    'ADR-0010 §Context large files',
    'ADR-0010 §Context model explores',
    'ADR-0010 §Context failure example',
    'ADR-0010 §Increase context limits not needed',
    'ADR-0010 §Smart chunking no lossy summaries',
    'CONTRACT §6 review cells',
    'CONTRACT §4 copy_from',
  ],
  existsSync(WORKBOOK)
    ? 'a workbook larger than the context is mapped, read and translated by region into a copy, reviewed by cell and published'
    : 'a workbook larger than the context is translated by region (skipped: no corpus)',
  async () => {
    const source = readFileSync(WORKBOOK)
    const map = await mapOf(source)
    const { regions } = map
    const { model, requests } = recorder(
      [
        says('Which files are there?', call('list_files')),
        says('The map first.', call('get_file_info', { path: 'data.xlsx' })),
        ...regions.map((range, n) =>
          says(
            `Part ${n + 1} of ${regions.length}.`,
            ...(n === 0 ? [] : [translate(regions[n - 1]!, n - 1)]),
            call('read_file', { path: 'data.xlsx', sheet: map.sheet, range }),
          ),
        ),
        says('The last part.', translate(regions.at(-1)!, regions.length - 1)),
        says('Done: data_english.xlsx holds the translation.'),
      ],
      { contextTokens: CONTEXT_TOKENS },
    )
    const product = await embedded({ 'data.xlsx': source }, { model })
    const { end, rows } = await runTo(product, 'Translate data.xlsx into English.')

    const results = bodies(rows, 'tool_result')
    expect(results.filter(result => !result.success)).toEqual([])
    const reads = new Set(callsOf(rows, 'read_file'))
    const read = results.filter(result => reads.has(result.tool_call_id))
    expect(read.filter(result => result.full)).toEqual([])
    expect(read.map(result => result.content.split('\n')[0])).toEqual(
      regions.map(range => expect.stringContaining(range)),
    )
    const seen = read.reduce((total, { content }) => total + estimateTokens(content), 0)
    expect(seen).toBeGreaterThan(CONTEXT_TOKENS)
    for (const request of requests)
      expect(estimateTokens(JSON.stringify(request.messages))).toBeLessThan(CONTEXT_TOKENS)
    expect(bodies(rows, 'compaction').length).toBeGreaterThan(0)
    expect(end).toMatchObject({ reason: 'final' })
    expect(end.closing).toMatch(/^1 file in the draft: \S+ \(created, [\d,]+ cells/)

    const { value: review } = await product.ask('review')
    const cells = review.changes.filter((change: { place: string }) => /K\d+/.test(change.place))
    expect(cells.length).toBeGreaterThan(0)
    expect(readFileSync(join(product.dir, 'data.xlsx')).equals(source)).toBe(true)

    expect((await product.ask('publish', { body: {} })).status).toBe(200)
    expect(readFileSync(join(product.dir, 'data.xlsx')).equals(source)).toBe(true)
    const copy = readFileSync(join(product.dir, 'data_english.xlsx'))
    const changed = differingParts(source, copy)
    expect(changed).toContain(map.part)
    expect(changed.filter(part => part !== map.part)).toEqual([])
    const top = await product.call('read_file', {
      path: 'data_english.xlsx',
      sheet: map.sheet,
      range: 'A1:K2',
    })
    expect(JSON.stringify(top.cells)).toContain('X column')
    expect(JSON.stringify(top.cells)).toContain('=POWER(A2,2)+2.5')
    expect(JSON.stringify(top.cells)).toContain('Row 2')
  },
  { skip: !existsSync(WORKBOOK) },
)

/** The words of the first row in the other language, and a label for each row of the region. */
function translate(range: string, index: number) {
  const [, first, last] = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(range)!
  const labels = Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => [
    `Row ${Number(first) + n}`,
  ])
  const header = ['A', 'B', 'C', 'E', 'F', 'G', 'I', 'J'].map((column, n) => ({
    cell: `${column}1`,
    value: Object.values(WORDS)[n % 3],
  }))
  return call('xlsx_operations', {
    path: 'data_english.xlsx',
    ...(index === 0 && { copy_from: 'data.xlsx' }),
    operations: [
      ...(index === 0 ? [{ op: 'set_cells', sheet: 'Sheet1', cells: header }] : []),
      { op: 'set_range', sheet: 'Sheet1', start: `K${first}`, values: labels },
    ],
  })
}

function callsOf(rows: Parameters<typeof bodies>[0], name: string): string[] {
  return bodies(rows, 'call-start').flatMap(started =>
    started.name === name ? [started.tool_call_id] : [],
  )
}

/** The sheet, and its regions in the order in which a reader who follows `next` meets them. */
async function mapOf(source: Uint8Array) {
  const product: Embedded = await embedded({ 'data.xlsx': source })
  const { sheets } = await product.call('get_file_info', { path: 'data.xlsx' })
  const sheet = sheets[0].name as string
  const regions: string[] = []
  for (let range: string | undefined = sheets[0].usedRange; range !== undefined; ) {
    const read: Answer = await product.call('read_file', { path: 'data.xlsx', sheet, range })
    regions.push(read.range)
    range = read.next?.range
  }
  return { sheet, regions, part: 'xl/worksheets/sheet1.xml' }
}

/** Names of the parts whose bytes differ. */
function differingParts(before: Uint8Array, after: Uint8Array): string[] {
  const [old, fresh] = [partsOf(before), partsOf(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].filter(
    name => !old.get(name)?.equals(fresh.get(name) ?? Buffer.alloc(0)),
  )
}

/** Compressed, as stored in the file. */
function partsOf(bytes: Uint8Array): Map<string, Buffer> {
  return new Map(
    unwrap(readZip(bytes)).entries.map(({ name, start, end }) => [
      name,
      Buffer.from(bytes.subarray(start, end)),
    ]),
  )
}
