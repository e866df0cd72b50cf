import type { DocPath } from '@filewright/protocol'
import type { Format, FormatId } from '../format.ts'
import { isBinary } from './text/decode/binary.ts'

/** What is known of a format before its code is loaded. */
export interface FormatFacts {
  readonly id: FormatId
  /** What a person calls such a file. */
  readonly label: string
  /** Lower-case name endings with their dot; none: whatever no other format claims. */
  readonly endings: readonly string[]
}

/** The one list. A format's code is loaded when a file of it is met. */
const FORMATS: Readonly<Record<FormatId, Omit<FormatFacts, 'id'> & { load(): Promise<Format> }>> = {
  xlsx: {
    label: 'spreadsheet',
    endings: ['.xlsx', '.xlsm', '.xltx', '.xltm'],
    load: async () => (await import('./xlsx/index.ts')).xlsxFormat,
  },
  text: {
    label: 'text file',
    endings: [],
    load: async () => (await import('./text/index.ts')).textFormat,
  },
}

export function loadFormat(id: FormatId): Promise<Format> {
  return FORMATS[id].load()
}

/** By the name's ending, else text where the bytes are text; undefined for what nothing here reads. */
export function formatFor(docPath: DocPath, bytes: Uint8Array): FormatFacts | undefined {
  for (const id of Object.keys(FORMATS) as FormatId[]) {
    const { label, endings } = FORMATS[id]
    if (endings.some(ending => docPath.endsWith(ending))) return { id, label, endings }
  }
  return isBinary(bytes) ? undefined : { id: 'text', label: FORMATS.text.label, endings: [] }
}
