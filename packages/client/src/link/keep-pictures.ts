import type { ImageName, Picture } from '@filewright/protocol'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import type { StoreBlobs } from './store-blobs.ts'

/** Uploads pictures under their hashes: calls, results and the journal name them, and never hold their bytes. */
export async function keepPictures(
  blobs: Pick<StoreBlobs, 'put'>,
  pictures: readonly Picture[],
): Promise<readonly ImageName[]> {
  return Promise.all(
    pictures.map(async ({ bytes, mediaType }) => {
      const sha256 = sha256Of(bytes)
      await blobs.put(sha256, bytes)
      return { sha256, mediaType }
    }),
  )
}
