import { PICTURE_TYPES, type PictureType } from '@filewright/protocol'
import { imageSize } from 'image-size'

/** What the first bytes of a picture say. */
export interface PictureHead {
  readonly mediaType: PictureType
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** Undefined for what no provider takes; nothing is unpacked. */
export function readPictureHead(bytes: Uint8Array): PictureHead | undefined {
  try {
    const { type, width, height } = imageSize(bytes)
    const kind = type === 'jpg' ? 'jpeg' : type
    const mediaType = PICTURE_TYPES.find(each => each === `image/${kind}`)
    return mediaType && width > 0 && height > 0 ? { mediaType, width, height } : undefined
  } catch {
    return undefined // the library throws for whatever it does not know
  }
}
