import { isAscii, isUtf8 } from 'node:buffer'
import { asBuffer, codecFor, isMultiByte, roundTrips } from './codec.ts'
import { lazyLibrary } from './lazy-library.ts'

/** How a file's bytes are read as text. */
export interface TextEncoding {
  /** A WHATWG label. */
  readonly label: string
  /** Length of the byte order mark; 0 without one. */
  readonly bomLength: number
}

/**
 * Checks for a BOM, zero bytes and UTF-8, then guesses. A guess counts only if its text encodes to the same bytes;
 * otherwise each byte becomes one character. A file of ASCII bytes only is UTF-8.
 */
export function findEncoding(bytes: Uint8Array): TextEncoding {
  const marked = findBom(bytes)
  if (marked) return marked
  const label = findUtf16(bytes) ?? findUtf8(bytes) ?? guessLegacy(bytes)
  return { label, bomLength: 0 }
}

export function bomOf(label: string): Uint8Array | undefined {
  return BOMS[label]
}

const BOMS: Readonly<Record<string, Uint8Array>> = {
  'utf-8': Uint8Array.of(0xef, 0xbb, 0xbf),
  'utf-16le': Uint8Array.of(0xff, 0xfe),
  'utf-16be': Uint8Array.of(0xfe, 0xff),
}

function findBom(bytes: Uint8Array): TextEncoding | undefined {
  if (!(bytes[0]! >= 0xef)) return undefined // no multi-byte character begins lower
  for (const [label, bom] of Object.entries(BOMS))
    if (bom.every((byte, i) => bytes[i] === byte)) return { label, bomLength: bom.length }
  return undefined
}

const ZERO_SAMPLE = 64 * 1024

/**
 * A very short file gives little evidence: four bytes with a zero among them are binary, unless every unit is a Western
 * character.
 */
const FEW_UNITS = 16

/** UTF-16 without a mark: every other byte of Western text is zero, and only on one side. */
export function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined
  const sample = asBuffer(bytes.subarray(0, ZERO_SAMPLE))
  if (!sample.includes(0)) return undefined
  const units = sample.length >> 1
  const latin = [0, 0] // units with a zero on one side and a character of text on the other
  for (let i = 0; i < sample.length - 1; i += 2) {
    if (sample[i] === 0 && isTextByte(sample[i + 1]!)) latin[0]!++
    if (sample[i + 1] === 0 && isTextByte(sample[i]!)) latin[1]!++
  }
  const [big, little] = [latin[0]! / units, latin[1]! / units]
  const most = units < FEW_UNITS ? 0.99 : 0.4
  if (little > most && big < 0.02) return 'utf-16le'
  if (big > most && little < 0.02) return 'utf-16be'
  return undefined
}

/** Not a control character, except tab, line ends, form feed, backspace and escape, which occur in text. */
export function isTextByte(byte: number): boolean {
  return byte >= 0x20 || (byte >= 8 && byte <= 13) || byte === 0x1b
}

/**
 * Tolerates a few broken sequences (a cut log, one pasted byte): reading the whole file as a legacy encoding would show
 * every other character wrong and write new ones in two encodings. Broken bytes stay unchanged, because edits work on
 * bytes.
 */
function findUtf8(bytes: Uint8Array): 'utf-8' | undefined {
  if (isUtf8(bytes)) return 'utf-8'
  const { valid, broken } = countSequences(bytes)
  return valid >= 4 * broken ? 'utf-8' : undefined
}

function countSequences(bytes: Uint8Array): { valid: number; broken: number } {
  let valid = 0
  let broken = 0
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i]!
    if (lead < 0x80) {
      i++
      continue
    }
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    const sequence = bytes.subarray(i, i + length)
    if (lead >= 0xc2 && lead < 0xf5 && sequence.length === length && isUtf8(sequence)) {
      valid++
      i += length
    } else {
      broken++
      i++
    }
  }
  return { valid, broken }
}

interface Detector {
  detect(
    bytes: Uint8Array,
    options: { detectEncodings: string[] },
  ): { encoding: string | null; confidence: number }
}
const detector = lazyLibrary<Detector>('jschardet')

const LATIN = ['windows-1252', 'windows-1250', 'windows-1254', 'windows-1257', 'iso-8859-2']
const OTHER_SCRIPTS = [
  ...['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'windows-1253', 'iso-8859-7'],
  ...['windows-1255', 'windows-1256', 'windows-874'],
  ...['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'],
]
const GUESS_SAMPLE = 64 * 1024
/** Below these its answers are noise: "£5" is windows-1250 with 0.014, while 你好 in GBK, four bytes, has 0.052. */
const LATIN_CONFIDENCE = 0.05
const CONFIDENCE = 0.03

function guessLegacy(bytes: Uint8Array): string {
  const sample = sampleAround(bytes)
  const isLatin = shareOfLoneHighBytes(sample) >= 0.3 // café has them alone, Привет and 日本 in runs
  const guessed = isLatin ? guessAmong(LATIN, sample, LATIN_CONFIDENCE) : guessOther(sample)
  for (const label of [guessed, 'windows-1252']) if (label && fits(label, bytes)) return label
  // not Latin text: ソ is 83 5C, so a high byte of Shift_JIS may be isolated
  const other = isLatin ? guessOther(sample) : undefined
  return other && fits(other, bytes) ? other : 'iso-8859-1'
}

function guessOther(sample: Uint8Array): string | undefined {
  return guessAmong([...LATIN, ...OTHER_SCRIPTS], sample, CONFIDENCE)
}

function guessAmong(labels: string[], sample: Uint8Array, least: number): string | undefined {
  const { encoding, confidence } = detector().detect(sample, { detectEncodings: labels })
  return confidence < least ? undefined : toLabel(encoding)
}

/** Starts at the first byte beyond ASCII: a long English header is no evidence. */
function sampleAround(bytes: Uint8Array): Uint8Array {
  const BLOCK = 4096
  let from = 0
  while (from < bytes.length && isAscii(bytes.subarray(from, from + BLOCK))) from += BLOCK
  return bytes.subarray(from, from + GUESS_SAMPLE)
}

function shareOfLoneHighBytes(bytes: Uint8Array): number {
  let high = 0
  let alone = 0
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i]! < 0x80) continue
    high++
    if ((bytes[i - 1] ?? 0) < 0x80 && (bytes[i + 1] ?? 0) < 0x80) alone++
  }
  return alone / high
}

function toLabel(name: string | null): string | undefined {
  try {
    return new TextDecoder(name ?? '').encoding
  } catch {
    return undefined // a name unknown to WHATWG
  }
}

function fits(label: string, bytes: Uint8Array): boolean {
  const codec = codecFor(label)
  if (isMultiByte(label)) return everyBlock(bytes, block => roundTrips(codec, block))
  if (label === 'windows-1252') return !holdsAny(bytes, UNDEFINED_IN_1252)
  const used = bytesUsed(bytes)
  return roundTrips(codec, used) && !codec.decode(used).includes('\ufffd')
}

/** WHATWG maps these five to control characters; a file that contains one is not windows-1252. */
const UNDEFINED_IN_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

function holdsAny(bytes: Uint8Array, wanted: readonly number[]): boolean {
  const buffer = asBuffer(bytes)
  return wanted.some(byte => buffer.includes(byte))
}

function bytesUsed(bytes: Uint8Array): Uint8Array {
  const used = new Uint8Array(256)
  for (let i = 0; i < bytes.length; i++) used[bytes[i]!] = 1
  return Uint8Array.from([...used.keys()].filter(byte => used[byte] === 1))
}

/** Blocks that end at a line end: LF is never the second byte of a character in these encodings. */
function everyBlock(bytes: Uint8Array, test: (block: Uint8Array) => boolean): boolean {
  const BLOCK = 1024 * 1024
  const buffer = asBuffer(bytes)
  for (let from = 0; from < bytes.length; ) {
    const lineEnd = from + BLOCK < bytes.length ? buffer.indexOf(10, from + BLOCK) : -1
    const to = lineEnd === -1 ? bytes.length : lineEnd + 1
    if (!test(bytes.subarray(from, to))) return false
    from = to
  }
  return true
}
