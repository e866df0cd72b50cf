import { toBytes } from '@filewright/protocol'
import { applyToDocument } from './apply-file-patch.ts'
import { diffDocuments } from './document-diff.ts'
import type { LineChange, LinePatch } from './line-changes.ts'
import { decodeText, decodeTextAs } from './text.ts'

/**
 * The line patch that makes one text of the other, byte for byte; undefined where whole lines cannot say it, as when
 * single line ends change.
 */
export function patchBetween(before: Uint8Array, after: Uint8Array): LinePatch | undefined {
  const old = decodeText(before)
  const now = decodeTextAs(after, { label: old.encoding, bomLength: decodeText(after).bomLength })
  const changes = diffDocuments(old, now, { lineEnds: false }).map(
    ({ aStart, aEnd, bStart, bEnd }): LineChange => {
      const newLines = now.lines(bStart + 1, bEnd)
      if (aStart === aEnd) return { operation: 'insert', afterLine: aStart, newLines }
      const range = {
        startLine: aStart + 1,
        endLine: aEnd,
        expectedOriginalLines: old.lines(aStart + 1, aEnd),
      }
      if (newLines.length === 0) return { operation: 'delete', ...range }
      return { operation: 'replace', ...range, newLines }
    },
  )
  const patch: LinePatch = {
    changes,
    ...(old.finalNewline !== now.finalNewline && { finalNewline: now.finalNewline }),
    ...(old.eol !== now.eol && (now.eol === 'lf' || now.eol === 'crlf') && { eol: now.eol }),
    ...(old.bom !== now.bom && { bom: now.bom }),
  }
  const applied = applyToDocument(old, patch)
  if (!applied.ok) return undefined
  return Buffer.from(toBytes(applied.value.content, before)).equals(after) ? patch : undefined
}
