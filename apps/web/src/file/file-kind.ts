import { endingOf } from '../preview/preview-of.ts'

/** What a file is to a person, and what can be done with it here. */
export interface FileKind {
  readonly look: 'text' | 'table' | 'document' | 'slides' | 'picture' | 'pages' | 'other'
  readonly words: string
  /** Unknown: its bytes decide. */
  readonly access: 'edit' | 'read' | 'none' | 'unknown'
}

const KINDS: readonly (readonly [FileKind['look'], string, FileKind['access'], string])[] = [
  ['table', 'workbook', 'edit', 'xlsx xlsm xltx xltm'],
  ['table', 'table', 'edit', 'csv tsv tab'],
  ['table', 'older workbook', 'read', 'xls xlt xlsb ods ots'],
  ['document', 'Word document', 'edit', 'docx docm dotx dotm'],
  ['document', 'document of another program', 'read', 'doc dot odt ott rtf'],
  ['slides', 'presentation', 'edit', 'pptx pptm potx potm ppsx ppsm'],
  ['pages', 'PDF', 'read', 'pdf'],
  ['picture', 'picture', 'read', 'png jpg jpeg gif webp bmp tif tiff heic heif avif ico'],
  ['picture', 'drawing', 'edit', 'svg'],
  ['text', 'text', 'edit', 'md markdown txt log json yaml yml toml ini xml html htm css'],
  ['text', 'code', 'edit', 'ts tsx js jsx mjs cjs py rb rs go java kt c h cpp cs php sh sql'],
  ['other', 'archive', 'none', 'zip gz tar 7z rar'],
]

const BY_ENDING: ReadonlyMap<string, FileKind> = new Map(
  KINDS.flatMap(([look, words, access, endings]) =>
    endings.split(' ').map((ending): [string, FileKind] => [ending, { look, words, access }]),
  ),
)

const OTHER: FileKind = { look: 'text', words: 'file', access: 'unknown' }

/** By its name, because nothing is opened; test/file-kinds.test.ts compares it with the formats. */
export function fileKind(path: string): FileKind {
  return BY_ENDING.get(endingOf(path)) ?? OTHER
}

const ACCESS: Readonly<Record<FileKind['access'], string>> = {
  edit: ', can be edited',
  read: ', can be read',
  none: ', cannot be read here',
  unknown: '',
}

/** "Word document, can be edited" */
export function describeKind(path: string): string {
  const { words, access } = fileKind(path)
  return words + ACCESS[access]
}
