import { decodeText } from './text.ts'

/**
 * Input of TUL-004's informative `hash`: the text with CRLF and CR as LF, in UTF-8, without a BOM. It never guards a
 * write.
 */
export function normaliseForContentHash(content: string | Uint8Array): Uint8Array {
  const text = typeof content === 'string' ? content : decodeText(content).slice().content
  const unmarked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return new TextEncoder().encode(unmarked.replaceAll('\r\n', '\n').replaceAll('\r', '\n'))
}
