import { type RunSpan, type SpanMap, spanMapOf, spansIn } from '../../../runs/spans.ts'
import type { Border, TextPiece } from './pieces.ts'
import { TOKEN } from './pieces.ts'

/** Which tracked changes count: as if all were accepted, all rejected, or all shown. */
export type View = 'final' | 'original' | 'marked'

export type Span = RunSpan<TextPiece>

/** The text of a paragraph, and where each character comes from. */
export type TextMap = SpanMap<TextPiece>

/** Deleted text is left out of the final view; the prompt of an empty control is a token in all of them. */
export function textMapOf(pieces: readonly TextPiece[], view: View = 'final'): TextMap {
  return spanMapOf(
    pieces.filter(piece => isInView(piece, view)),
    ({ isPrompt, text }) => (isPrompt ? TOKEN.repeat(text.length) : text),
  )
}

export function isInView({ isDeleted, revision }: TextPiece, view: View): boolean {
  if (view === 'marked') return true
  return view === 'final' ? !isDeleted : isDeleted || revision === undefined
}

export { spansIn } from '../../../runs/spans.ts'

/** The border that all characters of the range share; `false` where it crosses one. */
export function borderOf(map: TextMap, start: number, end: number): Border | undefined | false {
  const [first, ...others] = spansIn(map, start, end)
  if (!first) return undefined
  return others.every(({ piece }) => piece.border?.node === first.piece.border?.node)
    ? first.piece.border
    : false
}
