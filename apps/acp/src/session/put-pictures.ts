import { createHash } from 'node:crypto'
import { fail, type GivenBody, LIMITS, ok, PICTURE_TYPES, type Result } from '@filewright/protocol'
import type { SessionFolder } from '../editor/folder.ts'
import type { GivenPicture } from './prompt-text.ts'

export type PutPicture = NonNullable<GivenBody<'sendMessage'>['images']>[number]

/** Stores the pictures of a message under their hashes. Those that no model takes are refused before anything is sent. */
export async function putPictures(
  { connection, params }: SessionFolder,
  pictures: readonly GivenPicture[],
): Promise<Result<readonly PutPicture[]>> {
  if (pictures.length > LIMITS.messagePictures)
    return refuse(
      `it has ${pictures.length} pictures, and at most ${LIMITS.messagePictures} are taken`,
    )
  const put: PutPicture[] = []
  for (const { mediaType: given, base64 } of pictures) {
    const mediaType = PICTURE_TYPES.find(type => type === given)
    if (!mediaType)
      return refuse(
        `it has a picture of the type "${given}", and ${PICTURE_TYPES.join(', ')} are taken`,
      )
    const bytes = Buffer.from(base64, 'base64')
    if (bytes.length > LIMITS.messagePictureBytes)
      return refuse(
        `it has a picture of ${bytes.length} bytes, and at most ${LIMITS.messagePictureBytes} are taken`,
      )
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const stored = await connection.call('putBlob', { params: { ...params, sha256 }, bytes })
    if (!stored.ok) return stored
    put.push({ sha256, mediaType })
  }
  return ok(put)
}

function refuse(why: string): Result<never> {
  return fail('INVALID_ARGUMENT', `The message was not sent: ${why}.`)
}
