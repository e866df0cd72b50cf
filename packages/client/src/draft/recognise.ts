import { type FormatId, formatByName, formatFor } from '@filewright/documents'
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
const AS_XLSX = `Ask the person to save it as .xlsx, which can be read and edited. ${ARRANGE}`

/** Kinds of files without a format here. A new format takes over by claiming their endings. */
const OTHERS: readonly {
  readonly endings: readonly string[]
  readonly label: string
  readonly instead?: string
}[] = [
  {
    endings: ['.docx', '.docm', '.dotx', '.doc', '.odt', '.rtf'],
    label: 'a word-processing document',
  },
  { endings: ['.pptx', '.pptm', '.potx', '.ppt', '.odp'], label: 'a presentation' },
  {
    endings: ['.xls', '.xlt'],
    label: 'an Excel workbook in the pre-2007 format',
    instead: AS_XLSX,
  },
  { endings: ['.xlsb'], label: 'a binary Excel workbook', instead: AS_XLSX },
  {
    endings: ['.ods', '.fods', '.ots'],
    label: 'an OpenDocument spreadsheet',
    instead: AS_XLSX,
  },
  { endings: ['.pdf'], label: 'a PDF' },
  {
    endings: ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.bmp', '.tif', '.tiff', '.heic', '.ico'],
    label: 'an image',
  },
]

/** Files that no format reads. */
export const BINARY: Recognised = { label: 'a binary file', instead: ARRANGE }

/** What a file is, by its name and its bytes. */
export function recognise(docPath: DocPath, bytes: Uint8Array): Recognised {
  const other = recogniseByName(docPath)
  if (other) return (docPath.endsWith('.xls') && recogniseExport(bytes)) || other
  const format = formatFor(docPath, bytes)
  if (format) return { format: format.id, label: format.words.file, instead: '' }
  return BINARY
}

/** A well-known name that no format claims yet; text must never be written to it. */
export function recogniseByName(docPath: DocPath): Recognised | undefined {
  if (formatByName(docPath)) return undefined
  const other = OTHERS.find(({ endings }) => endings.some(ending => docPath.endsWith(ending)))
  return other && { label: other.label, instead: other.instead ?? ARRANGE }
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
