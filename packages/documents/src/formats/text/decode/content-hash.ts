import { isUtf8 } from 'node:buffer'
import { asBuffer } from './codec.ts'
import { decodeText } from './text.ts'

/**
 * Input of TUL-004's informative `hash`: the text with CRLF and CR as LF, in UTF-8, without a BOM. It never guards a
 * write.
 */
export function normaliseForContentHash(content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string' && isPlainUtf8(content)) return withPlainLineEnds(content)
  const text = typeof content === 'string' ? content : decodeText(content).slice().content
  const unmarked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return new TextEncoder().encode(toLineFeeds(unmarked))
}

/** Most files, and every new one: their bytes need no decoding, which takes ten times as long. */
function isPlainUtf8(bytes: Uint8Array): boolean {
  return bytes[0] !== 0xef && isUtf8(bytes) && !asBuffer(bytes).includes(0)
}

/** In UTF-8 the bytes of line ends occur in no other character. */
function withPlainLineEnds(bytes: Uint8Array): Uint8Array {
  const own = asBuffer(bytes)
  return own.includes(0x0d) ? Buffer.from(toLineFeeds(own.toString('latin1')), 'latin1') : bytes
}

function toLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
}
