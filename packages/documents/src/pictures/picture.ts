import type { Picture } from '@filewright/protocol'
import type { Transformer } from '@napi-rs/image'

/** The longest side that providers look at; a larger picture costs more and shows no more. */
const MOST_PIXELS_ASIDE = 1568
const MOST_PICTURE_BYTES = 1_000_000
const QUALITIES = [85, 65, 40, 20] as const

/** A part of a page or an image: left, top, right and bottom as parts of its width and height. */
export interface Crop {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const WHOLE: Crop = { left: 0, top: 0, right: 1, bottom: 1 }

/** Undefined unless it is four numbers of 0 to 1 that name a part. */
export function parseCrop(given: readonly number[]): Crop | undefined {
  const [left, top, right, bottom] = given
  if (given.length !== 4 || !given.every(side => side >= 0 && side <= 1)) return undefined
  return left! < right! && top! < bottom!
    ? { left: left!, top: top!, right: right!, bottom: bottom! }
    : undefined
}

export const CROP_RULE =
  'crop takes four numbers from 0 to 1: left, top, right and bottom as parts of the width and height, such as [0, 0.5, 1, 1] for the lower half'

/** The size of a picture whose longest side is at most what a model looks at. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, MOST_PIXELS_ASIDE / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** As few bytes as needed to stay within the bound. `mayBeClear`: it has no background, which only a PNG keeps. */
export function toPicture(
  source: Transformer,
  size: { readonly width: number; readonly height: number },
  { mayBeClear = false } = {},
): Picture {
  const clear = mayBeClear ? source.pngSync() : undefined
  if (clear && clear.length <= MOST_PICTURE_BYTES)
    return { mediaType: 'image/png', bytes: new Uint8Array(clear), ...size }
  let bytes: Uint8Array = new Uint8Array(0)
  for (const quality of QUALITIES) {
    bytes = source.jpegSync(quality)
    if (bytes.length <= MOST_PICTURE_BYTES) break
  }
  return { mediaType: 'image/jpeg', bytes: new Uint8Array(bytes), ...size }
}
