import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { normaliseForContentHash } from '@filewright/documents/text'
import { expect } from 'vitest'
import { verifies } from './verifies.ts'

/** Computed with another language, so that a client in any language can be checked against them. */
const { vectors }: { vectors: [text: string, hash: string, why: string][] } = JSON.parse(
  readFileSync(new URL('content-hash.vectors.json', import.meta.url), 'utf8'),
)

verifies(
  ['CONTRACT §2 contentHash', 'CONTRACT §2 contentHash vectors', 'TUL-004 §4.3 hash vectors'],
  'the content hash of every committed vector matches, from text and from bytes',
  () => {
    for (const [text, hash, why] of vectors)
      for (const content of [text, new TextEncoder().encode(text)])
        expect(sha256Of(normaliseForContentHash(content)), why).toBe(hash)
  },
)

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
