import type { Border, TextPiece } from './pieces.ts'
import { TOKEN } from './pieces.ts'

/** Which tracked changes count: as if all were accepted, all rejected, or all shown. */
export type View = 'final' | 'original' | 'marked'

export interface Span {
  readonly piece: TextPiece
  /** Its characters in the text. */
  readonly start: number
  readonly end: number
}

/** The text of a paragraph, and where each character comes from. */
export interface TextMap {
  readonly text: string
  readonly spans: readonly Span[]
}

/** Deleted text is left out of the final view; the prompt of an empty control is a token in all of them. */
export function textMapOf(pieces: readonly TextPiece[], view: View = 'final'): TextMap {
  const spans: Span[] = []
  let text = ''
  for (const piece of pieces) {
    if (!isInView(piece, view)) continue
    const own = piece.isPrompt ? TOKEN.repeat(piece.text.length) : piece.text
    spans.push({ piece, start: text.length, end: text.length + own.length })
    text += own
  }
  return { text, spans }
}

export function isInView({ isDeleted, revision }: TextPiece, view: View): boolean {
  if (view === 'marked') return true
  return view === 'final' ? !isDeleted : isDeleted || revision === undefined
}

/** The spans that share a character with the range. */
export function spansIn({ spans }: TextMap, start: number, end: number): readonly Span[] {
  return spans.filter(span => span.start < end && span.end > start)
}

/** The border that all characters of the range share; `false` where it crosses one. */
export function borderOf(map: TextMap, start: number, end: number): Border | undefined | false {
  const [first, ...others] = spansIn(map, start, end)
  if (!first) return undefined
  return others.every(({ piece }) => piece.border?.node === first.piece.border?.node)
    ? first.piece.border
    : false
}
