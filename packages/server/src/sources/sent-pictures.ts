import { readPictureHead } from '@filewright/documents'
import {
  fail,
  type ImageName,
  LIMITS,
  ok,
  type Result,
  type Sha256,
  type WorkspaceId,
} from '@filewright/protocol'
import type { Blobs } from '../store/blobs.ts'
import type { ReadableBytes } from './readable-bytes.ts'

export interface SentPicturesParts {
  readonly blobs: Blobs
  readonly readable: ReadableBytes
}

interface SentPicture extends ImageName {
  readonly sha256: Sha256
}

const MOST_BYTES = LIMITS.messagePictureBytes
const MOST_SIDE = LIMITS.messagePictureSide

/**
 * Whether a model can be sent these pictures. A provider that refuses one refuses every later request of the
 * conversation too, so they are looked at before the message is kept.
 */
export async function checkPictures(
  { blobs, readable }: SentPicturesParts,
  workspaceId: WorkspaceId,
  images: readonly SentPicture[] = [],
): Promise<Result<null>> {
  for (const { sha256, mediaType } of images) {
    const found = await readable.find(workspaceId, sha256, { putsBytes: true })
    if (!found.ok && found.failure.code === 'PRIVATE_FILE') return found
    const size = found.ok ? await blobs.size(sha256) : undefined
    if (size === undefined) return notHere(sha256)
    const wrong =
      size > MOST_BYTES
        ? `it has ${size} bytes, and at most ${MOST_BYTES} are sent. Send a smaller copy.`
        : faultOf(await blobs.get(sha256), mediaType)
    if (wrong) return fail('INVALID_ARGUMENT', `The picture was not sent: ${wrong}`)
  }
  return ok(null)
}

function notHere(sha256: Sha256): Result<never> {
  return fail(
    'NOT_FOUND',
    `The picture was not sent: this workspace has no bytes ${sha256}. Put them first, with putBlob.`,
  )
}

function faultOf(bytes: Uint8Array | undefined, mediaType: string): string | undefined {
  const head = bytes && readPictureHead(bytes)
  if (!head) return 'its first bytes are of no PNG, JPEG, GIF or WebP.'
  if (head.mediaType !== mediaType) return `it is ${head.mediaType}, not ${mediaType}.`
  if (Math.max(head.width, head.height) <= MOST_SIDE) return undefined
  return `it has ${head.width} × ${head.height} pixels, and a side has at most ${MOST_SIDE}. Send a smaller copy.`
}
