import type { TextDocument } from './text.ts'

/** What is told of the whole text with each reading of a part. */
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
