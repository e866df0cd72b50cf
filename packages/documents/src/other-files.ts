import type { DocPath } from '@filewright/protocol'
import { formatByName } from './known-formats.ts'

/** Kinds of files that no format reads. A new format takes over by claiming their endings. */
export interface OtherKind {
  readonly endings: readonly string[]
  /** Such a file, with its article. */
  readonly label: string
  /** The ending to ask the person for, which can be read. */
  readonly saveAs?: string
  /** Whatever the bytes are, they are not read or written as text. */
  readonly isNeverText?: true
}

const OTHERS: readonly OtherKind[] = [
  {
    endings: ['.ppt', '.pps', '.pot', '.odp'],
    label: 'a presentation',
    saveAs: '.pptx',
    isNeverText: true,
  },
  {
    endings: ['.fods'],
    label: 'an OpenDocument spreadsheet',
    saveAs: '.xlsx',
    isNeverText: true,
  },
  {
    endings: ['.zip', '.gz', '.tgz', '.bz2', '.xz', '.zst', '.7z', '.rar', '.tar', '.jar'],
    label: 'an archive',
  },
  {
    endings: ['.mp3', '.m4a', '.wav', '.flac', '.ogg', '.mp4', '.mov', '.avi', '.mkv', '.webm'],
    label: 'a recording',
  },
  { endings: ['.ttf', '.otf', '.woff', '.woff2'], label: 'a font' },
  {
    endings: ['.exe', '.dll', '.msi', '.dylib', '.class', '.pyc', '.wasm', '.node'],
    label: 'a program',
  },
]

const byEnding = new Map(OTHERS.flatMap(kind => kind.endings.map(ending => [ending, kind])))

/** A well-known name that no format claims. */
export function otherByName(docPath: DocPath): OtherKind | undefined {
  const dot = docPath.lastIndexOf('.')
  return dot < 0 || formatByName(docPath) ? undefined : byEnding.get(docPath.slice(dot))
}
