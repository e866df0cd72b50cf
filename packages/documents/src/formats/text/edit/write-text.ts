import { counted, fail, type LoggedOperation, ok } from '@filewright/protocol'
import { z } from 'zod'
import type { DocumentName } from '../../../format.ts'
import { NUL_IS_BINARY } from '../decode/binary.ts'
import { asBuffer } from '../decode/codec.ts'
import { decodeTextAs, type TextDocument } from '../decode/text.ts'
import { diffDocuments } from '../diff/document-diff.ts'
import type { ShownChange } from '../write/history.ts'
import { type OperationRunner, refuseShape } from './operation.ts'
import { showLines, showProperty } from './shown-change.ts'

const writeTextSchema = z.object({
  op: z.literal('write_text'),
  content: z.string(),
  eol: z.enum(['lf', 'crlf']).optional(),
})

/** Atomic. UTF-8 without BOM; the line ends are LF, or those of the CRLF file it replaces. */
export const writeText: OperationRunner = (history, logged, name) => {
  const parsed = writeTextSchema.safeParse(logged.operation)
  if (!parsed.success) return refuseShape('write_text {content, eol?}', parsed.error)
  const before = history.current
  const { content, eol } = parsed.data
  const warnings: string[] = []
  const keepsCrlf = eol === undefined && before.eol === 'crlf'
  if (keepsCrlf && content.includes('\n'))
    warnings.push('The file had CRLF line ends and keeps them; pass eol: "lf" to write \\n.')
  if (before.lineCount > 0 && before.encoding !== 'utf-8')
    warnings.push(`The file was ${before.encoding} and is UTF-8 now.`)
  else if (before.bom) warnings.push('The file had a byte order mark and has none now.')
  if (content.includes('\0'))
    return fail('INVALID_ARGUMENT', `Nothing was written: the content ${NUL_IS_BINARY}.`)
  const bytes = toUtf8(content, eol ?? (keepsCrlf ? 'crlf' : 'lf'))
  if (!bytes)
    return fail(
      'INVALID_ARGUMENT',
      'Nothing was written: the content contains a lone surrogate, which no file encoding can represent. Send whole characters.',
    )
  const after = decodeTextAs(bytes, { label: 'utf-8', bomLength: 0 })
  const result = {
    op: 'write_text',
    message: `Wrote ${counted(after.lineCount, 'line')} (${counted(after.sizeBytes, 'byte')}).`,
    lineCount: after.lineCount,
  }
  if (asBuffer(bytes).equals(before.bytes))
    return ok({
      history,
      result: { ...result, message: 'The file already has this content.' },
      warnings,
    })
  const shown = showWriting(before, after, logged, name)
  return ok({
    history: history.withText(after, shown, { keepsEol: eol === undefined }),
    result,
    warnings,
  })
}

const encoder = new TextEncoder()

/** Without a BOM, with one kind of line end; null for text that is not valid Unicode. */
function toUtf8(content: string, eol: 'lf' | 'crlf'): Uint8Array | null {
  if (/\p{Surrogate}/u.test(content)) return null
  const text = content.replace(/^\ufeff+/, '')
  const unified = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text // a lone CR too (TUL-004 §5.1)
  return encoder.encode(eol === 'crlf' ? unified.replaceAll('\n', '\r\n') : unified)
}

function showWriting(
  before: TextDocument,
  after: TextDocument,
  logged: LoggedOperation,
  name: DocumentName,
): ShownChange[] {
  const hunks = diffDocuments(before, after, { lineEnds: false })
  const shown = hunks.map(({ aStart, aEnd, bStart, bEnd }, i) =>
    showLines(name, logged, {
      key: `text ${i}`,
      before:
        aEnd > aStart ? { firstLine: aStart + 1, lines: before.lines(aStart + 1, aEnd) } : null,
      after: bEnd > bStart ? { firstLine: bStart + 1, lines: after.lines(bStart + 1, bEnd) } : null,
      atomic: true,
    }),
  )
  const [was, is] = [describeForm(before), describeForm(after)]
  if (was !== is && (before.lineCount > 0 || shown.length === 0))
    shown.push(
      showProperty(name, logged, {
        place: 'file form',
        before: was,
        after: is,
        atomic: true,
      }),
    )
  return shown
}

function describeForm(doc: TextDocument): string {
  return [
    doc.encoding,
    ...(doc.bom ? ['BOM'] : []),
    `eol ${doc.eol}`,
    ...(doc.finalNewline ? [] : ['no final newline']),
  ].join(', ')
}
