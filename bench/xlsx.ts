// How close is the spreadsheet format to the minimal cost of the work? Next to each figure, in the same run, a program
// that does only that work on only that file: unpack, look for the bytes, splice, pack. One process per sample, since
// memory and compiled code are part of the answer; `warm` is the third time in one process, as in the engine.
//
// Other libraries' times on the same file are shown below, for information.
//
//   node bench/run.mjs xlsx [--check] [--rounds N]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, createInflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'
import { xlsxFormat } from '@filewright/documents/xlsx'
import {
  type DocPath,
  type LoggedOperation,
  type Operation,
  type RelativePath,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import { round2 } from './figures.ts'
import { printPeers } from './xlsx-peers.ts'

const ROWS = 20_000
const COLUMNS = 25
const STRINGS = 20_000
const SHEET = 'xl/worksheets/sheet1.xml'
const STRING_PART = 'xl/sharedStrings.xml'
const PEAK_MB = 250

const args = process.argv.slice(2)
const rounds = Number(args[args.indexOf('--rounds') + 1]) || 5
const job = args.includes('--job') ? args[args.indexOf('--job') + 1]! : undefined

interface Figure {
  readonly name: string
  readonly atMost: number
  readonly ours: (bytes: Buffer) => unknown
  readonly limit: (bytes: Buffer) => unknown
}

const setCell: Operation = { op: 'set_cells', sheet: 'Data', cells: [{ cell: 'B2', value: 4711 }] }

const FIGURES: readonly Figure[] = [
  { name: 'read A1:E50', atMost: 1.5, ours: bytes => read(bytes, 'A1:E50'), limit: readTop },
  {
    name: 'read the last 50 rows',
    atMost: 1.5,
    ours: bytes => read(bytes, `A${ROWS - 49}:E${ROWS}`),
    limit: readBottom,
  },
  { name: 'map', atMost: 2, ours: bytes => unwrap(open(bytes).map()).text, limit: scanAll },
  {
    name: 'set one cell, save',
    atMost: 1.3,
    ours: bytes => setCells(bytes, [setCell]),
    limit: spliceOne,
  },
  {
    name: '100 blocks of 100 cells, save',
    atMost: 2,
    ours: bytes => setCells(bytes, blocks()),
    limit: bytes => setCells(bytes, [setCell]),
  },
]

if (job) await runJob(job)
else main()

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'big.xlsx')
  writeFileSync(file, makeBook())
  const failures: string[] = []
  for (const [index, figure] of FIGURES.entries()) {
    const samples = { ours: [] as Sample[], limit: [] as Sample[] }
    for (let round = 0; round < rounds; round++)
      for (const side of ['ours', 'limit'] as const)
        samples[side].push(sample(file, `${index}:${side}`))
    const least = (side: 'ours' | 'limit', field: keyof Sample) =>
      Math.min(...samples[side].map(own => own[field]))
    const cold = least('ours', 'coldMs') / least('limit', 'coldMs')
    const warm = least('ours', 'warmMs') / least('limit', 'warmMs')
    const peakMb = Math.max(...samples.ours.map(own => own.peakMb))
    console.log(
      JSON.stringify({
        figure: figure.name,
        ms: Math.round(least('ours', 'coldMs')),
        limitMs: Math.round(least('limit', 'coldMs')),
        ratio: round2(cold),
        warmMs: Math.round(least('ours', 'warmMs')),
        warmLimitMs: Math.round(least('limit', 'warmMs')),
        warmRatio: round2(warm),
        atMost: figure.atMost,
        peakMb: Math.round(peakMb),
      }),
    )
    // The engine is kept warm; a cold start is shown next to it.
    if (warm > figure.atMost)
      failures.push(`${figure.name}: ${round2(warm)} × its limit, at most ${figure.atMost}`)
    if (peakMb > PEAK_MB)
      failures.push(`${figure.name}: ${Math.round(peakMb)} MB at its peak, at most ${PEAK_MB}`)
  }
  printPeers(file)
  for (const line of failures) console.error(`beyond the limit: ${line}`)
  if (args.includes('--check') && failures.length > 0) process.exitCode = 1
}

interface Sample {
  readonly coldMs: number
  readonly warmMs: number
  readonly peakMb: number
}

function sample(file: string, name: string): Sample {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [process.argv[1]!, '--job', name, '--file', file],
    { encoding: 'utf8' },
  )
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as Sample
}

async function runJob(name: string): Promise<void> {
  const [index, side] = name.split(':') as [string, 'ours' | 'limit']
  const file = args[args.indexOf('--file') + 1]!
  if (!existsSync(file)) throw new Error(`No such file: ${file}`)
  const times: number[] = []
  let peakMb = 0
  for (let turn = 0; turn < 4; turn++) {
    const started = performance.now()
    await FIGURES[Number(index)]![side](readFileSync(file))
    times.push(performance.now() - started)
    if (turn === 0) peakMb = process.resourceUsage().maxRSS / 1024
  }
  console.log(JSON.stringify({ coldMs: times[0], warmMs: Math.min(...times.slice(1)), peakMb }))
}

// Ours

function open(bytes: Uint8Array) {
  return unwrap(
    xlsxFormat.open(bytes, { docPath: 'big.xlsx' as DocPath, path: 'big.xlsx' as RelativePath }),
  )
}

function read(bytes: Uint8Array, range: string): string {
  return unwrap(open(bytes).read({ sheet: 'Data', range }, { maxBytes: 48 * 1024 })).text
}

function blocks(): Operation[] {
  const values = Array.from({ length: 10 }, (_, row) =>
    Array.from({ length: 10 }, (_, column) => row * column),
  )
  return Array.from({ length: 100 }, (_, index) => ({
    op: 'set_range',
    sheet: 'Data',
    start: `B${10 + index * 100}`,
    values,
  }))
}

function setCells(bytes: Uint8Array, operations: readonly Operation[]): number {
  const document = open(bytes)
  const circumstances = { time: '2026-01-31T00:00:00Z', author: 'bench', seed: 1 }
  for (const [call, operation] of operations.entries()) {
    const log: LoggedOperation[] = [
      { toolCallId: `tc_${call}`, index: 0, operation, circumstances },
    ]
    unwrap(document.apply(log))
  }
  return toBytes(unwrap(document.content()), bytes).length
}

// The minimal work

interface Packed {
  readonly name: string
  readonly data: Buffer
  readonly crc: number
  readonly size: number
}

function partsOf(bytes: Buffer): Packed[] {
  let end = bytes.length - 22
  while (bytes.readUInt32LE(end) !== 0x06054b50) end--
  let at = bytes.readUInt32LE(end + 16)
  return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const part = {
      name: bytes.toString('utf8', at + 46, nameEnd),
      data: bytes.subarray(start, start + bytes.readUInt32LE(at + 20)),
      crc: bytes.readUInt32LE(at + 16),
      size: bytes.readUInt32LE(at + 24),
    }
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    return part
  })
}

function unpacked(bytes: Buffer, name: string): Buffer {
  return inflateRawSync(partsOf(bytes).find(part => part.name === name)!.data)
}

function strings(bytes: Buffer): string[] {
  const xml = unpacked(bytes, STRING_PART)
  const texts: string[] = []
  for (let at = xml.indexOf('<t>'); at >= 0; at = xml.indexOf('<t>', at)) {
    const end = xml.indexOf(60, at + 3)
    texts.push(xml.toString('latin1', at + 3, end))
    at = end
  }
  return texts
}

function cellsIn(xml: string, texts: readonly string[]): unknown[] {
  const found: unknown[] = []
  for (const match of xml.matchAll(
    /<c r="([A-E])(\d+)"([^>]*)>(?:<f>[^<]*<\/f>)?<v>([^<]*)<\/v><\/c>/g,
  ))
    found.push(match[3]!.includes('t="s"') ? texts[Number(match[4])] : Number(match[4]))
  return found
}

/** Unpacks until row 51 starts. */
async function readTop(bytes: Buffer): Promise<unknown> {
  const part = partsOf(bytes).find(own => own.name === SHEET)!
  const inflater = createInflateRaw({ chunkSize: 65_536 })
  const head = await new Promise<Buffer>((resolve, reject) => {
    let held = Buffer.alloc(0)
    inflater.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      const at = held.indexOf('<row r="51"')
      if (at < 0) return
      inflater.destroy()
      resolve(held.subarray(0, at))
    })
    inflater.on('error', reject)
    for (let at = 0; at < part.data.length; at += 16_384)
      inflater.write(part.data.subarray(at, at + 16_384))
    inflater.end()
  })
  return cellsIn(head.toString('latin1'), strings(bytes))
}

function readBottom(bytes: Buffer): unknown {
  const xml = unpacked(bytes, SHEET)
  return cellsIn(xml.toString('latin1', xml.lastIndexOf(`<row r="${ROWS - 49}"`)), strings(bytes))
}

/** Every cell's address, type and number, by bytes. */
function scanAll(bytes: Buffer): unknown {
  const xml = unpacked(bytes, SHEET)
  const texts = strings(bytes)
  let cells = 0
  let sum = 0
  let at = 0
  for (;;) {
    at = xml.indexOf(60, at)
    if (at < 0) break
    if (xml[at + 1] !== 99 || xml[at + 2] !== 32) {
      at++
      continue
    }
    let i = at + 6
    let byte = xml[i]!
    let column = 0
    for (; byte >= 65; byte = xml[++i]!) column = column * 26 + byte - 64
    let row = 0
    for (; byte >= 48 && byte <= 57; byte = xml[++i]!) row = row * 10 + byte - 48
    while (xml[i] !== 62) i++
    i++
    if (xml[i + 1] === 102) i = xml.indexOf(60, i + 2) + 4
    let value = 0
    for (i += 3, byte = xml[i]!; byte >= 48 && byte <= 57; byte = xml[++i]!)
      value = value * 10 + byte - 48
    cells++
    sum += value + row + column
    at = i + 4
  }
  return [cells, sum, texts.length]
}

function spliceOne(bytes: Buffer): number {
  const xml = unpacked(bytes, SHEET)
  const start = xml.indexOf('<c r="B2"')
  const end = xml.indexOf('</c>', start) + 4
  const sheet = Buffer.concat([
    xml.subarray(0, start),
    Buffer.from('<c r="B2"><v>4711</v></c>'),
    xml.subarray(end),
  ])
  const parts = partsOf(bytes).map(part => (part.name === SHEET ? pack(part.name, sheet) : part))
  return zip(parts).length
}

function pack(name: string, data: Buffer): Packed {
  return { name, data: deflateRawSync(data, { level: 6 }), crc: crc32(data), size: data.length }
}

function zip(parts: readonly Packed[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, crc, size } of parts) {
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    const central = Buffer.alloc(14)
    central.writeUInt32LE(offset, 10)
    pieces.push(Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), data)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), common, central, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, central, end])
}

// The workbook: half a million cells, a fifth of them formulas

function makeBook(): Buffer {
  let seed = 42
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const letters = Array.from({ length: COLUMNS }, (_, index) => String.fromCharCode(65 + index))
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const row = index + 1
    const cells = letters.map((letter, column) => {
      const kind = column % 5
      if (kind === 0 || kind === 3)
        return `<c r="${letter}${row}" t="s"><v>${Math.floor(random() * STRINGS)}</v></c>`
      if (kind === 1) return `<c r="${letter}${row}"><v>${Math.floor(random() * 1e6)}</v></c>`
      if (kind === 2)
        return `<c r="${letter}${row}" s="1"><v>${(random() * 1e4).toFixed(6)}</v></c>`
      return `<c r="${letter}${row}"><f>${letters[column - 3]}${row}*2</f><v>${Math.floor(random() * 1e6)}</v></c>`
    })
    return `<row r="${row}" spans="1:${COLUMNS}">${cells.join('')}</row>`
  })
  const words = [
    'north',
    'south',
    'invoice',
    'margin',
    'review',
    'pending',
    'client',
    'a &lt; b &amp; c',
    'Zürich',
    'order',
  ]
  const items = Array.from(
    { length: STRINGS },
    (_, index) => `<si><t>${words[index % 10]} ${words[(index * 7) % 10]} ${index}</t></si>`,
  )
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const sheet = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${main}"><dimension ref="A1:Y${ROWS}"/><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData>${rows.join('')}</sheetData></worksheet>`
  const empty = unwrap(
    xlsxFormat.create({ docPath: 'big.xlsx' as DocPath, path: 'big.xlsx' as RelativePath }),
  )
  const parts = partsOf(Buffer.from(empty)).map(part => ({
    name: part.name,
    data: inflateRawSync(part.data).toString('utf8'),
  }))
  const textOf = (name: string) => parts.find(part => part.name === name)!.data
  const types = textOf('[Content_Types].xml').replace(
    '</Types>',
    '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
  )
  const links = textOf('xl/_rels/workbook.xml.rels').replace(
    '</Relationships>',
    '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
  )
  const changed: Record<string, string> = {
    '[Content_Types].xml': types,
    'xl/_rels/workbook.xml.rels': links,
    'xl/workbook.xml': textOf('xl/workbook.xml').replace('name="Sheet1"', 'name="Data"'),
    'xl/styles.xml': textOf('xl/styles.xml').replace(
      /<cellXfs count="1">(<xf[^>]*\/>)/,
      '<cellXfs count="2">$1<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
    ),
    [SHEET]: sheet,
  }
  const all = parts.map(part => pack(part.name, Buffer.from(changed[part.name] ?? part.data)))
  return zip([
    ...all,
    pack(
      STRING_PART,
      Buffer.from(`<?xml version="1.0"?>\n<sst xmlns="${main}">${items.join('')}</sst>`),
    ),
  ])
}
