import { decodeText } from '@filewright/documents/text'

/** Decoded as a read would show it. */
export function readableText(bytes: Uint8Array): string {
  return decodeText(bytes).slice().content
}
