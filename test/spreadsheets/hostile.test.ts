import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { factsOf } from '@filewright/documents'
import { createProcessEngine } from '@filewright/engine'
import { type DocPath, ok, type RelativePath } from '@filewright/protocol'
import { expect, onTestFinished } from 'vitest'
import {
  corpusFiles,
  hasCorpus,
  readCorpusFile,
} from '../../packages/documents/src/corpus.contract.ts'
import { zooBook } from '../../packages/documents/src/formats/xlsx/testing/zoo.contract.ts'
import { buildZip } from '../../packages/documents/src/opc/zip.contract.ts'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const hostMain = fileURLToPath(new URL('../../packages/engine/dist/host-main.js', import.meta.url))
// A quiet machine needs a tenth of it, one that is busy with other tests may need all, and unbounded work far more.
const MAX_MS = 20_000
const MAX_MB = 300

const good = zooBook({ sheets: { S: '<row r="1"><c r="A1"><v>42</v></c></row>' } })
const entityBomb = zooBook({
  sheets: { S: '' },
  parts: {
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a0 "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row><c t="inlineStr"><is><t>&a9;</t></is></c></row></sheetData></worksheet>`,
  },
})
/** 64 MB of nothing in one part. */
const zipBomb = buildZip([
  { name: '[Content_Types].xml', data: '<Types/>' },
  { name: 'xl/worksheets/sheet1.xml', data: ' '.repeat(64 << 20) },
])

/** The product with its office work in a child process, as the command line runs it. */
async function productWith(files: Record<string, Uint8Array>) {
  const pids: number[] = []
  const engine = createProcessEngine({
    command: [process.execPath, hostMain],
    timeoutMs: MAX_MS * 0.75,
    processes: 1, // whose memory and end are looked at; what several do is in the engine's own tests
    onStart: pid => pids.push(pid),
  })
  onTestFinished(() => engine.close())
  const product = await embedded(files, { wrapEngine: () => engine })
  return { product, engine, pids }
}

verifies(
  'CONTRACT §8 entities bounded',
  'a bomb of entities or of zeros is refused in time, in little memory, and the session continues',
  async () => {
    const { product, pids } = await productWith({
      'good.xlsx': good,
      'entities.xlsx': entityBomb,
      'zeros.xlsx': zipBomb,
    })
    await product.call('read_file', { path: 'good.xlsx' }) // the child is warm, as in a session
    for (const path of ['entities.xlsx', 'zeros.xlsx'])
      for (const tool of ['get_file_info', 'read_file']) {
        const { answer, ms } = await timed(() => product.call(tool, { path }))
        expect(answer.success, path).toBe(false)
        expect(['unsupported', 'limit'], path).toContain(answer.kind)
        expect(answer.message.length).toBeGreaterThan(40)
        expect(ms, path).toBeLessThan(MAX_MS)
      }
    expectSmall(pids)
    expect(await product.call('read_file', { path: 'good.xlsx' })).toMatchObject({
      success: true,
      cells: [{ cell: 'A1', value: 42 }],
    })
  },
)

verifies(
  'CONTRACT §8 hostile work in a child',
  'every malformed workbook is answered as it should be, in time, in little memory',
  async () => {
    const malformed = corpusFiles(
      file => file.category === 'malformed' && /\.xls[xm]$/.test(file.file),
    )
    const { product, pids } = await productWith({
      'good.xlsx': good,
      ...Object.fromEntries(
        malformed.map((file, index) => [`${index}.xlsx`, readCorpusFile(file)]),
      ),
    })
    await product.call('read_file', { path: 'good.xlsx' })
    for (const [index, { file, expect: wanted = '' }] of malformed.entries()) {
      const path = `${index}.xlsx`
      const { answer, ms } = await timed(() => product.call('get_file_info', { path }))
      expect(answer.success, file).toBe(wanted.startsWith('open'))
      if (wanted.includes('encrypted')) expect(answer.errorCode, file).toBe('ENCRYPTED')
      if (wanted.includes('limit')) expect(answer.errorCode, file).toBe('TOO_LARGE')
      expect(ms, file).toBeLessThan(MAX_MS)
    }
    expectSmall(pids)
    expect(await product.call('read_file', { path: 'good.xlsx' })).toMatchObject({ success: true })
  },
  { skip: !hasCorpus },
)

verifies(
  'CONTRACT §8 child killed by time',
  'a regular expression that would run for minutes is stopped, says so, and the session continues',
  async () => {
    const text = `${'a'.repeat(40)}!`
    const book = zooBook({
      strings: [text],
      sheets: { S: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' },
    })
    const { product, engine, pids } = await productWith({ 'book.xlsx': book })
    const change = {
      path: 'book.xlsx',
      operations: [{ op: 'set_cells', sheet: 'S', cells: [{ cell: 'B1', value: 'kept' }] }],
    }
    expect(await product.call('xlsx_operations', change)).toMatchObject({ success: true })
    const started = performance.now()
    const found = await engine.search(
      {
        key: 'searched',
        format: factsOf('xlsx').id,
        name: { docPath: 'book.xlsx' as DocPath, path: 'book.xlsx' as RelativePath },
        state: '',
        load: async () => ok({ bytes: book, log: [] }),
      },
      { regex: { source: '^(a+)+$' }, maxHits: 5 },
      { timeoutMs: 500 },
    )
    expect(performance.now() - started).toBeLessThan(MAX_MS)
    expect(found).toMatchObject({ ok: false, failure: { code: 'TIMEOUT' } })
    expect(found.ok || found.failure.message).toMatch(/longer than 0.5 s and was stopped/)
    const read = await product.call('read_file', { path: 'book.xlsx' })
    expect(read).toMatchObject({ success: true, draft: 'changed' })
    expect(read.cells.at(-1)).toMatchObject({ cell: 'B1', value: 'kept' })
    expect(pids.length).toBe(2)
  },
)

async function timed<Value>(run: () => Promise<Value>): Promise<{ answer: Value; ms: number }> {
  const started = performance.now()
  const answer = await run()
  return { answer, ms: performance.now() - started }
}

/** It is still the first child, and its peak was low. */
function expectSmall(pids: readonly number[]): void {
  expect(pids).toHaveLength(1)
  if (process.platform !== 'linux') return
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pids[0]}/status`, 'utf8'))
  expect(Number(peak?.[1]) / 1024).toBeLessThan(MAX_MB)
}
