import type { Eol } from '../decode/lines.ts'
import type { TextDocument } from '../decode/text.ts'
import type { Edit, Position, TextSettings, Token } from '../write/splice.ts'
import type { FoundText } from './find-text.ts'

/**
 * Replaces places by `text`, one after the other. `startsLine`: nothing precedes the place in its line once the
 * previous edit is done. Text without line ends shares its tokens between all places, of which there may be many.
 */
export function planReplacement(
  doc: TextDocument,
  text: string,
): (place: FoundText, where: { startsLine: boolean }) => Edit {
  const lines = text.split(/\r?\n/)
  const shared = lines.length === 1 ? textTokens(doc, text) : undefined
  return (place, { startsLine }) => {
    const reachesEnd = place.to.line > doc.lineCount || isAtEnd(doc, place.to)
    return reachesEnd
      ? planAtEnd(doc, place, lines, startsLine)
      : toEdit(place.from, place.to, shared ?? tokensOf(doc, place, lines))
  }
}

/**
 * At the end of the file a line end is a property of the file, not text: an edit that adds or removes it sets the
 * property, and the last line keeps its end in the weave. Later lines are therefore placed after it either way.
 */
function planAtEnd(
  doc: TextDocument,
  { from, to, lineEnds }: FoundText,
  lines: string[],
  startsLine: boolean,
): Edit {
  const endsWithNewline = lines.length > 1 && lines.at(-1) === ''
  const spansNewline = to.line > doc.lineCount
  const beforeEnd = endOfText(doc)
  const place = { from, to, lineEnds }
  const takesWholeLines = lines.length === 1 && lines[0] === '' && startsLine
  if (takesWholeLines) {
    const isNew = !spansNewline && from.line > 1
    return toEdit(
      from,
      { line: doc.lineCount + 1, column: 0 },
      [],
      isNew ? { finalNewline: true } : undefined,
    )
  }
  if (endsWithNewline) {
    const tokens = tokensOf(doc, place, lines).slice(0, -1)
    return toEdit(from, beforeEnd, tokens, spansNewline ? undefined : { finalNewline: true })
  }
  return toEdit(
    from,
    beforeEnd,
    tokensOf(doc, place, lines),
    spansNewline ? { finalNewline: false } : undefined,
  )
}

function toEdit(
  from: Position,
  to: Position,
  insert: readonly Token[],
  settings?: TextSettings,
): Edit {
  const isNothing = insert.length === 0 && from.line === to.line && from.column === to.column
  return {
    splices: isNothing ? [] : [{ from, to, insert }],
    ...(settings && { settings, standsOn: ['finalNewline'] as const }),
  }
}

/**
 * Line ends follow the ones they replace, in order; further ones follow the last of them, or else the line they are in.
 */
function tokensOf(
  doc: TextDocument,
  { from, lineEnds }: FoundText,
  lines: readonly string[],
): Token[] {
  return lines.flatMap((line, i): Token[] => {
    const eol: Eol = lineEnds[i] ?? lineEnds.at(-1) ?? eolAt(doc, from.line)
    const text = textTokens(doc, line)
    return i < lines.length - 1 ? [...text, { newline: eol }] : text
  })
}

function textTokens(doc: TextDocument, line: string): Token[] {
  const bytes = doc.codec.encode(line)
  if (!bytes) throw new Error(`${doc.encoding} cannot represent text that was checked before`)
  return bytes.length > 0 ? [bytes] : []
}

function eolAt(doc: TextDocument, line: number): Eol {
  const own = line <= doc.lineCount ? doc.terminator(line) : null
  return own ?? (line > 1 ? doc.terminator(line - 1) : null) ?? 'lf'
}

function isAtEnd(doc: TextDocument, { line, column }: Position): boolean {
  return line === doc.lineCount && doc.startOf(line) + column === doc.sizeBytes
}

function endOfText(doc: TextDocument): Position {
  const line = doc.lineCount
  return { line, column: doc.textEndOf(line) - doc.startOf(line) }
}
