import { decodeText, isBinary, type TextDocument } from '@filewright/documents/text'
import type { Sha256 } from '@filewright/protocol'
import { createByteCache } from '../store/byte-cache.ts'

const HELD_BYTES = 16 * 1024 * 1024

export interface SourceTexts {
  /** Undefined for a binary file. */
  textOf(file: { readonly sha256: Sha256; readonly bytes: Uint8Array }): TextDocument | undefined
  /** Undefined unless the text is held. */
  bytesOf(sha256: Sha256): Uint8Array | undefined
}

/**
 * The texts used last stay decoded, with their lines counted. The next page of a file, or a patch of what was just read,
 * then costs only the reading and the hash.
 */
export function createSourceTexts(): SourceTexts {
  const held = createByteCache<TextDocument>(HELD_BYTES, text => text.sizeBytes)
  return {
    textOf({ sha256, bytes }) {
      const known = held.get(sha256)
      if (known || isBinary(bytes)) return known
      const text = decodeText(bytes)
      held.add(sha256, text)
      return text
    },
    bytesOf: sha256 => held.get(sha256)?.bytes,
  }
}
