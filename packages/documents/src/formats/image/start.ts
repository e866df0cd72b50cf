import type { ReadableFormat } from '../../format.ts'
import { startPictures } from '../../pictures/transformer.ts'
import { imageFormat } from './format.ts'

/** The library starts in the process that reads an image, and in no other. */
export async function startImages(): Promise<ReadableFormat> {
  await startPictures()
  return imageFormat
}
