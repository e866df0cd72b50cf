import { fail } from '@filewright/protocol'

/** For a file that is not a zip: what it is, and what would work. Undefined for a zip. */
export function whatItIs(bytes: Uint8Array) {
  if (bytes.length === 0) return unreadable('it is empty (0 bytes)')
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return compoundFile(bytes)
  if (hasZipStart(bytes)) return undefined
  const kind = KINDS.find(([, ...magic]) => startsWith(bytes, ...magic))
  if (kind) return unreadable(`it is ${kind[0]}, whatever its name says`)
  if (findEndMark(bytes)) return undefined
  const isText = !bytes.subarray(0, 4096).includes(0)
  return unreadable(
    isText
      ? 'it is a text file, whatever its name says. Move it to a name such as .csv or .txt with file_operations to read it'
      : 'it is not a zip package',
  )
}

const KINDS: readonly (readonly [string, ...number[]])[] = [
  ['a PNG picture', 0x89, 0x50, 0x4e, 0x47],
  ['a JPEG picture', 0xff, 0xd8, 0xff],
  ['a GIF picture', 0x47, 0x49, 0x46, 0x38],
  ['a PDF', 0x25, 0x50, 0x44, 0x46],
  ['a rich text (RTF) file', 0x7b, 0x5c, 0x72, 0x74, 0x66],
  ['a gzip archive', 0x1f, 0x8b],
  ['an XML or HTML file', 0x3c],
  ['an XML or HTML file', 0xef, 0xbb, 0xbf, 0x3c],
]

/**
 * Office's password protection wraps the package into a compound file; all files before 2007 were compound files too.
 */
function compoundFile(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (buffer.includes(Buffer.from('EncryptedPackage', 'utf16le')))
    return fail(
      'ENCRYPTED',
      'Cannot open the file: it is encrypted with a password. Ask for a copy that is saved without a password.',
    )
  return unreadable(
    'it is a binary Office file in the format used before 2007. Save it in the current format (xlsx, docx, pptx) and try again',
  )
}

function unreadable(found: string) {
  return fail('UNREADABLE_FORMAT', `Cannot open the file as an Office package: ${found}.`)
}

function hasZipStart(bytes: Uint8Array): boolean {
  return startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0x50, 0x4b, 5, 6)
}

/** A zip may follow other bytes. */
function findEndMark(bytes: Uint8Array): boolean {
  const tail = bytes.subarray(Math.max(0, bytes.length - 65_558))
  return Buffer.from(tail.buffer, tail.byteOffset, tail.length).includes(
    'PK\u0005\u0006',
    0,
    'latin1',
  )
}

function startsWith(bytes: Uint8Array, ...magic: number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}
