const TAB = '    ' // how far a terminal would move depends on where it stands
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const PLAIN = /^[\x20-\x7e]*$/
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|.\u{fe0f}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}])/u
const ZERO = /^[\p{Mark}\p{Format}]+$/u
const STYLE = /\x1b\[[0-9;]*m/g
/** A marked word ends with its line: the indent of the next one has no background. */
const MARK_ON = '\x1b[7m'
const MARK_OFF = '\x1b[27m'

/** Columns that a text takes on a terminal; our own colours take none. */
export function widthOf(text: string): number {
  const bare = text.includes('\x1b') ? text.replace(STYLE, '') : text
  if (PLAIN.test(bare)) return bare.length
  let width = 0
  for (const { segment } of letters.segment(bare)) width += letterWidth(segment)
  return width
}

function letterWidth(letter: string): number {
  if (WIDE.test(letter)) return 2
  return ZERO.test(letter) ? 0 : 1
}

/** At most `columns` of a text without colours; a mark says that more follows. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let width = 0
  let kept = ''
  for (const { segment } of letters.segment(text)) {
    width += letterWidth(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

const HANGING = /^\s*(?:[-+·•>│] )?/
const WIDEST_HANGING = 12

/** As `wrap`; further lines stand below the text of the first, behind its mark. */
export function wrapHanging(text: string, columns: number): string[] {
  const [start = ''] = HANGING.exec(text.replace(STYLE, '')) ?? []
  return wrap(text, columns, ' '.repeat(start.length > WIDEST_HANGING ? 0 : start.length))
}

/** Lines of at most `columns`, cut between words where there are any. Colours of a line go on in the next. */
export function wrap(given: string, columns: number, indent = ''): string[] {
  const text = given.replaceAll('\t', TAB)
  if (widthOf(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  let isMarked = false
  for (const word of words(text)) {
    for (const piece of pieces(word, columns - indent.length)) {
      if (line.trim() !== '' && widthOf(line) + widthOf(piece.trimEnd()) > columns) {
        lines.push(isMarked ? `${line.trimEnd()}${MARK_OFF}` : line.trimEnd())
        line = isMarked ? `${indent}${MARK_ON}` : indent
      }
      line += piece
      isMarked = line.lastIndexOf(MARK_ON) > line.lastIndexOf(MARK_OFF)
    }
  }
  if (line.trim() !== '' || lines.length === 0) lines.push(line.trimEnd())
  return lines
}

function words(text: string): string[] {
  return text.match(/\s+|\S+\s*/g) ?? []
}

/** A word that is longer than a line is cut at letters; its colours go along. */
function pieces(word: string, columns: number): string[] {
  if (widthOf(word.trimEnd()) <= columns) return [word]
  const found: string[] = []
  let piece = ''
  let width = 0
  for (const segment of lettersAndStyles(word)) {
    const own = segment.startsWith('\x1b') ? 0 : letterWidth(segment)
    if (width + own > columns) {
      found.push(piece)
      piece = ''
      width = 0
    }
    piece += segment
    width += own
  }
  return [...found, piece]
}

function* lettersAndStyles(text: string): Generator<string> {
  for (const part of text.split(/(\x1b\[[0-9;]*m)/))
    if (part.startsWith('\x1b')) yield part
    else for (const { segment } of letters.segment(part)) yield segment
}
