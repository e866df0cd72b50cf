import type { TextDocument } from '../decode/text.ts'
import type { Edit, Position, Splice, TextSettings, Token } from '../write/splice.ts'
import { type LineChange, type LinePatch, sortedIndices } from './line-changes.ts'

/** A change as splices; `index` is its place in `changes`. */
export interface PlannedChange {
  readonly index: number
  readonly edit: Edit
}

/** Top to bottom. The caller checked the patch against the document. */
export function planLineChanges(doc: TextDocument, patch: LinePatch): PlannedChange[] {
  // lines added to an empty file end with a newline, whatever it had before it was emptied
  const settings = doc.lineCount === 0 && { settings: { finalNewline: true } }
  return sortedIndices(patch.changes).map(index => ({
    index,
    edit: { splices: planChange(doc, patch.changes[index]!), ...settings },
  }))
}

/** The properties a patch sets for the whole file, one edit each, so that each can be refused. */
export function planSettings({ finalNewline, eol, bom }: LinePatch): Edit[] {
  const settings: TextSettings[] = []
  if (finalNewline !== undefined) settings.push({ finalNewline })
  if (eol !== undefined) settings.push({ eol })
  if (bom !== undefined) settings.push({ bom })
  return settings.map(setting => ({ splices: [], settings: setting }))
}

function planChange(doc: TextDocument, change: LineChange): Splice[] {
  if (change.operation === 'insert') {
    const at = startOf(change.afterLine + 1)
    return [{ from: at, to: at, insert: newLineTokens(doc, change.newLines) }]
  }
  const { startLine, endLine } = change
  const newLines = change.operation === 'replace' ? change.newLines : []
  const splices: Splice[] = []
  const paired = Math.min(newLines.length, endLine - startLine + 1)
  // a replaced line keeps its terminator: only its text changes
  for (let i = 0; i < paired; i++) {
    const n = startLine + i
    const to = { line: n, column: doc.lineBytes(n).length }
    if (newLines[i] !== doc.line(n))
      splices.push({ from: startOf(n), to, insert: textTokens(doc, newLines[i]!) })
  }
  const behind = startOf(startLine + paired)
  if (startLine + paired <= endLine)
    splices.push({ from: behind, to: startOf(endLine + 1), insert: [] })
  const further = newLines.slice(paired)
  if (further.length > 0)
    splices.push({ from: behind, to: behind, insert: newLineTokens(doc, further) })
  return splices
}

function startOf(line: number): Position {
  return { line, column: 0 }
}

function newLineTokens(doc: TextDocument, lines: readonly string[]): Token[] {
  return lines.flatMap(line => [...textTokens(doc, line), { newline: 'follows' as const }])
}

function textTokens(doc: TextDocument, text: string): Token[] {
  if (text === '') return []
  const bytes = doc.codec.encode(text)
  if (!bytes) throw new Error(`${doc.encoding} cannot represent text that was checked before`)
  return [bytes]
}
