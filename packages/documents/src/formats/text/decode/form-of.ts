import type { TextDocument } from './text.ts'

/** Facts about the whole text that accompany each partial read. */
export function formOf(doc: TextDocument) {
  return {
    totalLines: doc.lineCount,
    sizeBytes: doc.sizeBytes,
    eol: doc.eol,
    encoding: doc.encoding,
    bom: doc.bom,
    finalNewline: doc.finalNewline,
  }
}
