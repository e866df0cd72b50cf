import { imageSize } from 'image-size'

/** What an office file must know of a picture that it takes up. */
export interface PictureFacts {
  readonly type: string
  /** With the dot. */
  readonly ending: string
  /** In points, by the resolution that the picture names, else 96 dots an inch. */
  readonly width: number
  readonly height: number
  /** A camera says that it is to be turned, which office programs may not do. */
  readonly isTurned: boolean
}

const TYPES: Readonly<Record<string, readonly [type: string, ending: string]>> = {
  png: ['image/png', '.png'],
  jpg: ['image/jpeg', '.jpeg'],
  gif: ['image/gif', '.gif'],
  bmp: ['image/bmp', '.bmp'],
  tiff: ['image/tiff', '.tiff'],
}
const SCREEN_DPI = 96
const MOST_SIDE = 100_000 // pixels

/** A string says what is wrong: `it is webp`. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | string {
  try {
    const { width, height, type = '', orientation = 1 } = imageSize(bytes)
    const known = Object.hasOwn(TYPES, type) ? TYPES[type]! : undefined
    if (!known) return `it is ${type || 'no picture'}`
    const isSound = width > 0 && height > 0 && width <= MOST_SIDE && height <= MOST_SIDE
    if (!isSound) return 'it has no size'
    const { x, y } = dotsPerInch(bytes)
    const [own, ending] = known
    const isTurned = orientation > 1
    return { type: own, ending, width: (width * 72) / x, height: (height * 72) / y, isTurned }
  } catch {
    return 'its first bytes are of no picture that is known'
  }
}

interface Resolution {
  readonly x: number
  readonly y: number
}

const SCREEN: Resolution = { x: SCREEN_DPI, y: SCREEN_DPI }

function dotsPerInch(bytes: Uint8Array): Resolution {
  const found = isPng(bytes) ? pngResolution(bytes) : jpegResolution(bytes)
  const isLikely = found && [found.x, found.y].every(dots => dots >= 30 && dots <= 2400)
  return isLikely ? found : SCREEN
}

function isPng(bytes: Uint8Array): boolean {
  return bytes[0] === 0x89 && bytes[1] === 0x50
}

/** The chunk pHYs in front of the pixels: dots a metre. */
function pngResolution(bytes: Uint8Array): Resolution | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 21 <= bytes.length; ) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (name === 'IDAT') return undefined
    if (name === 'pHYs' && bytes[at + 16] === 1)
      return { x: view.getUint32(at + 8) * 0.0254, y: view.getUint32(at + 12) * 0.0254 }
    at += 12 + length
  }
  return undefined
}

/** The segment APP0 with which a JFIF file begins: dots an inch or a centimetre. */
function jpegResolution(bytes: Uint8Array): Resolution | undefined {
  if (bytes.length < 18 || bytes[2] !== 0xff || bytes[3] !== 0xe0) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [x, y] = [view.getUint16(14), view.getUint16(16)]
  if (bytes[13] === 1) return { x, y }
  return bytes[13] === 2 ? { x: x * 2.54, y: y * 2.54 } : undefined
}
