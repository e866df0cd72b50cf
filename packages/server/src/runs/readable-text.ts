import { decodeText } from '@filewright/documents/text'

/** As a read shows it: by the encoding that the file has. */
export function readableText(bytes: Uint8Array): string {
  return decodeText(bytes).slice().content
}
