import { counted, fail, LIMITS, ok, type Result } from '@filewright/protocol'
import type { EolSummary } from '../decode/lines.ts'
import type { TextDocument, TextSlice } from '../decode/text.ts'
import { numberedView } from './numbered-view.ts'

export interface AskedText {
  readonly path: string
  readonly version: string
  readonly lineStart: number
  readonly lineCount?: number
  /** Of content, cut between characters; without it, or if it is more, LIMITS.readBytes, cut between lines. */
  readonly maxBytes?: number
}

/** A part of a text, verbatim and as a model sees it, and the facts about the whole. */
export interface ReadPart {
  readonly content: string
  /** Of the content, in bytes of the file. */
  readonly shownBytes: number
  readonly isTruncated: boolean
  readonly lineStart: number
  /** Of the whole text. */
  readonly lineCount: number
  /** Where to read on, if the content ends before what was asked for. */
  readonly nextLineStart?: number
  /** The content ends within a line, after this many of its bytes: the line is longer than the limit. */
  readonly cutAfterBytes?: number
  readonly eol: EolSummary
  readonly bom: boolean
  readonly encoding: string
  /** Numbered lines; not more than a model can be shown in a few pieces. */
  readonly text: string
  /** The beginning of the text, made without the rest; only in the process that reads. */
  readonly brief?: (characters: number) => string
}

/** More than a model is shown of one result, in pieces too: numbering 10 MB for nobody takes a second. */
const VIEW_BYTES = 1024 * 1024

export function readPart(doc: TextDocument, asked: AskedText): Result<ReadPart, 'NO_SUCH_REGION'> {
  const { path, lineStart } = asked
  if (lineStart > Math.max(1, doc.lineCount))
    return fail(
      'NO_SUCH_REGION',
      `Cannot read line ${lineStart} of '${path}': it has ${counted(doc.lineCount, 'line')}. Ask for one of them, or omit lineStart to read from the first.`,
      { details: { lineCount: doc.lineCount } },
    )
  const slice = sliceOf(doc, asked)
  const { lineCount, eol, bom, encoding } = doc
  const next = lineStart + slice.lineCount
  return ok({
    content: slice.content,
    shownBytes: slice.sizeBytes,
    isTruncated: slice.isTruncated || slice.sizeBytes < doc.sizeBytes - doc.bomLength,
    lineStart,
    lineCount,
    ...(slice.isTruncated && next <= lineCount && { nextLineStart: next }),
    ...(slice.cutAfterBytes !== undefined && { cutAfterBytes: slice.cutAfterBytes }),
    eol,
    bom,
    encoding,
    get text() {
      return viewOf(doc, asked, slice)
    },
    brief: characters => briefOf(doc, asked, slice, characters),
  })
}

/** Our own limit cuts between lines, so that the next part begins where this one ends; a longer line is cut. */
function sliceOf(doc: TextDocument, { lineStart, lineCount, maxBytes }: AskedText): TextSlice {
  if (maxBytes !== undefined && maxBytes <= LIMITS.readBytes)
    return doc.slice(lineStart, lineCount, maxBytes)
  const slice = doc.slice(lineStart, lineCount, LIMITS.readBytes)
  if (slice.cutAfterBytes === undefined || slice.lineCount < 2) return slice
  const { cutAfterBytes: _, ...whole } = doc.slice(lineStart, slice.lineCount - 1)
  return { ...whole, isTruncated: true }
}

function viewOf(doc: TextDocument, { maxBytes, ...asked }: AskedText, slice: TextSlice): string {
  const { lineCount } = slice
  const bound = maxBytes === undefined ? Number.POSITIVE_INFINITY : boundOf(maxBytes, slice)
  const view = numberedView(doc, { ...asked, lineCount, maxBytes: Math.min(bound, VIEW_BYTES) })
  const isCutHere = bound > VIEW_BYTES && (view.lineCount < lineCount || slice.isTruncated)
  if (!isCutHere) return view.text
  const next = asked.lineStart + view.lineCount
  return `${view.text}\n… more follows${next <= doc.lineCount ? `; lineStart: ${next}` : ''}`
}

/** The numbers come on top of the bytes asked for. */
function boundOf(maxBytes: number, { lineCount }: TextSlice): number {
  return maxBytes + lineCount * 8
}

const briefs = new WeakMap<TextDocument, { readonly key: string; readonly text: string }>()

/** Text that is read again is described as before. */
function briefOf(
  doc: TextDocument,
  { maxBytes, ...asked }: AskedText,
  slice: TextSlice,
  characters: number,
): string {
  const { lineCount, sizeBytes } = slice
  const bound = maxBytes === undefined ? characters : boundOf(maxBytes, slice)
  const most = Math.min(bound, characters)
  const key = `${asked.lineStart} ${sizeBytes} ${most} ${asked.path}`
  const known = briefs.get(doc)
  if (known?.key === key) return known.text
  const view = numberedView(doc, { ...asked, lineCount, maxBytes: most, tellsAll: true })
  const isAll = view.lineCount === lineCount
  const text = isAll ? view.text : `${view.text}\n… ${sizeBytes} bytes in all; the caller has them`
  briefs.set(doc, { key, text })
  return text
}
