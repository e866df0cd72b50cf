import { counted } from '@filewright/protocol'
import type { DocumentName, FileMap } from '../../../format.ts'
import type { TextDocument } from '../decode/text.ts'

/** Bytes that one read may take; `chunks` are cut accordingly. */
const CHUNK_BYTES = 40 * 1024
const MAX_CHUNKS = 100
const MAX_HEADINGS = 200

/** The shape of text without its content: its length, the parts it can be read in, its headings. */
export function mapText(doc: TextDocument, name: DocumentName): FileMap {
  const chunks = chunksOf(doc)
  const headings = /\.(md|markdown|mdx)$/.test(name.docPath) ? headingsOf(doc) : []
  const fields = {
    kind: 'text',
    lineCount: doc.lineCount,
    sizeBytes: doc.sizeBytes,
    encoding: doc.encoding,
    bom: doc.bom,
    eol: doc.eol,
    finalNewline: doc.finalNewline,
    longestLineBytes: doc.longestLineBytes,
    ...(chunks.length > 1 && { chunks }),
    ...(headings.length > 0 && { headings }),
  }
  return { text: describe(doc, name, { chunks, headings }), fields }
}

interface Chunk {
  readonly line_start: number
  readonly line_count: number
}
interface Heading {
  readonly line: number
  readonly level: number
  readonly title: string
}

interface Parts {
  readonly chunks: readonly Chunk[]
  readonly headings: readonly Heading[]
}

/** Runs of lines that fit one read; the first hundred of a longer file. */
function chunksOf(doc: TextDocument): Chunk[] {
  const chunks: Chunk[] = []
  let first = 1
  while (first <= doc.lineCount && chunks.length < MAX_CHUNKS) {
    const limit = doc.startOf(first) + CHUNK_BYTES
    const last = limit >= doc.sizeBytes ? doc.lineCount : Math.max(first, doc.lineAt(limit) - 1)
    chunks.push({ line_start: first, line_count: last - first + 1 })
    first = last + 1
  }
  return chunks
}

/** `#` headings outside fenced code. */
function headingsOf(doc: TextDocument): Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  for (let n = 1; n <= doc.lineCount && headings.length < MAX_HEADINGS; n++) {
    const line = doc.line(n)
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    const heading = fence === undefined ? /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line) : null
    if (heading) headings.push({ line: n, level: heading[1]!.length, title: heading[2]! })
  }
  return headings
}

function describe(doc: TextDocument, name: DocumentName, { chunks, headings }: Parts) {
  const rows = [
    `${name.path}: text, ${counted(doc.lineCount, 'line')}, ${counted(doc.sizeBytes, 'byte')}, ${doc.encoding}${doc.bom ? ' with BOM' : ''}, eol ${doc.eol}${doc.lineCount > 0 && !doc.finalNewline ? ', no final newline' : ''}, longest line ${counted(doc.longestLineBytes, 'byte')}`,
    ...headings.map(({ line, level, title }) => `${line}|${'#'.repeat(level)} ${title}`),
  ]
  if (chunks.length > 1) {
    const starts = chunks.map(({ line_start }) => line_start).join(', ')
    rows.push(
      `Read it in parts with line_start and line_count; parts of about 40 KB begin at lines ${starts}${chunks.length === MAX_CHUNKS ? ' …' : ''}`,
    )
  }
  return rows.join('\n')
}
