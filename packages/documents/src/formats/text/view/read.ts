import { counted, fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { DocumentName, ReadOptions } from '../../../format.ts'
import { formOf } from '../decode/form-of.ts'
import type { TextDocument } from '../decode/text.ts'
import { describeLines } from '../patch/line-changes.ts'
import { SELECTORS, type TextRegion } from './declared.ts'
import { hintAt, readOn } from './long-line.ts'
import { type NumberedView, numberedView } from './numbered-view.ts'

/** A range of lines, as many as fit, with the part it is, the total, and the arguments for the next part. */
export function readText(
  doc: TextDocument,
  region: TextRegion,
  { path }: DocumentName,
  options: ReadOptions,
): Result<Reading, 'INVALID_ARGUMENT' | 'NO_SUCH_REGION'> {
  const foreign = Object.entries(region).filter(
    ([selector, value]) => value !== undefined && !Object.hasOwn(SELECTORS, selector),
  )
  if (foreign.length > 0)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read "${path}" by ${foreign.map(([selector]) => selector).join(', ')}: it is a text file. Use line_start and line_count.`,
    )
  const { line_start: lineStart = 1, line_count: lineCount } = region
  if (lineStart < 1)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read "${path}" from line ${lineStart}: lines are counted from 1.`,
    )
  if (lineCount !== undefined && lineCount < 1)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot read ${lineCount} lines of "${path}": line_count must be 1 or more.`,
    )
  if (
    lineStart > Math.max(1, doc.lineCount) ||
    (doc.lineCount === 0 && region.line_start !== undefined)
  )
    return fail(
      'NO_SUCH_REGION',
      `Cannot read "${path}" from line ${lineStart}: ${doc.lineCount === 0 ? 'it has no lines' : `its last line is ${doc.lineCount}`}.`,
      {
        details: { lastLine: doc.lineCount },
      },
    )
  const { byte_start: byteStart = 0 } = region
  if (byteStart !== 0) return readOn(doc, path, { line: lineStart, byteStart }, options)
  return ok(toReading(doc, path, { lineStart, lineCount, ...options }))
}

function toReading(
  doc: TextDocument,
  path: string,
  options: ReadOptions & { lineStart: number; lineCount?: number | undefined },
): Reading {
  const { lineStart, lineCount, maxBytes, version } = options
  const view = numberedView(doc, {
    path,
    ...(version && { version }),
    lineStart,
    maxBytes,
    ...(lineCount !== undefined && { lineCount }),
  })
  const last = lineStart + view.lineCount - 1
  const next = nextOf(lineStart, view)
  const hint = next ? `\n… ${hintAt(next)}` : ''
  const shown = view.lineCount === 0 ? 'no lines' : describeLines(lineStart, last)
  const slice = doc.slice(lineStart, view.lineCount, view.cutAfterBytes)
  return {
    text: `${view.text}${hint}`,
    fields: {
      content: slice.content,
      lineStart,
      lineCount: view.lineCount,
      ...formOf(doc),
      isTruncated: view.lineCount < doc.lineCount || view.cutAfterBytes !== undefined,
    },
    shown:
      view.cutAfterBytes === undefined
        ? shown
        : `the first ${counted(view.cutAfterBytes, 'byte')} of line ${lineStart}`,
    total: counted(doc.lineCount, 'line'),
    ...(next && { next }),
  }
}

/** The rest of a line too long for one read precedes the lines after it. */
function nextOf(lineStart: number, { cutAfterBytes, nextLine }: NumberedView) {
  if (cutAfterBytes !== undefined) return { line_start: lineStart, byte_start: cutAfterBytes }
  return nextLine === undefined ? undefined : { line_start: nextLine }
}
