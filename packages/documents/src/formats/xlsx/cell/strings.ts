import {
  BytePattern,
  bufferOf,
  decodeText,
  hasDeclarations,
  XML_BAD,
  XML_CLOSE,
  XML_EMPTY,
  XML_END,
  XML_OPEN,
  XML_TEXT,
  XmlReader,
} from '../../../opc/index.ts'
import { textBytes } from './text-bytes.ts'

/** The shared strings of a workbook; each is decoded on first use. */
export class SharedStrings {
  readonly #bytes: Uint8Array
  readonly #starts: Int32Array
  readonly #texts: (string | undefined)[] = []
  #sizes: Int32Array | undefined
  #hasRuns: boolean | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#starts = findItems(bytes)
  }

  get count(): number {
    return Math.max(this.#starts.length - 1, 0)
  }

  /** Undefined for an index out of range. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.count)) return undefined
    this.#texts[index] ??= readRichText(this.#bytes, this.#starts[index]!, this.#starts[index + 1]!)
    return this.#texts[index]
  }

  /** An upper bound on its bytes when shown. */
  bytesOf(index: number): number {
    if (!(index >= 0 && index < this.count)) return 8
    this.#sizes ??= new Int32Array(this.count)
    const known = this.#sizes[index]!
    if (known > 0) return known
    const size = textBytes(this.#bytes, this.#starts[index]!, this.#starts[index + 1]!)
    this.#sizes[index] = size
    return size
  }

  /** Whether any of them may be rich text. */
  get hasRuns(): boolean {
    this.#hasRuns ??= /<(?:[\w.-]+:)?r[\s>]/.test(bufferOf(this.#bytes).toString('latin1'))
    return this.#hasRuns
  }

  /** The content of an item. */
  xmlOf(index: number): string | undefined {
    if (!(index >= 0 && index < this.count)) return undefined
    const item = bufferOf(this.#bytes).toString(
      'utf8',
      this.#starts[index]!,
      this.#starts[index + 1]!,
    )
    return /^<[^>]*[^/]>([\s\S]*)<\/(?:[\w.-]+:)?si\s*>/.exec(item)?.[1]
  }
}

/** Where each `<si>` starts, plus one entry for the end. */
function findItems(bytes: Uint8Array): Int32Array {
  const buffer = bufferOf(bytes)
  const starts: number[] = []
  const head = buffer.toString('latin1', 0, Math.min(bytes.length, 4096))
  const prefix = /<(\w+:)?sst[\s>]/.exec(head)?.[1] ?? ''
  if (hasDeclarations(bytes, 0)) return findItemsCarefully(bytes)
  const pattern = new BytePattern(`<${prefix}si`)
  for (let at = pattern.find(bytes, 0); at >= 0; at = pattern.find(bytes, at + pattern.length)) {
    const after = bytes[at + pattern.length]!
    if (after === 62 || after === 47 || after <= 32) starts.push(at)
  }
  starts.push(bytes.length)
  return Int32Array.from(starts)
}

function findItemsCarefully(bytes: Uint8Array): Int32Array {
  const starts: number[] = []
  const reader = new XmlReader(bytes)
  for (;;) {
    const kind = reader.next()
    if (kind === XML_BAD || kind === XML_END) break
    if ((kind === XML_OPEN || kind === XML_EMPTY) && reader.depth === 2) starts.push(reader.start)
  }
  starts.push(bytes.length)
  return Int32Array.from(starts)
}

/** The text of `<si>` or `<is>`: all `<t>`, without the phonetic hints. */
export function readRichText(bytes: Uint8Array, start: number, end: number): string {
  const plain = readPlainText(bytes, start, end)
  if (plain !== undefined) return plain
  const reader = new XmlReader(bytes, start, end, 'fragment')
  let text = ''
  let own = ''
  let phonetic = 0
  let inText = false
  for (;;) {
    const kind = reader.next()
    if (kind === XML_END || kind === XML_BAD) break
    if (kind === XML_TEXT) {
      if (inText && phonetic === 0) own += decodeText(bytes, reader.start, reader.end)
      continue
    }
    const local = localName(reader)
    if (local === 't') {
      inText = kind === XML_OPEN
      // An escape cannot span two runs.
      text += decodeEscapes(own)
      own = ''
    } else if (local === 'rPh') phonetic += kind === XML_OPEN ? 1 : kind === XML_CLOSE ? -1 : 0
  }
  return text + decodeEscapes(own)
}

/** Most strings are a single `<t>`: these need no reader. */
function readPlainText(bytes: Uint8Array, start: number, end: number): string | undefined {
  const isItem = endsName(bytes, start, 115, 105)
  const at = isItem ? bytes.indexOf(62, start) + 1 : start
  if (!endsName(bytes, at, 116)) return undefined
  const from = bytes.indexOf(62, at) + 1
  if (from === 0 || bytes[from - 2] === 47) return undefined
  const to = bytes.indexOf(60, from)
  if (to < 0 || to >= end || bytes[to + 1] !== 47) return undefined
  const next = bytes.indexOf(62, to) + 1
  const isAll = next === end || (bytes[next] === 60 && bytes[next + 1] === 47)
  return isAll ? decodeEscapes(decodeText(bytes, from, to)) : undefined
}

/** Whether a tag with this local name starts there. */
function endsName(bytes: Uint8Array, start: number, ...letters: number[]): boolean {
  if (bytes[start] !== 60) return false
  let end = start + 1
  while (bytes[end]! > 32 && bytes[end] !== 62 && bytes[end] !== 47) end++
  if (bytes[end] !== 62 && bytes[end] !== 32) return false
  const from = end - letters.length
  const before = bytes[from - 1]
  return (
    (before === 60 || before === 58) && letters.every((letter, i) => bytes[from + i] === letter)
  )
}

function localName(reader: XmlReader): string {
  let from = reader.nameStart
  for (let at = from; at < reader.nameEnd; at++) if (reader.bytes[at] === 58) from = at + 1
  if (reader.nameEnd - from === 1 && reader.bytes[from] === 116) return 't'
  return bufferOf(reader.bytes).toString('latin1', from, reader.nameEnd)
}

/** ECMA-376 22.9.2.19: `_x000D_` encodes a character that XML cannot represent. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

export function encodeEscapes(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/gu, escapeOf)
}

/** Escapes line breaks too: in an attribute they would become spaces. */
export function encodeAllEscapes(text: string): string {
  return encodeEscapes(text).replace(/[\t\n]/g, char => escapeOf(char).toLowerCase())
}

function escapeOf(char: string): string {
  return `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}
