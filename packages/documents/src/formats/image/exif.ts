/** What a camera or a program noted about an image. */
export type ExifNotes = Readonly<Record<string, string | number>>

const NAMES: Readonly<Record<number, string>> = {
  270: 'description',
  271: 'make',
  272: 'model',
  274: 'orientation',
  305: 'software',
  306: 'changed',
  315: 'artist',
  33432: 'copyright',
  36867: 'taken',
}
const DETAILS = 0x8769
const PLACE = 0x8825
const MOST_ENTRIES = 200
const MOST_CHARACTERS = 200
const SEARCHED_BYTES = 256 * 1024

/** Empty where there are none; broken notes are left out. */
export function exifOf(bytes: Uint8Array): ExifNotes {
  const start = findNotes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (start === undefined) return {}
  const notes = bytes.subarray(start)
  const view = new DataView(notes.buffer, notes.byteOffset, notes.length)
  try {
    return readNotes(view)
  } catch (error) {
    if (error instanceof RangeError) return {} // beyond the end of the file
    throw error
  }
}

/** Where the directory of notes begins: a TIFF of its own, in a chunk or a segment of the image. */
function findNotes(file: Buffer): number | undefined {
  if (isDirectory(file, 0)) return 0
  const head = file.subarray(0, SEARCHED_BYTES)
  for (const [mark, skipped] of [
    ['Exif\0\0', 6],
    ['eXIf', 4],
    ['EXIF', 8],
  ] as const) {
    const at = head.indexOf(mark, 0, 'latin1')
    if (at >= 0 && isDirectory(file, at + skipped)) return at + skipped
  }
  return undefined
}

function isDirectory(file: Buffer, at: number): boolean {
  const mark = file.toString('latin1', at, at + 4)
  return mark === 'II*\0' || mark === 'MM\0*'
}

function readNotes(view: DataView): ExifNotes {
  const isLittle = view.getUint16(0) === 0x4949
  const first = entriesAt(view, view.getUint32(4, isLittle), isLittle)
  const details = first.get(DETAILS)
  const place = first.get(PLACE)
  const all = new Map([
    ...first,
    ...(typeof details === 'number' ? entriesAt(view, details, isLittle) : []),
  ])
  const notes: Record<string, string | number> = {}
  for (const [tag, value] of all)
    if (NAMES[tag] && value !== '' && !Array.isArray(value)) notes[NAMES[tag]] = value as string
  const where = typeof place === 'number' ? placeOf(entriesAt(view, place, isLittle)) : undefined
  return where === undefined ? notes : { ...notes, place: where }
}

type Value = string | number | readonly number[]

function entriesAt(view: DataView, at: number, isLittle: boolean): Map<number, Value> {
  const count = Math.min(view.getUint16(at, isLittle), MOST_ENTRIES)
  const entries = new Map<number, Value>()
  for (let index = 0; index < count; index++) {
    const entry = at + 2 + 12 * index
    const value = valueAt(view, entry, isLittle)
    if (value !== undefined) entries.set(view.getUint16(entry, isLittle), value)
  }
  return entries
}

const TEXT = 2
const SHORT = 3
const LONG = 4
const RATIONAL = 5

function valueAt(view: DataView, entry: number, isLittle: boolean): Value | undefined {
  const type = view.getUint16(entry + 2, isLittle)
  const count = view.getUint32(entry + 4, isLittle)
  const elsewhere = view.getUint32(entry + 8, isLittle)
  if (type === SHORT) return view.getUint16(entry + 8, isLittle)
  if (type === LONG) return elsewhere
  if (type === TEXT) return textAt(view, count <= 4 ? entry + 8 : elsewhere, count)
  if (type !== RATIONAL || count > 4) return undefined
  return Array.from({ length: count }, (_, index) => {
    const at = elsewhere + 8 * index
    return view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle)
  })
}

function textAt(view: DataView, at: number, count: number): string {
  const length = Math.min(count, MOST_CHARACTERS, view.byteLength - at)
  if (length <= 0) return ''
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length)
  const text = new TextDecoder().decode(bytes).split('\0')[0]!
  return text.replace(/\p{Cc}/gu, ' ').trim()
}

/** Degrees, minutes and seconds as one number with its hemisphere. */
function placeOf(entries: ReadonlyMap<number, Value>): string | undefined {
  const side = (at: number, sign: number) => {
    const parts = entries.get(at)
    if (!Array.isArray(parts) || parts.length !== 3) return undefined
    const degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
    return Number.isFinite(degrees)
      ? `${degrees.toFixed(5)}° ${entries.get(sign) ?? ''}`
      : undefined
  }
  const [north, east] = [side(2, 1), side(4, 3)]
  return north && east ? `${north}, ${east}` : undefined
}
