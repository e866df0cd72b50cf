import { counted, fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { ReadOptions } from '../../../format.ts'
import { formOf } from '../decode/form-of.ts'
import type { TextDocument } from '../decode/text.ts'

/** The rest of a line longer than one read, starting at a byte of it. */
export function readOn(
  doc: TextDocument,
  path: string,
  place: { readonly line: number; readonly byteStart: number },
  { maxBytes, version }: ReadOptions,
): Result<Reading, 'INVALID_ARGUMENT' | 'NO_SUCH_REGION'> {
  const { line, byteStart } = place
  const lineStart = doc.startOf(line)
  const size = doc.textEndOf(line) - lineStart
  if (byteStart < 0)
    return fail('INVALID_ARGUMENT', `Cannot read "${path}" from byte ${byteStart} of a line.`)
  if (byteStart >= size)
    return fail(
      'NO_SUCH_REGION',
      `Cannot read "${path}" from byte ${byteStart} of line ${line}: the line has ${counted(size, 'byte')}.`,
      { details: { lineBytes: size } },
    )
  const start = doc.characterBorder(lineStart, lineStart + byteStart)
  const cut = cutLine(doc, line, start, maxBytes)
  const isWhole = cut.end === doc.textEndOf(line)
  const next = isWhole
    ? line < doc.lineCount && { line_start: line + 1 }
    : { line_start: line, byte_start: cut.end - lineStart }
  const shown = `bytes ${start - lineStart}-${cut.end - lineStart} of line ${line}`
  const header = [path, ...(version ? [`version ${version}`] : []), `${shown} of ${doc.lineCount}`]
  return ok({
    text: `${header.join(' · ')}\n${line}|…${cut.text}${next ? `\n… ${hintAt(next)}` : ''}`,
    fields: {
      content: isWhole ? doc.codec.decode(doc.bytes.subarray(start, doc.endOf(line))) : cut.text,
      lineStart: line,
      lineCount: 1,
      byteStart: start - lineStart,
      lineBytes: size,
      ...formOf(doc),
      isTruncated: true,
    },
    shown,
    total: doc.lineCount === 1 ? '1 line' : `${doc.lineCount} lines`,
    ...(next && { next }),
  })
}

export function hintAt(next: {
  readonly line_start: number
  readonly byte_start?: number
}): string {
  const inLine = next.byte_start === undefined ? '' : `, byte_start ${next.byte_start}`
  return `continue with line_start ${next.line_start}${inLine}`
}

/** As much of the line as fits, cut between characters. */
export function cutLine(
  doc: TextDocument,
  line: number,
  start: number,
  maxBytes = Number.POSITIVE_INFINITY,
): { readonly text: string; readonly end: number } {
  // The bound is in UTF-8; a legacy byte may take three there, and cutting shorter is always allowed.
  let end = doc.characterBorder(start, Math.min(doc.textEndOf(line), start + maxBytes))
  const shown = () => doc.codec.decode(doc.bytes.subarray(start, end))
  while (Buffer.byteLength(shown()) > maxBytes && end > start)
    end = doc.characterBorder(start, start + Math.floor((end - start) / 2))
  return { text: shown(), end }
}
