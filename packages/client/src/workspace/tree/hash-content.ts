import { createHash, hash } from 'node:crypto'
import { type Content, contentLength, pieces, type Sha256 } from '@filewright/protocol'

export function sha256Of(bytes: Uint8Array): Sha256 {
  return hash('sha256', bytes, 'hex') as Sha256
}

const IN_ONE_PIECE = 256 * 1024 // many small pieces cost more than joining them
let scratch: Buffer | undefined

export function sha256OfContent(content: Content, base: Uint8Array): Sha256 {
  if (contentLength(content) > IN_ONE_PIECE) return hashPieces(content, base)
  scratch ??= Buffer.allocUnsafeSlow(IN_ONE_PIECE)
  let length = 0
  for (const piece of pieces(content, base)) {
    scratch.set(piece, length)
    length += piece.length
  }
  return sha256Of(scratch.subarray(0, length))
}

function hashPieces(content: Content, base: Uint8Array): Sha256 {
  const large = createHash('sha256')
  for (const piece of pieces(content, base)) large.update(piece)
  return large.digest('hex') as Sha256
}
