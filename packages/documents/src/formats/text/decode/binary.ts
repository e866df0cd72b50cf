import { asBuffer } from './codec.ts'
import { findUtf16, isTextByte } from './encoding.ts'

/** How many leading bytes decide, as in git. */
const SAMPLE = 8000

/** First bytes of common formats whose small files may have no zero byte; Latin-1. */
const SIGNATURES = [
  ...['%PDF-', 'PK\x03\x04', 'PK\x05\x06', '\x1f\x8b\x08', '\xfd7zXZ', '7z\xbc\xaf', 'Rar!\x1a'],
  ...[
    '\x28\xb5\x2f\xfd',
    'GIF87a',
    'GIF89a',
    '\x89PNG',
    '\xff\xd8\xff',
    '\x7fELF',
    '\xd0\xcf\x11\xe0',
  ],
  ...['OggS', 'ID3\x03', 'ID3\x04', 'wOFF', 'wOF2', '\xff\xfe\x00\x00', '\x00\x00\xfe\xff'],
]
const SIGNATURE_STARTS = new Set<string | undefined>(SIGNATURES.map(signature => signature[0]))
const CONTROL_SHARE = 0.1 // text with colour codes stays below; compressed bytes have about 0.11, and zeros

/** Text with a zero byte could not be read as text again, so no edit adds one. */
export const NUL_IS_BINARY =
  'contains U+0000, which makes the file binary, so it could not be read as text again; leave that character out'

/** Distinguishes a binary file from text by its first bytes. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = asBuffer(bytes.subarray(0, SAMPLE))
  const head = sample.toString('latin1', 0, 8)
  if (SIGNATURE_STARTS.has(head[0]) && SIGNATURES.some(signature => head.startsWith(signature)))
    return true
  if (/^BZh[1-9]/.test(head)) return true
  if (/^(\xff\xfe|\xfe\xff|\xef\xbb\xbf)/.test(head)) return false
  if (sample.includes(0)) return findUtf16(bytes) === undefined
  return countControls(sample) > sample.length * CONTROL_SHARE
}

/** Checks four bytes at a time while none is below a space, as in most text: a fifth of the time. */
function countControls(bytes: Uint8Array): number {
  const isAligned = bytes.byteOffset % 4 === 0
  const words = isAligned ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : []
  let count = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (((word - 0x20202020) & ~word & 0x80808080) !== 0)
      count += countControlsIn(bytes, 4 * i, 4 * i + 4)
  }
  return count + countControlsIn(bytes, 4 * words.length, bytes.length)
}

function countControlsIn(bytes: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if (!isTextByte(bytes[i]!)) count++
  return count
}
