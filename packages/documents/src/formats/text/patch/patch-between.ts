import { toBytes } from '@filewright/protocol'
import { asBuffer } from '../decode/codec.ts'
import { findEncoding } from '../decode/encoding.ts'
import { decodeText, decodeTextAs, type TextDocument } from '../decode/text.ts'
import { diffDocuments } from '../diff/document-diff.ts'
import type { Hunk } from '../diff/line-diff.ts'
import { applyToDocument } from './apply-file-patch.ts'
import type { LineChange, LinePatch } from './line-changes.ts'

/**
 * The line changes that turn one content into another, or undefined where lines cannot express it: another encoding, or
 * other line ends on some lines only. The returned patch was applied and gave exactly `after`.
 */
export function patchBetween(before: Uint8Array, after: Uint8Array): LinePatch | undefined {
  const old = decodeText(before)
  // detected again, the encoding may differ without a changed byte: the last character beyond ASCII is gone
  const now = decodeTextAs(after, { label: old.encoding, bomLength: findEncoding(after).bomLength })
  const isEqual = (patch: LinePatch) => {
    const applied = applyToDocument(old, patch)
    return applied.ok && asBuffer(toBytes(applied.value.content, before)).equals(after)
  }
  const changes = diffDocuments(old, now, { lineEnds: false }).map(hunk => toChange(hunk, old, now))
  const patch: LinePatch = {
    changes,
    ...(now.bom !== old.bom && { bom: now.bom }),
    ...(now.lineCount > 0 &&
      now.finalNewline !== old.finalNewline && { finalNewline: now.finalNewline }),
  }
  if (isEqual(patch)) return patch
  if (now.eol !== 'lf' && now.eol !== 'crlf') return undefined
  const unified = { ...patch, eol: now.eol }
  return isEqual(unified) ? unified : undefined
}

function toChange(
  { aStart, aEnd, bStart, bEnd }: Hunk,
  old: TextDocument,
  now: TextDocument,
): LineChange {
  const newLines = now.lines(bStart + 1, bEnd)
  if (aStart === aEnd) return { operation: 'insert', afterLine: aStart, newLines }
  const range = {
    startLine: aStart + 1,
    endLine: aEnd,
    expectedOriginalLines: old.lines(aStart + 1, aEnd),
  }
  return newLines.length === 0
    ? { operation: 'delete', ...range }
    : { operation: 'replace', ...range, newLines }
}
