import { type FormatId, formatFor } from '@filewright/documents'
import type { DocPath } from '@filewright/protocol'

export interface Recognised {
  readonly format?: FormatId
  /** "a Word document", for messages. */
  readonly label: string
  /** What would work. */
  readonly instead: string
}

const OTHERS: readonly { endings: readonly string[]; label: string }[] = [
  {
    endings: ['.docx', '.docm', '.dotx', '.doc', '.odt', '.rtf'],
    label: 'a word-processing document',
  },
  { endings: ['.pptx', '.pptm', '.potx', '.ppt', '.odp'], label: 'a presentation' },
  { endings: ['.xls', '.xlsb', '.ods'], label: 'a spreadsheet of an older or other kind' },
  { endings: ['.pdf'], label: 'a PDF' },
  {
    endings: ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.bmp', '.tif', '.tiff', '.heic', '.ico'],
    label: 'an image',
  },
]

const ARRANGE = 'It can be copied, moved or deleted with file_operations.'

/** What no format reads. */
export const BINARY: Recognised = { label: 'a binary file', instead: ARRANGE }

/** What a file is, by its name and its bytes. */
export function recognise(docPath: DocPath, bytes: Uint8Array): Recognised {
  const other = recogniseByName(docPath)
  if (other) return other
  const format = formatFor(docPath, bytes)
  if (format) return { format: format.id, label: `a ${format.label}`, instead: '' }
  return BINARY
}

/** A format that is known and not readable yet; text must never be written onto such a name. */
export function recogniseByName(docPath: DocPath): Recognised | undefined {
  const other = OTHERS.find(({ endings }) => endings.some(ending => docPath.endsWith(ending)))
  return other && { label: other.label, instead: ARRANGE }
}
