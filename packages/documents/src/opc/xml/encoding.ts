/** The encoding of a part. The layers above work on UTF-8; a part is written back in its own encoding. */
export type XmlEncoding = 'utf-8' | 'us-ascii' | 'utf-16le' | 'utf-16be' | 'latin1'

export interface XmlBytes {
  /** UTF-8; a byte order mark stays where it is. */
  readonly utf8: Uint8Array
  readonly encoding: XmlEncoding
}

/** Undefined when the bytes are not in the declared encoding: such a part is kept unchanged and never edited. */
export function toUtf8(bytes: Uint8Array): XmlBytes | undefined {
  const encoding = encodingOf(bytes)
  if (!encoding) return undefined
  if (encoding === 'utf-8' || encoding === 'us-ascii') return { utf8: bytes, encoding }
  const buffer = bufferOf(bytes)
  if (encoding === 'latin1')
    return { utf8: Buffer.from(buffer.toString('latin1'), 'utf8'), encoding }
  if (bytes.length % 2 !== 0) return undefined
  const units = encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : buffer
  const text = units.toString('utf16le')
  if (/\p{Surrogate}/u.test(text)) return undefined
  return { utf8: Buffer.from(text, 'utf8'), encoding }
}

export function fromUtf8(utf8: Uint8Array, encoding: XmlEncoding): Uint8Array {
  if (encoding === 'utf-8') return utf8
  const text = bufferOf(utf8).toString('utf8')
  // A character that the encoding cannot represent is written as a character reference.
  if (encoding === 'latin1' || encoding === 'us-ascii') {
    const strange = encoding === 'latin1' ? /[^\u0000-\u00ff]/gu : /[^\u0000-\u007f]/gu
    return Buffer.from(
      text.replace(strange, char => `&#${char.codePointAt(0)};`),
      'latin1',
    )
  }
  const units = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? units.swap16() : units
}

/** Whether the bytes from the start of a part can be read without conversion. */
export function isUtf8(bytes: Uint8Array): boolean {
  return encodingOf(bytes) === 'utf-8'
}

function encodingOf(bytes: Uint8Array): XmlEncoding | undefined {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0x3c && b === 0) return 'utf-16le'
  if (a === 0 && b === 0x3c) return 'utf-16be'
  const head = bufferOf(bytes).toString('latin1', 0, 200)
  const declared = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(
    head,
  )?.[1]
  if (!declared || /^utf-?8$/i.test(declared)) return 'utf-8'
  // Some writers declare ASCII and write UTF-8.
  if (/^(us-)?ascii$/i.test(declared)) return bytes.some(byte => byte > 127) ? 'utf-8' : 'us-ascii'
  if (/^(iso-8859-1|latin-?1)$/i.test(declared)) return 'latin1'
  return undefined
}

export function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
