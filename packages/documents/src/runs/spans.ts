/** A stretch of a paragraph's text that one element holds. */
export interface RunPiece {
  readonly text: string
}

export interface RunSpan<Piece extends RunPiece> {
  readonly piece: Piece
  /** Its characters in the text. */
  readonly start: number
  readonly end: number
}

/** The text of a paragraph, and where each character comes from. */
export interface SpanMap<Piece extends RunPiece> {
  readonly text: string
  readonly spans: readonly RunSpan<Piece>[]
}

/** The pieces one after the other; `shownAs` gives other characters, as many, for a piece that is not shown. */
export function spanMapOf<Piece extends RunPiece>(
  pieces: Iterable<Piece>,
  shownAs: (piece: Piece) => string = ({ text }) => text,
): SpanMap<Piece> {
  const spans: RunSpan<Piece>[] = []
  let text = ''
  for (const piece of pieces) {
    const own = shownAs(piece)
    spans.push({ piece, start: text.length, end: text.length + own.length })
    text += own
  }
  return { text, spans }
}

/** The spans that share a character with the range. */
export function spansIn<Piece extends RunPiece>(
  { spans }: SpanMap<Piece>,
  start: number,
  end: number,
): readonly RunSpan<Piece>[] {
  const found: RunSpan<Piece>[] = []
  for (let at = firstEndingAfter(spans, start); at < spans.length; at++) {
    const span = spans[at]!
    if (span.start >= end) break
    if (span.end > start) found.push(span)
  }
  return found
}

/** They follow one another, so half of them can be left out at each look. */
function firstEndingAfter(spans: readonly { readonly end: number }[], start: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.end > start) high = middle
    else low = middle + 1
  }
  return low
}

/** The span whose look most of the characters of the range have. */
export function prevailingSpan<Piece extends RunPiece>(
  covered: readonly RunSpan<Piece>[],
  { start, end }: { readonly start: number; readonly end: number },
  lookOf: (piece: Piece) => string,
): RunSpan<Piece> {
  const counts = new Map<string, { count: number; first: RunSpan<Piece> }>()
  for (const span of covered) {
    const look = lookOf(span.piece)
    const count = Math.min(span.end, end) - Math.max(span.start, start)
    const known = counts.get(look)
    if (known) known.count += count
    else counts.set(look, { count, first: span })
  }
  return [...counts.values()].reduce((most, each) => (each.count > most.count ? each : most)).first
}

/** The span that new text at a place joins: the one around it, in front of it, else behind it. */
export function neighbourSpan<Piece extends RunPiece>(
  { spans }: SpanMap<Piece>,
  at: number,
  isHost: (piece: Piece) => boolean,
): RunSpan<Piece> | undefined {
  const around = spans.find(span => span.start < at && at < span.end)
  const before = spans.findLast(span => span.end <= at || (span.start < at && at < span.end))
  const after = spans.find(span => span.start >= at)
  return [around, before, after].find(span => span && isHost(span.piece))
}

/** What is left of a span in front of and behind a range. */
export function aroundRange<Piece extends RunPiece>(
  span: RunSpan<Piece>,
  range: { readonly start: number; readonly end: number },
  own = span.piece.text,
): readonly [string, string] {
  const clamp = (at: number) => Math.min(Math.max(at, span.start), span.end) - span.start
  return [own.slice(0, clamp(range.start)), own.slice(clamp(range.end))]
}
