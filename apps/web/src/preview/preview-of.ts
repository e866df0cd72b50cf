/** How a file is shown: by its name, as a person would open it. */
export type PreviewKind =
  | 'markdown'
  | 'text'
  | 'table'
  | 'sheet'
  | 'image'
  | 'pages'
  | 'document'
  | 'slides'
  | 'none'

const ENDINGS: readonly (readonly [PreviewKind, string])[] = [
  ['markdown', 'md markdown'],
  ['table', 'csv tsv'],
  ['sheet', 'xlsx xlsm'],
  ['image', 'png jpg jpeg gif webp bmp avif ico svg'],
  ['pages', 'pdf'],
  ['document', 'docx docm'],
  ['slides', 'pptx pptm'],
]

const BY_ENDING: ReadonlyMap<string, PreviewKind> = new Map(
  ENDINGS.flatMap(([kind, endings]) =>
    endings.split(' ').map((ending): [string, PreviewKind] => [ending, kind]),
  ),
)

/** The types of pictures that are not called like their ending. */
const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['jpg', 'jpeg'],
  ['ico', 'x-icon'],
  ['svg', 'svg+xml'],
])

export function imageType(path: string): string {
  const ending = endingOf(path)
  return `image/${IMAGE_TYPES.get(ending) ?? ending}`
}

export function endingOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}

/** A file without a known ending is text unless its first bytes say otherwise. */
export function previewOf(path: string, bytes: Uint8Array): PreviewKind {
  const known = BY_ENDING.get(endingOf(path))
  if (known) return known
  return bytes.subarray(0, 8000).includes(0) ? 'none' : 'text'
}
