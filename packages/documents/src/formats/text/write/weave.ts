import type { Eol } from '../decode/lines.ts'
import type { TextDocument } from '../decode/text.ts'
import {
  comparePositions,
  type Edit,
  type Position,
  type Splice,
  type TextSettings,
} from './splice.ts'

/**
 * The text with everything it ever contained, in order. Each piece knows which edit added it and which removed it, so
 * that the text without some edits is found by skipping pieces: no position is ever mapped twice.
 */
export interface Weave {
  readonly base: TextDocument
  readonly pieces: readonly Piece[]
  /** Indexed by edit number. */
  readonly edits: readonly WovenEdit[]
  /** Operations that left an empty last line in a file without a final newline: from then on the file has one. */
  readonly emptyEnds: readonly number[]
}

/** A range of the base, an inserted run, or a line end. `end-of-base` closes a last line that has no newline. */
export type Piece = (
  | { readonly kind: 'base'; readonly start: number; readonly end: number }
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'newline'; readonly eol: Eol | 'follows' }
  | { readonly kind: 'end-of-base' }
) & { readonly by: number; readonly removedBy: number }

export const NOBODY = -1

export interface WovenEdit {
  /** Numbers of the edits it needs to be placed. */
  readonly dependsOn: readonly number[]
  readonly settings: TextSettings
  /** The number of its operation. */
  readonly operation: number
}

export function openWeave(base: TextDocument): Weave {
  const pieces: Piece[] = []
  const untouched = { by: NOBODY, removedBy: NOBODY }
  if (base.lineCount > 0)
    pieces.push({ kind: 'base', start: base.bomLength, end: base.sizeBytes, ...untouched })
  if (base.lineCount > 0 && !base.finalNewline) pieces.push({ kind: 'end-of-base', ...untouched })
  return { base, pieces, edits: [], emptyEnds: [] }
}

/** Adds the edits of one operation; all refer to the text with every edit so far. */
export function weaveEdits(weave: Weave, edits: readonly Edit[]): Weave {
  const cut = cutAt(weave, positionsOf(edits))
  const spans = spansOf(cut.pieces)
  const first = weave.edits.length
  const operation = (weave.edits.at(-1)?.operation ?? -1) + 1
  const changed = new ChangedPieces(cut.pieces)
  const woven = edits.map((edit, i): WovenEdit => {
    const dependsOn = placeEdit(edit, first + i, cut, spans, changed)
    return {
      dependsOn: inOrder(dependsOn, settersOf(weave, edit.standsOn ?? [])),
      settings: edit.settings ?? NO_SETTINGS,
      operation,
    }
  })
  return { ...weave, pieces: changed.rebuilt(), edits: [...weave.edits, ...woven] }
}

/** The weave without some edits: the others depend on none of them, and keep their numbers. */
export function unwoven(weave: Weave, isKept: (edit: number) => boolean): Weave {
  const isGone = (edit: number) => edit !== NOBODY && !isKept(edit)
  const pieces = weave.pieces
    .filter(({ by }) => !isGone(by))
    .map(piece => (isGone(piece.removedBy) ? { ...piece, removedBy: NOBODY } : piece))
  const edits = weave.edits.map((edit, number) =>
    isGone(number) ? { ...edit, settings: NO_SETTINGS } : edit,
  )
  return { ...weave, pieces, edits }
}

/** In order. */
function positionsOf(edits: readonly Edit[]): readonly Position[] {
  const positions: Position[] = []
  for (const { splices } of edits) for (const { from, to } of splices) positions.push(from, to)
  return positions.sort(comparePositions)
}

/** Shared by all edits that set nothing. */
export const NO_SETTINGS: TextSettings = {}
const NONE: readonly number[] = []

/** Most edits have no dependency: hundreds of thousands of them share this. */
function inOrder(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length + others.length === 0) return NONE
  return [...new Set([...some, ...others])].sort((a, b) => a - b)
}

function settersOf(weave: Weave, names: readonly (keyof TextSettings)[]): number[] {
  const setters: number[] = []
  for (const name of names) {
    const last = weave.edits.findLastIndex(edit => edit.settings[name] !== undefined)
    if (last !== -1) setters.push(last)
  }
  return setters
}

/** A boundary between visible pieces: `after` is the index of the piece before it, `before` of the piece after it. */
interface Border {
  readonly after: number
  readonly before: number
}

interface CutPieces {
  readonly pieces: readonly Piece[]
  borderAt(position: Position): Border
}

/** Splits pieces so that each position lies between two. */
function cutAt(weave: Weave, sorted: readonly Position[]): CutPieces {
  const after = new Int32Array(sorted.length) // the boundary at each position
  const before = new Int32Array(sorted.length)
  const pieces: Piece[] = []
  let here: Position = { line: 1, column: 0 }
  let lastVisible = -1
  let next = 0
  for (const whole of weave.pieces) {
    let piece: Piece | undefined = whole
    while (piece && piece.removedBy === NOBODY) {
      while (next < sorted.length && comparePositions(sorted[next]!, here) <= 0) {
        after[next] = lastVisible
        before[next++] = pieces.length
      }
      const end = endOf(weave.base, piece, here)
      const isInside = next < sorted.length && comparePositions(sorted[next]!, end) < 0
      const [head, rest]: [Piece, Piece | undefined] = isInside
        ? split(weave.base, piece, here, sorted[next]!)
        : [piece, undefined]
      lastVisible = pieces.length
      pieces.push(head)
      here = isInside ? sorted[next]! : end
      piece = rest
    }
    if (piece) pieces.push(piece) // removed: it has no width
  }
  after.fill(lastVisible, next)
  before.fill(pieces.length, next)
  const borderAt = (position: Position): Border => {
    const index = lastIndexOf(sorted, position)
    return { after: after[index]!, before: before[index]! }
  }
  return { pieces, borderAt }
}

function lastIndexOf(sorted: readonly Position[], position: Position): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (comparePositions(sorted[middle]!, position) <= 0) low = middle
    else high = middle - 1
  }
  return low
}

function endOf(base: TextDocument, piece: Piece, here: Position): Position {
  if (piece.kind === 'text') return { line: here.line, column: here.column + piece.bytes.length }
  if (piece.kind !== 'base') return { line: here.line + 1, column: 0 }
  const firstLine = base.lineAt(piece.start)
  const endLine = lineOfEnd(base, piece.end)
  if (endLine === firstLine)
    return { line: here.line, column: here.column + piece.end - piece.start }
  return { line: here.line + endLine - firstLine, column: piece.end - base.startOf(endLine) }
}

/** The line that begins at or before `end`: after a final newline that is the line after the last. */
function lineOfEnd(base: TextDocument, end: number): number {
  return end === base.sizeBytes && base.finalNewline ? base.lineCount + 1 : base.lineAt(end)
}

function split(base: TextDocument, piece: Piece, here: Position, at: Position): [Piece, Piece] {
  if (piece.kind === 'text') {
    const length = at.column - here.column
    return [
      { ...piece, bytes: piece.bytes.subarray(0, length) },
      { ...piece, bytes: piece.bytes.subarray(length) },
    ]
  }
  if (piece.kind !== 'base') throw new Error(`A ${piece.kind} cannot be split`)
  const offset =
    at.line === here.line
      ? piece.start + at.column - here.column
      : base.startOf(base.lineAt(piece.start) + at.line - here.line) + at.column
  const { start, end, by, removedBy } = piece // without a spread, which is ten times slower
  return [
    { kind: 'base', start, end: offset, by, removedBy },
    { kind: 'base', start: offset, end, by, removedBy },
  ]
}

/** The first and the last piece that an edit added or removed. */
interface Span {
  readonly edit: number
  first: number
  last: number
}

/** Over all edits: answers which of them have pieces between two given ones. */
class Spans {
  /** By their first piece. */
  readonly #spans: readonly Span[]
  /** The furthest end among the spans up to each. */
  readonly #reach: Int32Array

  constructor(spans: readonly Span[]) {
    this.#spans = spans
    this.#reach = new Int32Array(spans.length)
    let reach = -1
    spans.forEach(({ last }, i) => {
      reach = Math.max(reach, last)
      this.#reach[i] = reach
    })
  }

  /** Those with a piece at or before `to` and one at or after `from`. */
  reaching(from: number, to: number): readonly Span[] {
    if (this.#spans.length === 0) return NO_SPANS
    const found: Span[] = []
    for (let i = this.#countUpTo(to) - 1; i >= 0 && this.#reach[i]! >= from; i--)
      if (this.#spans[i]!.last >= from) found.push(this.#spans[i]!)
    return found.reverse()
  }

  #countUpTo(piece: number): number {
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#spans[middle]!.first <= piece) low = middle + 1
      else high = middle
    }
    return low
  }
}

const NO_SPANS: readonly Span[] = []

function spansOf(pieces: readonly Piece[]): Spans {
  const spans = new Map<number, Span>()
  const note = (edit: number, index: number) => {
    if (edit === NOBODY) return
    const span = spans.get(edit)
    if (span) span.last = index
    else spans.set(edit, { edit, first: index, last: index })
  }
  pieces.forEach(({ by, removedBy }, index) => {
    note(by, index)
    note(removedBy, index)
  })
  return new Spans([...spans.values()])
}

/**
 * An edit depends on every edit whose span it touches, lies strictly inside, or crosses; an edit at the boundary of
 * another is independent of it (CONTRACT §5).
 */
function placeEdit(
  { splices }: Edit,
  number: number,
  cut: CutPieces,
  spans: Spans,
  changed: ChangedPieces,
): readonly number[] {
  const dependsOn: number[] = [] // may contain duplicates
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { from, to, insert } of splices) {
    const border = cut.borderAt(from)
    if (comparePositions(from, to) < 0) {
      const end = cut.borderAt(to).after
      changed.remove(border.before, end, number)
      changed.insert(end + 1, insert, number)
      first = Math.min(first, border.before)
      last = Math.max(last, end)
    } else {
      const gap = placeInGap(border, spans)
      changed.insert(gap.at, insert, number)
      dependsOn.push(...gap.dependsOn)
      first = Math.min(first, gap.at)
      last = Math.max(last, gap.at - 1)
    }
  }
  // a pure insert has `last` before `first`: spans that only begin there do not count
  if (splices.length > 0) for (const span of spans.reaching(first, last)) dependsOn.push(span.edit)
  return dependsOn
}

/**
 * Removed pieces in a gap make the place ambiguous when the edit that removed them added nothing there: the insert may
 * be before or after them, so it depends on that edit. If that edit added something on one side, the place is its
 * boundary.
 */
function placeInGap({ after, before }: Border, spans: Spans): { at: number; dependsOn: number[] } {
  const inGap = spans.reaching(after + 1, before - 1)
  let lowest = after + 1
  let highest = before
  const open: number[] = []
  for (const span of inGap) {
    const reachesLeft = span.first <= after
    const reachesRight = span.last >= before
    if (reachesLeft && !reachesRight) lowest = Math.max(lowest, span.last + 1)
    else if (reachesRight && !reachesLeft) highest = Math.min(highest, span.first)
    else open.push(span.edit)
  }
  if (lowest <= highest) return { at: lowest, dependsOn: open }
  return { at: before, dependsOn: inGap.map(span => span.edit) }
}

/** What edits remove and add; turned into pieces in one pass, since there may be many. */
class ChangedPieces {
  readonly #pieces: readonly Piece[]
  readonly #removedBy: Int32Array
  readonly #inserted: { readonly at: number; readonly piece: Piece }[] = []

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
    this.#removedBy = new Int32Array(pieces.length).fill(NOBODY)
  }

  remove(from: number, to: number, by: number) {
    for (let index = from; index <= to; index++)
      if (this.#pieces[index]!.removedBy === NOBODY) this.#removedBy[index] = by
  }

  /** Before the piece with that index, after anything added there earlier. */
  insert(at: number, tokens: Splice['insert'], by: number) {
    for (const token of tokens) this.#inserted.push({ at, piece: toPiece(token, by) })
  }

  rebuilt(): Piece[] {
    const inserted = this.#inserted.sort((a, b) => a.at - b.at)
    const rebuilt: Piece[] = []
    let next = 0
    for (let index = 0; index <= this.#pieces.length; index++) {
      while (inserted[next]?.at === index) rebuilt.push(inserted[next++]!.piece)
      const piece = this.#pieces[index]
      const by = this.#removedBy[index]!
      if (piece) rebuilt.push(by === NOBODY ? piece : removed(piece, by))
    }
    return rebuilt
  }
}

function removed(piece: Piece, removedBy: number): Piece {
  if (piece.kind !== 'base') return { ...piece, removedBy }
  const { start, end, by } = piece
  return { kind: 'base', start, end, by, removedBy }
}

function toPiece(token: Splice['insert'][number], by: number): Piece {
  return token instanceof Uint8Array
    ? { kind: 'text', bytes: token, by, removedBy: NOBODY }
    : { kind: 'newline', eol: token.newline, by, removedBy: NOBODY }
}
