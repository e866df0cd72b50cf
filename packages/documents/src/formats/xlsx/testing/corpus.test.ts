import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { toBytes, unwrap } from '@filewright/protocol'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  hasCorpus,
  IS_FULL,
  readCorpusFile,
  sampleOf,
} from '../../../corpus.contract.ts'
import type { OpenDocument } from '../../../format.ts'
import { OpcPackage, readZip } from '../../../opc/index.ts'
import { validate } from '../../../validator.contract.ts'
import { CellScan } from '../cell/cell-scan.ts'
import { SheetXml } from '../cell/sheet-xml.ts'
import { xlsxFormat } from '../format.ts'
import { logged, NAME } from './zoo.contract.ts'

const files = corpusFiles(file => file.category === 'xlsx')
const LARGE = 300_000 // bytes; the large ones take their time in a full run
const sample = sampleOf(IS_FULL ? files : files.filter(file => file.size < LARGE), 15)
const ALLOWED = { allowProtected: true, allowBreakSignature: true }

describe.skipIf(!hasCorpus)('real workbooks', () => {
  test.each(sample)('$file: opens, maps, reads; without an edit the bytes are the same', file => {
    const bytes = readCorpusFile(file)
    const document = unwrap(xlsxFormat.open(bytes, NAME))
    const map = unwrap(document.map())
    expect(map.text.length).toBeLessThan(60_000)
    for (const sheet of cellSheets(document)) {
      const reading = unwrap(document.read({ sheet }, { maxBytes: 8_000 }))
      expect(Buffer.byteLength(reading.text), sheet).toBeLessThan(12_000)
    }
    expect(Buffer.compare(toBytes(unwrap(document.content()), bytes), bytes)).toBe(0)
    for (const { name, chunks } of map.fields.sheets as { name: string; chunks?: string[] }[])
      for (const range of sampleOf(chunks ?? [], 10)) {
        const reading = document.read({ sheet: name, range }, { maxBytes: 46 * 1024 })
        expect(reading.ok ? reading.value.next : undefined, `${name}!${range}`).toBeUndefined()
      }
  })

  test.each(sample)('$file: one cell set in every sheet changes that cell alone', file => {
    const bytes = readCorpusFile(file)
    const { after, touched } = setOneCell(bytes)
    const before = unwrap(readZip(bytes))
    const archive = unwrap(readZip(after))
    const allowed = new Set([...touched.keys(), 'xl/workbook.xml', 'xl/calcChain.xml'])
    for (const entry of before.entries) {
      const own = archive.entries.find(candidate => candidate.name === entry.name)
      if (
        own &&
        Buffer.compare(
          after.subarray(own.start, own.end),
          bytes.subarray(entry.start, entry.end),
        ) === 0
      )
        continue
      const isChain = !own || /calcChain|Content_Types|workbook\.xml/.test(entry.name)
      expect(
        allowed.has(entry.name) ||
          isChain ||
          isRefreshed(bytes, after, entry.name) ||
          isStaleSheet(bytes, after, entry.name),
        entry.name,
      ).toBe(true)
    }
    for (const [part, cell] of touched) expectOnlyCell(bytes, after, part, cell)
  })

  test.each(sample)('$file: the last rows read the same from the top and from the end', file => {
    const bytes = readCorpusFile(file)
    const whole = unwrap(xlsxFormat.open(bytes, NAME))
    for (const sheet of cellSheets(whole).slice(0, 3)) {
      const all = unwrap(whole.read({ sheet }, { maxBytes: 2_000_000 }))
      const [first] = all.shown.split(':')
      if (!first || all.shown === 'nothing') continue
      const alone = unwrap(xlsxFormat.open(bytes, NAME)).read(
        { sheet, range: first },
        { maxBytes: 100_000 },
      )
      const again = whole.read({ sheet, range: first }, { maxBytes: 100_000 })
      expect(alone.ok && tableOf(alone.value.text)).toEqual(again.ok && tableOf(again.value.text))
    }
  })
})

describe.skipIf(!hasCorpus)('malformed workbooks', () => {
  const malformed = corpusFiles(
    file => file.category === 'malformed' && /\.xls[xm]$/.test(file.file),
  )
  test.each(malformed)('$file: $expect', file => {
    const bytes = readCorpusFile(file)
    const started = performance.now()
    const opened = xlsxFormat.open(bytes, NAME)
    const result = opened.ok ? opened.value.map() : opened
    if (opened.ok) opened.value.read({}, { maxBytes: 10_000 })
    expect(performance.now() - started).toBeLessThan(20_000) // a second here; unbounded it would be minutes
    const wanted = file.expect ?? ''
    if (wanted.startsWith('open')) expect(result.ok).toBe(true)
    else if (wanted.includes('encrypted'))
      expect(result.ok || result.failure.code).toBe('ENCRYPTED')
    else if (wanted.includes('limit')) expect(result.ok || result.failure.code).toBe('TOO_LARGE')
    else expect(result.ok || result.failure.kind).toBe('unsupported')
  })
})

const folder = IS_FULL ? mkdtempSync(join(tmpdir(), 'filewright-xlsx-')) : ''
afterAll(() => folder && rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!IS_FULL || !hasCorpus)('judged by others', () => {
  test.each(files)(
    '$file: the Open XML SDK finds no new error',
    async file => {
      const bytes = readCorpusFile(file)
      const name = basename(file.file)
      const [known, now] = await validate([
        { name, bytes },
        { name, bytes: setOneCell(bytes).after },
      ])
      expect(now?.filter(error => !known?.includes(error))).toEqual([])
    },
    240_000,
  )

  test('LibreOffice still opens the files it opened before', () => {
    for (const file of files)
      writeFileSync(join(folder, basename(file.file)), setOneCell(readCorpusFile(file)).after)
    const names = files.map(file => basename(file.file))
    const home = `-env:UserInstallation=file://${join(folder, 'home')}`
    const out = join(folder, 'csv')
    spawnSync(
      'soffice',
      [
        home,
        '--headless',
        '--convert-to',
        'csv',
        '--outdir',
        out,
        ...names.map(name => join(folder, name)),
      ],
      { timeout: 240_000 },
    )
    const failed = names.filter(name => !existsSync(join(out, name.replace(/\.\w+$/, '.csv'))))
    const expected = (files as (CorpusFile & { libreoffice_7_4_loads?: boolean })[])
      .filter(file => file.libreoffice_7_4_loads === false)
      .map(file => basename(file.file))
    expect(failed.filter(name => !expected.includes(name))).toEqual([])
  }, 300_000)
})

function cellSheets(document: OpenDocument): string[] {
  const { sheets } = unwrap(document.map()).fields as { sheets: { name: string; kind: string }[] }
  return sheets.filter(sheet => sheet.kind === 'worksheet').map(sheet => sheet.name)
}

/** B2 of every sheet, or the first cell of the merged range it lies in. */
function setOneCell(bytes: Uint8Array): { after: Uint8Array; touched: Map<string, string> } {
  const document = unwrap(xlsxFormat.open(bytes, NAME))
  const touched = new Map<string, string>()
  const parts = partsOfSheets(bytes)
  const operations = cellSheets(document).map(sheet => ({
    op: 'set_cells',
    sheet,
    cells: [{ cell: 'B2', value: 4711 }],
  }))
  const { changes } = unwrap(document.apply(logged(operations), ALLOWED))
  for (const [index, { sheet }] of operations.entries()) {
    const place = changes.find(change => change.operation.index === index)?.place
    touched.set(parts.get(sheet)!, place?.slice(place.lastIndexOf('!') + 1) ?? 'B2')
  }
  return { after: toBytes(unwrap(document.content()), bytes), touched }
}

function partsOfSheets(bytes: Uint8Array): Map<string, string> {
  const own = unwrap(OpcPackage.open(bytes))
  const workbook = own.relationships('').find(({ kind }) => kind === 'officeDocument')!.target
  const targets = new Map(
    own.relationships(workbook).map(({ id, target }) => [id, own.spellingOf(target)]),
  )
  const xml = unwrap(own.xml(workbook))
  const sheets = xml.root.children.find(({ local }) => local === 'sheets')!.children
  return new Map(
    sheets.map(sheet => [
      sheet.attributes.find(({ name }) => name === 'name')!.value,
      targets.get(
        sheet.attributes.find(({ local, name }) => local === 'id' && name !== 'id')!.value,
      )!,
    ]),
  )
}

function cellsOf(bytes: Uint8Array, part: string): Map<string, string> {
  const own = unwrap(unwrap(OpcPackage.open(bytes)).part(part))
  const xml = SheetXml.open(own, true)
  const cells = new Map<string, string>()
  if (!(xml instanceof SheetXml)) return cells
  const scan = new CellScan()
  for (let index = 0; index < xml.rows.count; index++)
    xml.scanRow(index, scan, cell => {
      const text = Buffer.from(own.subarray(cell.start, cell.end)).toString('latin1')
      cells.set(`${cell.column}:${cell.row}`, text)
    })
  return cells
}

/** All cells but the edited one are as they were, or lost the value that the edit made false, and nothing else. */
function expectOnlyCell(before: Uint8Array, after: Uint8Array, part: string, cell: string): void {
  expect(frameOf(after, part)).toBe(frameOf(before, part))
  const old = cellsOf(before, part)
  const now = cellsOf(after, part)
  const edited = cell.replace(
    /^([A-Z]+)(\d+)$/,
    (_, letters: string, row: string) => `${columnOf(letters)}:${row}`,
  )
  for (const [place, text] of old) {
    if (place === edited || now.get(place) === text) continue
    const own = now.get(place) ?? ''
    // The next user of a shared formula whose first cell was overwritten holds its text now.
    if (isRehomed(text, own)) continue
    expect(own, `${part} ${place}`).toBe(withoutValue(text))
  }
  for (const place of now.keys()) if (place !== edited) expect(old.has(place)).toBe(true)
}

function isRehomed(before: string, after: string): boolean {
  const withoutFormula = (cell: string) =>
    cell.replace(/<((?:\w+:)?f)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/, '')
  const isUser = /<(\w+:)?f\b[^>]*\/>/.test(before) && after.includes(' ref="')
  return (
    isUser &&
    [withoutFormula(before), withoutFormula(withoutValue(before))].includes(withoutFormula(after))
  )
}

function withoutValue(cell: string): string {
  return cell
    .replace(/<((?:\w+:)?v)(?:\s[^>]*)?>[\s\S]*?<\/\1>|<(?:\w+:)?v\s*\/>/, '')
    .replace(/(<(?:\w+:)?c\b[^>]*?)\s+t="[^"]*"/, '$1')
}

/** The XML before and after the cells, without the declared used range, which may grow. */
function frameOf(bytes: Uint8Array, part: string): string {
  const own = unwrap(unwrap(OpcPackage.open(bytes)).part(part))
  const xml = SheetXml.open(own, true)
  if (!(xml instanceof SheetXml)) return ''
  const text = Buffer.from(own)
  const head = text
    .toString('latin1', 0, xml.data.tagStart)
    .replace(/(dimension\s+ref=")[^"]*/, '$1')
  return head + text.toString('latin1', xml.data.tagEnd)
}

/** A cache of a pivot table whose source was edited: it is read again on load, and nothing else. */
function isRefreshed(before: Uint8Array, after: Uint8Array, part: string): boolean {
  if (!/pivotCacheDefinition/.test(part)) return false
  const textOf = (bytes: Uint8Array) =>
    Buffer.from(unwrap(unwrap(OpcPackage.open(bytes)).part(part))).toString('utf8')
  const plain = (text: string) => text.replace(/ refreshOnLoad="[^"]*"/, '')
  expect(plain(textOf(after))).toBe(plain(textOf(before)))
  return true
}

/** A sheet that was not edited but lost values that depended on one that was. */
function isStaleSheet(before: Uint8Array, after: Uint8Array, part: string): boolean {
  expectOnlyCell(before, after, part, 'none')
  return true
}

function columnOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

function tableOf(text: string): string[] {
  return text.split('\n').filter(line => /^\d*\|/.test(line))
}
