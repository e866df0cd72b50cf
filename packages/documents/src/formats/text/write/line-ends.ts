import type { Eol } from '../decode/lines.ts'
import { NOBODY, type Piece, type Weave } from './weave.ts'

/**
 * The line end of each piece in the text with only the accepted edits. An added line takes the line end of the line
 * before it, at the top that of line 1 (CONTRACT §2), as of its own operation: later operations do not change it, and
 * refused ones never count.
 */
export class LineEnds {
  readonly #weave: Weave
  readonly #isAccepted: (edit: number) => boolean
  /** Edits that set the line ends of everything before them. */
  readonly #eolEdits: readonly { readonly number: number; readonly eol: Eol }[]
  readonly #refusedEolEdits: readonly number[]
  readonly #made: (Eol | undefined)[] = []
  readonly #firstBefore = new Map<number, Eol>()

  constructor(weave: Weave, isAccepted: (edit: number) => boolean) {
    this.#weave = weave
    this.#isAccepted = isAccepted
    const setters = weave.edits.flatMap(({ settings: { eol } }, number) =>
      eol ? [{ number, eol }] : [],
    )
    this.#eolEdits = setters.filter(({ number }) => isAccepted(number))
    this.#refusedEolEdits = setters
      .filter(({ number }) => !isAccepted(number))
      .map(({ number }) => number)
    weave.pieces.forEach((piece, index) => {
      if (piece.kind === 'newline' || piece.kind === 'end-of-base')
        this.#made[index] = this.#make(piece, index)
    })
  }

  /** Of a piece that is a line end. */
  of(index: number): Eol {
    return this.setAfter(this.#weave.pieces[index]!.by) ?? this.#made[index]!
  }

  /** The line end that an edit after `by` gave to the whole file, up to and including `operation`. */
  setAfter(by: number, operation = Number.POSITIVE_INFINITY): Eol | undefined {
    return this.#eolEdits.findLast(
      ({ number }) => number > by && this.#weave.edits[number]!.operation <= operation,
    )?.eol
  }

  #make(piece: Piece, index: number): Eol | undefined {
    if (piece.by !== NOBODY && !this.#isAccepted(piece.by)) return undefined
    const hasOwn = piece.kind === 'newline' && piece.eol !== 'follows'
    if (hasOwn && !this.#refusedEolEdits.some(number => number < piece.by)) return piece.eol as Eol
    const operation = piece.kind === 'newline' ? this.#operationOf(piece.by) : this.#closedBy(index)
    return this.#before(index, operation) ?? this.#first(operation)
  }

  #operationOf(edit: number): number {
    return edit === NOBODY ? -1 : this.#weave.edits[edit]!.operation
  }

  /** The first operation that added something after the last line of the base. */
  #closedBy(index: number): number {
    let first = Number.POSITIVE_INFINITY
    for (const { by } of this.#weave.pieces.slice(index + 1))
      if (this.#isAccepted(by)) first = Math.min(first, this.#operationOf(by))
    return first
  }

  /** Of the previous line, in the text that `operation` made. */
  #before(index: number, operation: number): Eol | undefined {
    for (let i = index - 1; i >= 0; i--) {
      if (!this.#stood(this.#weave.pieces[i]!, operation)) continue
      const eol = this.#lastIn(i, operation)
      if (eol) return eol
    }
    return undefined
  }

  /** Of line 1, in the text before `operation`. */
  #first(operation: number): Eol {
    const known = this.#firstBefore.get(operation)
    if (known) return known
    let first: Eol | undefined
    for (let i = 0; i < this.#weave.pieces.length && !first; i++)
      if (this.#stood(this.#weave.pieces[i]!, operation - 1))
        first = this.#firstIn(i, operation - 1)
    this.#firstBefore.set(operation, first ?? 'lf')
    return first ?? 'lf'
  }

  #stood({ by, removedBy }: Piece, operation: number): boolean {
    const isIn = (edit: number) => this.#isAccepted(edit) && this.#operationOf(edit) <= operation
    return (by === NOBODY || isIn(by)) && (removedBy === NOBODY || !isIn(removedBy))
  }

  #lastIn(index: number, operation: number): Eol | undefined {
    const piece = this.#weave.pieces[index]!
    if (piece.kind === 'text') return undefined
    if (piece.kind !== 'base') return this.setAfter(piece.by, operation) ?? this.#made[index]
    const { base } = this.#weave
    const line = base.lineAt(piece.end - 1)
    const isClosed = piece.end === base.endOf(line) && base.terminator(line) !== null
    const last = isClosed ? line : line - 1
    const own = last >= base.lineAt(piece.start) ? base.terminator(last) : null
    return own ? (this.setAfter(NOBODY, operation) ?? own) : undefined
  }

  #firstIn(index: number, operation: number): Eol | undefined {
    const piece = this.#weave.pieces[index]!
    if (piece.kind === 'text') return undefined
    if (piece.kind !== 'base') return this.setAfter(piece.by, operation) ?? this.#made[index]
    const { base } = this.#weave
    const line = base.lineAt(piece.start)
    const own = base.endOf(line) <= piece.end ? base.terminator(line) : null
    return own ? (this.setAfter(NOBODY, operation) ?? own) : undefined
  }
}
