import { fileURLToPath } from 'node:url'
import { createProcessEngine } from '@filewright/engine'
import { expect, onTestFinished, test } from 'vitest'
import { recursivePdf } from '../../packages/documents/src/formats/pdf/testing/make-pdf.contract.ts'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { type Answer, embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'

const hostMain = fileURLToPath(new URL('../../packages/engine/dist/host-main.js', import.meta.url))

const book = zooBook({
  strings: ['Reifenwechsel', 'Miete'],
  sheets: {
    Kosten:
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>80</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>',
  },
})

verifies(
  [
    'CONTRACT §4 search_files text',
    'CONTRACT §4 search_files regular expression',
    'CONTRACT §4 search_files narrowed',
    'CONTRACT §4 search_files regions',
  ],
  'one search finds text in every format, and read_file takes the region of each hit',
  async () => {
    const product = await embedded({
      'Kosten.xlsx': book,
      'notes/auto.md': '# Auto\n\nReifenwechsel im Oktober\nÖl\n',
      'notes/latin.txt': Buffer.from('Reifenwechsel f\xfcr 80 Euro\n', 'latin1'),
      'picture.bin': Buffer.from([0, 1, 2, 3, 0x52, 0x65, 0x69]),
    })
    const found = await product.call('search_files', { query: 'reifenwechsel', context: 1 })
    expect(found).toMatchObject({ success: true, hitCount: 3, fileCount: 3, searched: 4 })
    const regions = found.files.flatMap(({ path, hits }: Answer) =>
      hits.map(({ region }: Answer) => ({ path, ...region })),
    )
    expect(regions).toEqual([
      { path: 'Kosten.xlsx', sheet: 'Kosten', range: 'A1' },
      { path: 'notes/auto.md', line_start: 3, line_count: 1 },
      { path: 'notes/latin.txt', line_start: 1, line_count: 1 },
    ])
    for (const region of regions) {
      const read = await product.call('read_file', region)
      expect(JSON.stringify(read)).toContain('Reifenwechsel')
    }
    const byExpression = { query: '^reifen\\w+ f.r', regex: true, pattern: 'notes/**' }
    expect(await product.call('search_files', byExpression)).toMatchObject({
      hitCount: 1,
      files: [{ path: 'notes/latin.txt', count: 1 }],
    })
  },
)

test('what the engine holds of an earlier search is searched again, and what changed is read', async () => {
  const engine = createProcessEngine({ command: [process.execPath, hostMain] })
  onTestFinished(() => engine.close())
  const sent: number[] = []
  const product = await embedded(
    { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'c.bin': Buffer.from([0, 1, 2]) },
    {
      wrapEngine: () => ({
        ...engine,
        searchFiles(files, ...rest) {
          sent.push(files.filter(({ source }) => source).length)
          return engine.searchFiles(files, ...rest)
        },
      }),
    },
  )
  const count = async (query: string) =>
    (await product.call('search_files', { query, case_sensitive: true })).hitCount
  // a file that was written a moment ago may change and keep its times, so it is not known by them yet
  await expect
    .poll(
      async () => {
        sent.length = 0
        return [await count('alpha'), ...sent]
      },
      { ...PATIENCE, interval: 100 },
    )
    .toEqual([1, 0])
  product.write('b.txt', 'alpha beta\n')
  sent.length = 0
  expect(await count('alpha')).toBe(2)
  expect(sent.at(-1)).toBe(1)
})

const HOSTILE = '^(a+)+$'
const STOPPED = { timeoutMs: 700 }

verifies(
  ['CONTRACT §8 child killed by time', 'CONTRACT §8 hostile work in a child'],
  'a search with an expression that would run for years is stopped at its bound, and the next one works',
  async () => {
    const engine = createProcessEngine({ command: [process.execPath, hostMain] })
    onTestFinished(() => engine.close())
    const product = await embedded(
      { 'a.txt': `${'a'.repeat(40)}!\n`, 'b.txt': 'b\n', 'Kosten.xlsx': book },
      {
        wrapEngine: () => ({
          ...engine,
          searchFiles: (files, query) =>
            engine.searchFiles(files, query, query.regex?.source === HOSTILE ? STOPPED : {}),
        }),
      },
    )
    const stopped = await product.call('search_files', { query: HOSTILE, regex: true })
    expect(stopped).toMatchObject({ success: false, errorCode: 'TIMEOUT', kind: 'limit' })
    expect(stopped.message).toMatch(/was stopped.*simpler regular expression/)
    expect(await product.call('search_files', { query: '^a+!$', regex: true })).toMatchObject({
      success: true,
      hitCount: 1,
    })
  },
)

test('a package that cannot be opened is named, and the rest is searched', async () => {
  const product = await embedded({ 'broken.xlsx': 'not a zip', 'a.txt': 'needle\n' })
  expect(await product.call('search_files', { query: 'needle' })).toMatchObject({
    success: true,
    hitCount: 1,
    unsearched: { total: 1, first: [{ path: 'broken.xlsx' }] },
  })
})

test('a file that overwhelms the engine is named, and the rest is searched', async () => {
  const engine = createProcessEngine({
    command: [process.execPath, hostMain],
    memoryBytes: 260 * 2 ** 20, // it is full at once
  })
  onTestFinished(() => engine.close())
  const files = { 'a.txt': 'needle\n', 'drawn.pdf': recursivePdf('page'), 'z.txt': 'needle\n' }
  const product = await embedded(files, { wrapEngine: () => engine })
  expect(await product.call('search_files', { query: 'needle' })).toMatchObject({
    success: true,
    hitCount: 2,
    unsearched: { total: 1, first: [{ path: 'drawn.pdf' }] },
  })
})

test('a file with many hits shows the first, and does not hide the others', async () => {
  const product = await embedded({ 'a.txt': 'x\n'.repeat(500), 'b.txt': 'x\n' })
  const found = await product.call('search_files', { query: 'x' })
  expect(found.files.map(({ count, hits }: Answer) => [count, hits.length])).toEqual([
    [500, 20],
    [1, 1],
  ])
})
