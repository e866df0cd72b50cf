import { fail, ok, type Picture, type Reading, type Result } from '@filewright/protocol'
import { imageSize } from 'image-size'
import type { DocumentName, ReadableDocument, ReadableFormat } from '../../format.ts'
import {
  CROP_RULE,
  type Crop,
  fitted,
  parseCrop,
  toPicture,
  WHOLE,
} from '../../pictures/picture.ts'
import { takeTransformer } from '../../pictures/transformer.ts'
import { type ExifNotes, exifOf } from './exif.ts'

const MOST_PIXELS = 100_000_000 // unpacked it takes 400 MB; a larger one is a bomb or a map
const MOST_BYTES = 1_000_000 // of an image that is sent as it is

interface ImageFacts {
  readonly name: DocumentName
  readonly bytes: Uint8Array
  readonly kind: string
  readonly width: number
  readonly height: number
  readonly exif: ExifNotes
}

type ImageRegion = { readonly crop?: readonly number[] }

/** Its size is read from its head; it is unpacked only when that is bounded. */
export const imageFormat: ReadableFormat = {
  open(bytes, name) {
    const facts = factsOf(bytes, name)
    return facts.ok ? ok(openImage(facts.value)) : facts
  },
}

function factsOf(bytes: Uint8Array, name: DocumentName): Result<ImageFacts, 'UNREADABLE_FORMAT'> {
  try {
    const { width, height, type, orientation = 1 } = imageSize(bytes)
    if (!type || !(width > 0 && height > 0)) return refuse(name)
    const isTurned = orientation >= 5
    return ok({
      name,
      bytes,
      kind: type === 'jpg' ? 'jpeg' : type,
      width: isTurned ? height : width,
      height: isTurned ? width : height,
      exif: exifOf(bytes),
    })
  } catch {
    return refuse(name) // the library throws for whatever it does not know
  }
}

function refuse({ path }: DocumentName) {
  return fail(
    'UNREADABLE_FORMAT',
    `Cannot read "${path}": it is named like an image, but its first bytes are of none that is known, or it is damaged. Ask the person for another copy.`,
  )
}

function openImage(facts: ImageFacts): ReadableDocument {
  const { kind, width, height, exif } = facts
  return {
    map: () =>
      ok({
        text: describe(facts),
        fields: { kind, width, height, exif },
      }),
    read: (region: ImageRegion, { textOnly }) =>
      textOnly ? readNotes(facts) : readImage(facts, region),
    search: () => ok({ hits: [], isTruncated: false, total: 0 }),
  }
}

function describe({ name, kind, width, height, exif, bytes }: ImageFacts): string {
  const notes = Object.entries(exif).map(([note, value]) => `${note}: ${value}`)
  return [
    `${name.path}: ${kind} image, ${width} × ${height} pixels, ${bytes.length} bytes`,
    ...notes,
  ].join('\n')
}

function readNotes(facts: ImageFacts): Result<Reading> {
  const { kind, width, height, exif } = facts
  return ok({
    text: describe(facts),
    fields: { kind, width, height, exif },
    shown: 'kind and size',
    total: '1 image',
  })
}

function readImage(facts: ImageFacts, { crop: given }: ImageRegion): Result<Reading> {
  const crop = given === undefined ? WHOLE : parseCrop(given)
  if (!crop)
    return fail('INVALID_ARGUMENT', `Cannot show a part of "${facts.name.path}": ${CROP_RULE}.`)
  const { kind, width, height, exif } = facts
  const drawn = draw(facts, crop)
  const picture = typeof drawn === 'string' ? undefined : drawn
  const shown = crop === WHOLE ? 'the whole image' : 'a part of the image'
  const note = picture
    ? `${shown} as a picture of ${picture.width} × ${picture.height} pixels`
    : (drawn as string)
  return ok({
    text: `${describe(facts)}\n${note}`,
    fields: { kind, width, height, exif },
    shown: picture ? shown : 'kind and size',
    total: '1 image',
    ...(picture && { pictures: [picture] }),
  })
}

/** The picture, or a sentence that says why there is none. */
function draw(facts: ImageFacts, crop: Crop): Picture | string {
  const { kind, width, height, bytes, name } = facts
  if (width * height > MOST_PIXELS)
    return `It is not shown: ${width} × ${height} pixels are more than is unpacked. Ask the person for a smaller copy.`
  if (kind === 'heic' || kind === 'heif')
    return 'It is not shown: this kind cannot be unpacked here. Ask the person for a JPEG or PNG of it.'
  if (kind === 'gif') return drawGif(facts, crop)
  const Transformer = takeTransformer()
  if (!Transformer)
    return `It is not shown: there is no decoder for this computer. "${name.path}" can still be moved or copied.`
  try {
    const part = {
      x: Math.floor(crop.left * width),
      y: Math.floor(crop.top * height),
      width: Math.max(1, Math.round((crop.right - crop.left) * width)),
      height: Math.max(1, Math.round((crop.bottom - crop.top) * height)),
    }
    const size = fitted(part.width, part.height)
    const source = new Transformer(bytes).rotate()
    if (crop !== WHOLE) source.crop(part.x, part.y, part.width, part.height)
    if (size.width < part.width) source.resize(size.width, size.height)
    return toPicture(source, size, { mayBeClear: kind === 'png' || kind === 'webp' })
  } catch {
    return 'It is not shown: it is damaged, or of a kind that cannot be unpacked here. Ask the person for a PNG of it.'
  }
}

/** Models take it as it is; there is no decoder for it here. */
function drawGif({ bytes, width, height }: ImageFacts, crop: Crop): Picture | string {
  if (crop === WHOLE && bytes.length <= MOST_BYTES)
    return { mediaType: 'image/gif', bytes: new Uint8Array(bytes), width, height }
  return crop === WHOLE
    ? `It is not shown: ${bytes.length} bytes are more than is sent. Ask the person for a smaller PNG of it.`
    : 'A GIF is shown whole or not at all: leave out crop, or ask the person for a PNG of it.'
}
