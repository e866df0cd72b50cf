import { type FormatId, formatFor, otherByName } from '@filewright/documents'
import { isBinary } from '@filewright/documents/text'
import type { DocPath } from '@filewright/protocol'

export interface Recognised {
  readonly format?: FormatId
  /** "a Word document", for messages. */
  readonly label: string
  /** The alternative to offer. */
  readonly instead: string
}

const ARRANGE = 'It can be copied, moved or deleted with file_operations.'

/** Files that no format reads. */
export const BINARY: Recognised = { label: 'a binary file', instead: ARRANGE }

/** What a file is, by its name and its bytes. */
export function recognise(docPath: DocPath, bytes: Uint8Array): Recognised {
  const exported = docPath.endsWith('.xls') ? recogniseExport(bytes) : undefined
  if (exported) return exported
  const other = recogniseByName(docPath)
  if (other) return other
  const format = formatFor(docPath, bytes)
  if (format) return { format: format.id, label: format.words.file, instead: '' }
  const named = otherByName(docPath)
  return named ? { ...BINARY, label: named.label } : BINARY
}

/** A well-known name that no format claims yet; text must never be written to it. */
export function recogniseByName(docPath: DocPath): Recognised | undefined {
  const other = otherByName(docPath)
  if (!other?.isNeverText) return undefined
  const { label, saveAs } = other
  const ask = saveAs && `Ask the person to save it as ${saveAs}, which can be read and edited. `
  return { label, instead: `${ask ?? ''}${ARRANGE}` }
}

/** Programs that export to Excel often write a table of a web page, or a newer workbook, under the old name. */
function recogniseExport(bytes: Uint8Array): Recognised | undefined {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) return undefined
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (!isZip && isBinary(bytes)) return undefined
  return {
    label: isZip ? 'a newer workbook under an old name' : 'text under the name of a workbook',
    instead: `Move it with file_operations to a name that ends in ${isZip ? '.xlsx' : '.html, .xml or .csv, whichever matches its content'}, then read it.`,
  }
}
