import { isAscii } from 'node:buffer'
import { lazyLibrary } from './lazy-library.ts'

/** Turns text into the bytes of one encoding and back. */
export interface Codec {
  /** A WHATWG label. */
  readonly label: string
  /** Bytes per code unit: a line end is one or two units. */
  readonly unit: 1 | 2
  readonly bigEndian: boolean
  /**
   * Every byte sequence that encodes some text decodes to that text and nothing else, so a search may compare bytes.
   */
  readonly selfSynchronising: boolean
  decode(bytes: Uint8Array): string
  /** Null when the encoding cannot represent the text; `findUnencodable` then names the character. */
  encode(text: string): Uint8Array | null
}

export function codecFor(label: string): Codec {
  const known = codecs.get(label)
  if (known) return known
  const codec = isMultiByte(label) ? multiByteCodec(label) : singleByteCodec(label)
  codecs.set(label, codec)
  return codec
}

/** The first character of `text` that the encoding cannot represent. */
export function findUnencodable(codec: Codec, text: string): string | undefined {
  for (const char of text) if (codec.encode(char) === null) return char
  return undefined
}

export function isMultiByte(label: string): boolean {
  return label in ICONV_NAMES
}

/** Whether encoding the decoded text gives the same bytes. */
export function roundTrips(codec: Codec, bytes: Uint8Array): boolean {
  const encoded = codec.encode(codec.decode(bytes))
  return encoded !== null && asBuffer(encoded).equals(bytes)
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** WHATWG names of multi-byte encodings, with their names in iconv-lite. */
const ICONV_NAMES: Readonly<Record<string, string>> = {
  shift_jis: 'cp932',
  'euc-jp': 'euc-jp',
  'euc-kr': 'cp949',
  gbk: 'gbk',
  gb18030: 'gb18030',
  big5: 'big5-hkscs',
}

const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const LONE_SURROGATE = /\p{Surrogate}/u

const utf8: Codec = {
  label: 'utf-8',
  unit: 1,
  bigEndian: false,
  selfSynchronising: true,
  decode: bytes =>
    isAscii(bytes) ? asBuffer(bytes).toString('latin1') : utf8Decoder.decode(bytes),
  // a third of the time that TextEncoder takes on one line
  encode: text => (LONE_SURROGATE.test(text) ? null : Buffer.from(text, 'utf8')),
}

/** Not TextDecoder: it would turn a lone surrogate, which occurs in real files, into U+FFFD. */
const utf16le: Codec = {
  label: 'utf-16le',
  unit: 2,
  bigEndian: false,
  selfSynchronising: true,
  decode: bytes => asBuffer(bytes).toString('utf16le') + (bytes.length % 2 === 1 ? '\ufffd' : ''),
  encode: text => Buffer.from(text, 'utf16le'),
}

const utf16be: Codec = {
  ...utf16le,
  label: 'utf-16be',
  bigEndian: true,
  decode: bytes => {
    const whole = bytes.length - (bytes.length % 2)
    const swapped = Buffer.from(bytes.subarray(0, whole)).swap16().toString('utf16le')
    return swapped + (bytes.length > whole ? '\ufffd' : '')
  },
  encode: text => Buffer.from(text, 'utf16le').swap16(),
}

/** Maps every byte to the character with its number: the fallback when no encoding fits. */
const latin1: Codec = {
  label: 'iso-8859-1',
  unit: 1,
  bigEndian: false,
  selfSynchronising: true,
  decode: bytes => asBuffer(bytes).toString('latin1'),
  encode: text => (/[^\u0000-\u00ff]/.test(text) ? null : Buffer.from(text, 'latin1')),
}

const codecs = new Map<string, Codec>(
  [utf8, utf16le, utf16be, latin1].map(codec => [codec.label, codec]),
)

/** The inverse of the platform's own table, so that everything that decodes also encodes. */
function singleByteCodec(label: string): Codec {
  const chars = tableOf(label)
  const bytesOf = new Map<number, number>()
  for (let byte = 0; byte < 256; byte++) if (chars[byte] !== 0xfffd) bytesOf.set(chars[byte]!, byte)
  return {
    label,
    unit: 1,
    bigEndian: false,
    selfSynchronising: true,
    decode: bytes => {
      const codes = new Uint16Array(bytes.length)
      for (let i = 0; i < bytes.length; i++) codes[i] = chars[bytes[i]!]!
      return asBuffer(new Uint8Array(codes.buffer)).toString('utf16le')
    },
    encode: text => {
      const bytes = new Uint8Array(text.length)
      for (let i = 0; i < text.length; i++) {
        const byte = bytesOf.get(text.charCodeAt(i))
        if (byte === undefined) return null
        bytes[i] = byte
      }
      return bytes
    },
  }
}

/** 0x80 to 0x9f of windows-1252: some releases of Node decode it as Latin-1 there. */
const WINDOWS_1252_HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

function tableOf(label: string): Uint16Array {
  const chars = new Uint16Array(256)
  const decoder = new TextDecoder(label)
  for (let byte = 0; byte < 256; byte++) {
    const isHigh1252 = label === 'windows-1252' && byte >= 0x80 && byte < 0xa0
    chars[byte] = isHigh1252
      ? WINDOWS_1252_HIGH.charCodeAt(byte - 0x80)
      : decoder.decode(Uint8Array.of(byte)).charCodeAt(0)
  }
  return chars
}

interface Iconv {
  encode(text: string, encoding: string): Buffer
}
const iconv = lazyLibrary<Iconv>('iconv-lite')

function multiByteCodec(label: string): Codec {
  const decoder = new TextDecoder(label, { ignoreBOM: true })
  const decode = (bytes: Uint8Array) => decoder.decode(bytes)
  return {
    label,
    unit: 1,
    bigEndian: false,
    selfSynchronising: false,
    decode,
    encode: text => {
      const bytes = iconv().encode(text, ICONV_NAMES[label]!)
      return decode(bytes) === text ? bytes : null // it writes "?" for an unknown character
    },
  }
}
