import { fail, ok, type Result } from '@filewright/protocol'
import type { DocumentName, ReadableFormat } from '../../format.ts'
import { readZip } from '../../opc/index.ts'
import { unpack } from '../../opc/package.ts'
import { isBinary, textFormat } from '../text/index.ts'
import { isCompoundFile } from './doc/compound-file.ts'
import { wordText } from './doc/word-text.ts'
import { odtText } from './odt.ts'
import { rtfText } from './rtf.ts'

/** The text alone, as lines: what changes it is the program that made it. */
export const proseFormat: ReadableFormat = {
  open(bytes, name) {
    const text = textOf(bytes, name)
    if (!text.ok) return text
    const lines = textFormat.open(new TextEncoder().encode(text.value), name)
    if (!lines.ok) return lines
    const { map, read, search } = lines.value
    return ok({ map, read, search })
  },
}

function textOf(bytes: Uint8Array, name: DocumentName): Result<string> {
  const head = Buffer.from(bytes.subarray(0, 5)).toString('latin1')
  if (head === '{\\rtf') return ok(rtfText(bytes))
  if (isCompoundFile(bytes)) return wordText(bytes, name.path)
  if (!head.startsWith('PK')) return refuse(name, isBinary(bytes) ? undefined : TEXT)
  const zip = readZip(bytes)
  if (!zip.ok) return zip
  const content = zip.value.entries.find(entry => entry.name === 'content.xml')
  if (!content && zip.value.entries.some(entry => entry.name.startsWith('word/')))
    return refuse(name, NEWER)
  const part = content ? unpack(zip.value, content) : refuse(name)
  return part.ok ? ok(odtText(new TextDecoder().decode(part.value))) : part
}

interface Mistaken {
  readonly found: string
  readonly instead: string
}

const UNKNOWN: Mistaken = {
  found: 'named like a document, but its bytes are of none that is read here',
  instead: 'Ask the person to save it as .docx.',
}
const NEWER: Mistaken = {
  found: 'a newer Word document under an old name',
  instead: 'Move it with file_operations to a name that ends in .docx, then read it.',
}
const TEXT: Mistaken = {
  found: 'text under the name of a document',
  instead:
    'Move it with file_operations to a name that ends in .html or .txt, whichever matches its content, then read it.',
}

function refuse({ path }: DocumentName, { found, instead }: Mistaken = UNKNOWN) {
  return fail('UNREADABLE_FORMAT', `Cannot read "${path}": it is ${found}. ${instead}`)
}
