// How close is the deck format to the least that the work takes? Next to each figure, in the same run, a program that does
// only that work on only that file: unpack the parts that it needs and look at each byte, or unpack and pack the parts that
// an edit touches. `warm` times, as in the engine.
//
//   node bench/run.mjs pptx [--check] [--rounds N]
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Format, formatByName } from '@filewright/documents'
import {
  type DocPath,
  type LoggedOperation,
  type Operation,
  type RelativePath,
  toBytes,
  unwrap,
} from '@filewright/protocol'
import { round2 } from './figures.ts'

const SLIDES = 200
const NAME = { docPath: 'big.pptx' as DocPath, path: 'big.pptx' as RelativePath }
const pptxFormat = (await formatByName(NAME.docPath)!.load()) as Format
const args = process.argv.slice(2)
const rounds = Number(args[args.indexOf('--rounds') + 1]) || 7

interface Figure {
  readonly name: string
  readonly atMost: number
  readonly ours: () => unknown
  readonly limit: () => unknown
}

const bytes = makeDeck()
const parts = partsOf(bytes)
const isRead = (name: string) => /\.(xml|rels)$/.test(name) && !/theme/.test(name)
const TOUCHED = 'ppt/slides/slide100.xml'

const figures: readonly Figure[] = [
  {
    name: `map of ${SLIDES} slides`,
    atMost: 3,
    ours: () => unwrap(open().map()).text.length,
    limit: () => scan(name => isRead(name)),
  },
  {
    name: 'set one title, save',
    atMost: 2,
    ours: () => edit({ op: 'set_slide_text', index: 99, title: 'Another title' }),
    limit: () => {
      const found = scan(name => isRead(name) && /slides\/|presentation/.test(name))
      return found + deflateRawSync(unpacked(TOUCHED)).length
    },
  },
]

const failures: string[] = []
for (const { name, atMost, ours, limit } of figures) {
  const times = { ours: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY }
  for (let round = 0; round < rounds; round++)
    for (const [side, work] of [
      ['ours', ours],
      ['limit', limit],
    ] as const) {
      const started = performance.now()
      work()
      times[side] = Math.min(times[side], performance.now() - started)
    }
  const ratio = times.ours / times.limit
  console.log(
    JSON.stringify({
      figure: name,
      ms: round2(times.ours),
      limitMs: round2(times.limit),
      ratio: round2(ratio),
      atMost,
    }),
  )
  if (ratio > atMost) failures.push(`${name}: ${round2(ratio)} × its limit, at most ${atMost}`)
}
for (const line of failures) console.error(`beyond the limit: ${line}`)
if (args.includes('--check') && failures.length > 0) process.exitCode = 1

function open() {
  return unwrap(pptxFormat.open(bytes, NAME))
}

function edit(operation: Operation): number {
  const document = open()
  unwrap(document.apply(logged([operation])))
  return toBytes(unwrap(document.content()), bytes).length
}

function logged(operations: readonly Operation[]): LoggedOperation[] {
  const circumstances = { time: '2026-01-31T00:00:00Z', author: 'bench', seed: 1 }
  return operations.map((operation, index) => ({
    toolCallId: 'bench',
    index,
    operation,
    circumstances,
  }))
}

/** Titles, five bullets with a second level, notes on every tenth slide. */
function makeDeck(): Uint8Array {
  const empty = unwrap(pptxFormat.create(NAME))
  const document = unwrap(pptxFormat.open(empty, NAME))
  const words = 'the quick brown fox jumps over the lazy dog and runs away from all of them'.split(
    ' ',
  )
  const line = (seed: number) =>
    words.map((_, at) => words[(at * 7 + seed) % words.length]).join(' ')
  const slides = Array.from({ length: SLIDES }, (_, at) => ({
    op: 'add_slide',
    layout: 'Title and Content',
    title: `Slide ${at + 1}: ${line(at).slice(0, 30)}`,
    body: Array.from({ length: 8 }, (__, row) => ({ text: line(at + row), level: row % 2 })),
    ...(at % 10 === 0 && { notes: line(at) }),
  }))
  unwrap(document.apply(logged(slides)))
  return toBytes(unwrap(document.content()), empty)
}

interface PackedPart {
  readonly data: Uint8Array
  readonly method: number
}

/** By the directory at the end of the zip. */
function partsOf(zip: Uint8Array): ReadonlyMap<string, PackedPart> {
  const buffer = Buffer.from(zip.buffer, zip.byteOffset, zip.length)
  const found = new Map<string, PackedPart>()
  let at = buffer.readUInt32LE(buffer.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 16)
  while (buffer.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extra, comment] = [28, 30, 32].map(own => buffer.readUInt16LE(at + own))
    const name = buffer.toString('utf8', at + 46, at + 46 + nameLength!)
    const local = buffer.readUInt32LE(at + 42)
    const start = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28)
    const data = buffer.subarray(start, start + buffer.readUInt32LE(at + 20))
    found.set(name, { data, method: buffer.readUInt16LE(at + 10) })
    at += 46 + nameLength! + extra! + comment!
  }
  return found
}

function unpacked(name: string): Uint8Array {
  const { data, method } = parts.get(name)!
  return method === 0 ? data : inflateRawSync(data)
}

/** Unpacks, checks and looks at every tag. */
function scan(accepts: (name: string) => boolean): number {
  let tags = 0
  for (const name of parts.keys()) {
    if (!accepts(name)) continue
    const part = unpacked(name)
    tags += crc32(part) & 1
    for (let at = 0; at < part.length; at++) if (part[at] === 60) tags++
  }
  return tags
}
