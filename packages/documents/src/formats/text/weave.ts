import type { Eol } from './lines.ts'
import { comparePositions, type Edit, type Position, type Settings, type Splice } from './splice.ts'
import type { TextDocument } from './text.ts'

/**
 * The text with everything that ever stood in it, in order. Each piece knows which edit brought it and which took it
 * away, so that the text without some of the edits is a matter of leaving pieces out: no position is ever mapped twice.
 */
export interface Weave {
  readonly base: TextDocument
  readonly pieces: readonly Piece[]
  /** By number. */
  readonly edits: readonly WovenEdit[]
  /** Operations that left an empty last line in a file without a final newline: from then on it has one. */
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
  /** Numbers of the edits without which it cannot be placed. */
  readonly dependsOn: readonly number[]
  readonly settings: Settings
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

/** Adds the edits of one operation; all refer to the text as it stands with every edit so far. */
export function weaveEdits(weave: Weave, edits: readonly Edit[]): Weave {
  const positions = edits.flatMap(edit => edit.splices.flatMap(({ from, to }) => [from, to]))
  const cut = cutAt(weave, positions)
  const spans = spansOf(cut.pieces)
  const first = weave.edits.length
  const operation = (weave.edits.at(-1)?.operation ?? -1) + 1
  const placed = edits.map((edit, i) => placeEdit(edit, first + i, cut, spans))
  return {
    ...weave,
    pieces: rebuild(cut.pieces, placed),
    edits: [
      ...weave.edits,
      ...edits.map((edit, i) => ({
        dependsOn: inOrder(placed[i]!.dependsOn, settersOf(weave, edit.standsOn ?? [])),
        settings: edit.settings ?? NO_SETTINGS,
        operation,
      })),
    ],
  }
}

const NO_SETTINGS: Settings = {}
const NONE: readonly number[] = []

/** Most edits depend on nothing: hundreds of thousands of them share that. */
function inOrder(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length + others.length === 0) return NONE
  return [...new Set([...some, ...others])].sort((a, b) => a - b)
}

function settersOf(weave: Weave, names: readonly (keyof Settings)[]): number[] {
  const setters: number[] = []
  for (const name of names) {
    const last = weave.edits.findLastIndex(edit => edit.settings[name] !== undefined)
    if (last !== -1) setters.push(last)
  }
  return setters
}

/** A border between visible pieces: `after` is the index of the one before it, `before` of the one behind it. */
interface Border {
  readonly after: number
  readonly before: number
}

interface CutPieces {
  readonly pieces: readonly Piece[]
  borderAt(position: Position): Border
}

/** Splits pieces so that each position lies between two. */
function cutAt(weave: Weave, positions: readonly Position[]): CutPieces {
  const sorted = [...positions].sort(comparePositions)
  const borders: Border[] = [] // of the sorted positions
  const pieces: Piece[] = []
  let here: Position = { line: 1, column: 0 }
  let lastVisible = -1
  let next = 0
  for (const whole of weave.pieces) {
    let piece: Piece | undefined = whole
    while (piece && piece.removedBy === NOBODY) {
      while (next < sorted.length && comparePositions(sorted[next]!, here) <= 0) {
        borders.push({ after: lastVisible, before: pieces.length })
        next++
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
    if (piece) pieces.push(piece) // removed: it takes no room
  }
  for (; next < sorted.length; next++) borders.push({ after: lastVisible, before: pieces.length })
  return { pieces, borderAt: position => borders[lastIndexOf(sorted, position)]! }
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
  return [
    { ...piece, end: offset },
    { ...piece, start: offset },
  ]
}

/** The first and the last piece that an edit brought or took away. */
interface Span {
  readonly edit: number
  first: number
  last: number
}

/** Of all edits, to be asked which of them are anywhere between two pieces. */
class Spans {
  /** By their first piece. */
  readonly #spans: readonly Span[]
  /** How far the spans up to each reach. */
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

  /** Those with a piece at or before `to` and one at or behind `from`. */
  reaching(from: number, to: number): Span[] {
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

function spansOf(pieces: readonly Piece[]): Spans {
  const spans = new Map<number, Span>()
  pieces.forEach((piece, index) => {
    for (const edit of [piece.by, piece.removedBy]) {
      if (edit === NOBODY) continue
      const span = spans.get(edit)
      if (span) span.last = index
      else spans.set(edit, { edit, first: index, last: index })
    }
  })
  return new Spans([...spans.values()])
}

interface Placed {
  readonly number: number
  readonly dependsOn: readonly number[]
  readonly removed: readonly { readonly from: number; readonly to: number }[]
  readonly inserts: readonly { readonly at: number; readonly splice: Splice }[]
}

/**
 * An edit depends on every edit whose span it touches, lies strictly inside of, or reaches across; to stand at the
 * border of one is to stand without it (CONTRACT §5).
 */
function placeEdit(edit: Edit, number: number, cut: CutPieces, spans: Spans): Placed {
  const dependsOn = new Set<number>()
  const removed: { from: number; to: number }[] = []
  const inserts: { at: number; splice: Splice }[] = []
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const splice of edit.splices) {
    const isRange = comparePositions(splice.from, splice.to) < 0
    const from = cut.borderAt(splice.from)
    if (isRange) {
      const to = cut.borderAt(splice.to).after
      removed.push({ from: from.before, to })
      inserts.push({ at: to + 1, splice })
      first = Math.min(first, from.before)
      last = Math.max(last, to)
    } else {
      const gap = placeInGap(from, spans)
      inserts.push({ at: gap.at, splice })
      for (const other of gap.dependsOn) dependsOn.add(other)
      first = Math.min(first, gap.at)
      last = Math.max(last, gap.at - 1)
    }
  }
  // an insert alone has `last` before `first`: what only begins there is no part of it
  if (edit.splices.length > 0)
    for (const span of spans.reaching(first, last)) dependsOn.add(span.edit)
  return { number, dependsOn: [...dependsOn], removed, inserts }
}

/**
 * Removed pieces in a gap leave the place open when the edit that removed them put nothing there: before or behind them?
 * Such an insert depends on it. Where that edit did put something on one side, the place is its border.
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

function rebuild(pieces: readonly Piece[], placed: readonly Placed[]): Piece[] {
  const removedBy = new Int32Array(pieces.length).fill(NOBODY)
  const insertsAt: (Piece[] | undefined)[] = new Array(pieces.length + 1).fill(undefined)
  for (const { number, removed, inserts } of placed) {
    for (const { from, to } of removed)
      for (let index = from; index <= to; index++)
        if (pieces[index]!.removedBy === NOBODY) removedBy[index] = number
    for (const { at, splice } of inserts) {
      const inserted = splice.insert.map(token => toPiece(token, number))
      const there = insertsAt[at]
      if (there) for (const piece of inserted) there.push(piece)
      else insertsAt[at] = inserted
    }
  }
  const rebuilt: Piece[] = []
  for (let index = 0; index <= pieces.length; index++) {
    for (const piece of insertsAt[index] ?? []) rebuilt.push(piece)
    const piece = pieces[index]
    const remover = removedBy[index]!
    if (piece) rebuilt.push(remover === NOBODY ? piece : { ...piece, removedBy: remover })
  }
  return rebuilt
}

function toPiece(token: Splice['insert'][number], by: number): Piece {
  return token instanceof Uint8Array
    ? { kind: 'text', bytes: token, by, removedBy: NOBODY }
    : { kind: 'newline', eol: token.newline, by, removedBy: NOBODY }
}
