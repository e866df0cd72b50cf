import { fail, ok, type Reading, type Result } from '@filewright/protocol'
import { imageSize } from 'image-size'
import type { DocumentName, FileMap, ReadableDocument, ReadableFormat } from '../../format.ts'
import { CROP_RULE, type Crop, fitted, parseCrop, toPicture } from '../../pictures/picture.ts'
import { startPictures, takeTransformer } from '../../pictures/transformer.ts'
import { decodeText, textFormat } from '../text/index.ts'
import type { TextRegion } from '../text/view/declared.ts'
import { toHarmless } from './harmless.ts'

type SvgRegion = TextRegion & { readonly crop?: readonly number[] }

const MOST_BYTES = 5_000_000 // that are drawn
const MOST_UNITS = 20_000 // of a side

/** Nobody gets the file itself to show it: what is seen was drawn here, from a copy that reaches nothing else. */
const svgFormat: ReadableFormat = {
  open(bytes, name) {
    const lines = textFormat.open(bytes, name)
    if (!lines.ok) return lines
    return ok({
      map: () => mapDrawing(lines.value, bytes),
      read: ({ crop, ...region }: SvgRegion, options) =>
        crop === undefined ? lines.value.read(region, options) : showPart(bytes, name, crop),
      search: query => lines.value.search(query),
    } satisfies ReadableDocument)
  },
}

export async function startSvg(): Promise<ReadableFormat> {
  await startPictures()
  return svgFormat
}

function mapDrawing(lines: ReadableDocument, bytes: Uint8Array): Result<FileMap> {
  const map = lines.map()
  const size = sizeOf(bytes)
  if (!map.ok || !size) return map
  return ok({
    ...map.value,
    text: `${map.value.text}\nsvg drawing, ${size.width} × ${size.height}; read it with crop [0, 0, 1, 1] to see it`,
    fields: { ...map.value.fields, kind: 'svg', ...size },
  })
}

function sizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  try {
    const { width, height, type } = imageSize(bytes)
    return type === 'svg' && width > 0 && height > 0 ? { width, height } : undefined
  } catch {
    return undefined // no size is declared
  }
}

function showPart(
  bytes: Uint8Array,
  { path }: DocumentName,
  given: readonly number[],
): Result<Reading> {
  const crop = parseCrop(given)
  if (!crop) return fail('INVALID_ARGUMENT', `Cannot show a part of "${path}": ${CROP_RULE}.`)
  const picture = draw(bytes, crop)
  const note = picture
    ? `drawn as a picture of ${picture.width} × ${picture.height} pixels`
    : 'It cannot be drawn here; read its lines without crop.'
  return ok({
    text: `${path}: svg drawing, ${note}`,
    fields: { kind: 'svg' },
    shown: picture ? 'the drawing' : 'nothing',
    total: '1 drawing',
    ...(picture && { pictures: [picture] }),
  })
}

function draw(bytes: Uint8Array, crop: Crop) {
  const Transformer = takeTransformer()
  const size = sizeOf(bytes)
  if (!Transformer || !size || bytes.length > MOST_BYTES) return undefined
  if (size.width > MOST_UNITS || size.height > MOST_UNITS) return undefined
  const harmless = toHarmless(decodeText(bytes).slice().content)
  if (harmless === undefined) return undefined
  try {
    const source = Transformer.fromSvg(harmless, 'white')
    const { width, height } = source.metadataSync()
    const part = {
      width: Math.max(1, Math.round((crop.right - crop.left) * width)),
      height: Math.max(1, Math.round((crop.bottom - crop.top) * height)),
    }
    const fits = fitted(part.width, part.height)
    const whole = part.width === width && part.height === height
    if (!whole)
      source.crop(
        Math.floor(crop.left * width),
        Math.floor(crop.top * height),
        part.width,
        part.height,
      )
    if (fits.width < part.width) source.resize(fits.width, fits.height)
    return toPicture(source, fits)
  } catch {
    return undefined // not well-formed, or more than the library draws
  }
}
