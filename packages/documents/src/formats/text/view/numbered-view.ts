import type { TextDocument } from '../decode/text.ts'
import { cutLine } from './long-line.ts'

export interface ViewOptions {
  readonly path: string
  /** Omitted from the header when unknown, as for a file in a draft. */
  readonly version?: string
  readonly lineStart?: number
  readonly lineCount?: number
  /** The most bytes of the view without its header; a longer first line is shown in part. */
  readonly maxBytes?: number | undefined
  /** The header names all requested lines, even those that are not shown. */
  readonly tellsAll?: boolean
}

export interface NumberedView {
  /** The header and the lines as `12|text`. */
  readonly text: string
  readonly lineStart: number
  /** Lines shown. */
  readonly lineCount: number
  /** The first line after those shown, when not all requested lines fit or more exist. */
  readonly nextLine?: number
  /** The only line shown exceeds the limit; this many of its bytes are shown. */
  readonly cutAfterBytes?: number
}

/** Text as a model sees it: every line with the number that a patch uses. */
export function numberedView(doc: TextDocument, options: ViewOptions): NumberedView {
  const { lineStart = 1, maxBytes = Number.POSITIVE_INFINITY } = options
  const wanted = Math.min(doc.lineCount, lineStart + (options.lineCount ?? doc.lineCount) - 1)
  const rows: string[] = []
  let size = 0
  let cutAfterBytes: number | undefined
  for (let n = lineStart; n <= wanted; n++) {
    const isHuge = doc.endOf(n) - doc.startOf(n) > 2 * maxBytes // UTF-16 may halve
    const row = isHuge ? '' : `${n}|${doc.line(n)}`
    const rowBytes = isHuge ? Number.POSITIVE_INFINITY : Buffer.byteLength(row) + 1
    if (size + rowBytes > maxBytes) {
      if (rows.length === 0) ({ row: rows[0], cutAfterBytes } = cutRow(doc, n, maxBytes))
      break
    }
    rows.push(row)
    size += rowBytes
  }
  const last = lineStart + rows.length - 1
  const told = options.tellsAll ? wanted : last
  return {
    text: [viewHeader(doc, options, lineStart, told), ...rows].join('\n'),
    lineStart,
    lineCount: rows.length,
    ...(last < doc.lineCount && { nextLine: last + 1 }),
    ...(cutAfterBytes !== undefined && { cutAfterBytes }),
  }
}

function viewHeader(
  doc: TextDocument,
  { path, version }: ViewOptions,
  first: number,
  last: number,
) {
  const shown =
    last < first ? 'no lines' : first === last ? `line ${first}` : `lines ${first}-${last}`
  return [
    path,
    ...(version ? [`version ${version}`] : []),
    `${shown} of ${doc.lineCount}`,
    `eol ${doc.eol}`,
    `encoding ${doc.encoding}${doc.bom ? ' with BOM' : ''}`,
    ...(doc.lineCount > 0 && !doc.finalNewline ? ['no final newline'] : []),
  ].join(' · ')
}

function cutRow(doc: TextDocument, n: number, maxBytes: number) {
  const start = doc.startOf(n)
  const { text, end } = cutLine(doc, n, start, maxBytes)
  const size = doc.textEndOf(n) - start
  return {
    row: `${n}|${text}\n… line ${n} is cut here: ${end - start} of its ${size} bytes are shown`,
    cutAfterBytes: end - start,
  }
}
