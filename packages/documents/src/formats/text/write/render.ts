import type { Content, Slice } from '@filewright/protocol'
import { asBuffer } from '../decode/codec.ts'
import { bomOf } from '../decode/encoding.ts'
import { type Eol, unitAt } from '../decode/lines.ts'
import type { TextDocument } from '../decode/text.ts'
import { LineEnds } from './line-ends.ts'
import type { TextSettings } from './splice.ts'
import { NO_SETTINGS, NOBODY, type Piece, type Weave } from './weave.ts'

export interface Rendered {
  /** Slices of the weave's base. */
  readonly content: Content
  readonly bom: boolean
}

type IsAccepted = (edit: number) => boolean

/** The text with only the accepted edits. */
export function renderWeave(weave: Weave, isAccepted: IsAccepted): Rendered {
  return write(weave, isAccepted, settingsOf(weave, isAccepted))
}

/** The file should have no final newline, but its last line is empty and needs one. */
export function isClosedAnyway(weave: Weave): boolean {
  const settings = settingsOf(weave, () => true)
  return !hasFinalNewline(weave.base, settings) && write(weave, () => true, settings).isClosedAnyway
}

function hasFinalNewline(base: TextDocument, { finalNewline }: TextSettings): boolean {
  return finalNewline ?? (base.finalNewline || base.lineCount === 0)
}

function write(
  weave: Weave,
  isAccepted: IsAccepted,
  settings: TextSettings,
): Rendered & { readonly isClosedAnyway: boolean } {
  const writer = new Writer(weave.base, new LineEnds(weave, isAccepted), settings)
  const bom = settings.bom ?? weave.base.bom
  if (bom) writer.writeBom()
  const stands = ({ by, removedBy }: Piece) =>
    (by === NOBODY || isAccepted(by)) && (removedBy === NOBODY || !isAccepted(removedBy))
  weave.pieces.forEach((piece, index) => {
    if (stands(piece)) writer.writePiece(piece, index)
  })
  return { ...writer.close(), bom }
}

/** The last edit that set a property wins; an operation that left an empty last line gave the file a newline. */
function settingsOf(weave: Weave, isAccepted: IsAccepted): TextSettings {
  let settings: TextSettings = {}
  weave.edits.forEach(({ settings: set, operation }, number) => {
    if (set !== NO_SETTINGS && isAccepted(number)) settings = { ...settings, ...set }
    const isLast = weave.edits[number + 1]?.operation !== operation
    if (!isLast || !weave.emptyEnds.includes(operation)) return
    const stoodThen: IsAccepted = edit =>
      isAccepted(edit) && weave.edits[edit]!.operation <= operation
    if (write(weave, stoodThen, settings).isClosedAnyway)
      settings = { ...settings, finalNewline: true }
  })
  return settings
}

/**
 * A line end is held back until something follows it: whether the last one is written is a property of the file. An
 * empty last line is always closed, because without its newline it would not be a line.
 */
class Writer {
  readonly #base: TextDocument
  readonly #lineEnds: LineEnds
  readonly #finalNewline: boolean
  readonly #slices: Slice[] = []
  readonly #pending: Uint8Array[] = []
  #heldBack: (() => void) | undefined
  #lineIsEmpty = true

  constructor(base: TextDocument, lineEnds: LineEnds, settings: TextSettings) {
    this.#base = base
    this.#lineEnds = lineEnds
    this.#finalNewline = hasFinalNewline(base, settings)
  }

  writeBom() {
    const { bomLength, encoding } = this.#base
    if (bomLength > 0) this.#slice(0, bomLength)
    else this.#inline(bomOf(encoding)!)
  }

  writePiece(piece: Piece, index: number) {
    this.#flush()
    if (piece.kind === 'text') {
      this.#inline(piece.bytes)
      this.#lineIsEmpty = false
    } else if (piece.kind === 'base') this.#writeBase(piece.start, piece.end)
    else this.#holdEol(this.#lineEnds.of(index))
  }

  close() {
    const isClosedAnyway = !this.#finalNewline && this.#lineIsEmpty && this.#heldBack !== undefined
    if (this.#finalNewline || isClosedAnyway) this.#flush()
    this.#joinInline()
    return { content: this.#slices, isClosedAnyway }
  }

  #writeBase(start: number, end: number) {
    const base = this.#base
    const eol = this.#lineEnds.setAfter(NOBODY)
    if (eol) return this.#writeConverted(start, end, eol)
    const lastLine = base.lineAt(end - 1)
    const isClosed = end === base.endOf(lastLine) && base.terminator(lastLine) !== null
    const textEnd = isClosed ? base.textEndOf(lastLine) : end
    const lineStart = base.startOf(lastLine)
    if (textEnd > start) this.#slice(start, textEnd)
    const beginsInside = lineStart > start
    this.#lineIsEmpty = beginsInside
      ? textEnd === lineStart
      : this.#lineIsEmpty && textEnd === start
    if (isClosed) this.#heldBack = () => this.#slice(textEnd, end)
  }

  #writeConverted(start: number, end: number, eol: Eol) {
    const base = this.#base
    const newline = encodeEol(base, eol)
    for (let n = base.lineAt(start); n <= base.lineCount && base.startOf(n) < end; n++) {
      this.#flush()
      const from = Math.max(start, base.startOf(n))
      const isClosed = end >= base.endOf(n) && base.terminator(n) !== null
      const textEnd = Math.min(end, base.textEndOf(n))
      const to = isClosed && eol === 'lf' ? this.#beforeReturns(from, textEnd) : textEnd
      if (to > from) {
        this.#inline(base.bytes.subarray(from, to))
        this.#lineIsEmpty = false
      }
      if (isClosed) this.#heldBack = () => this.#inline(newline)
    }
  }

  /** CR CR LF is one line end, the result of converting twice: a CR left before the LF would form a CRLF again. */
  #beforeReturns(from: number, end: number): number {
    const { bytes, codec } = this.#base
    let at = end
    while (at - codec.unit >= from && unitAt(bytes, at - codec.unit, codec) === 13) at -= codec.unit
    return at
  }

  #holdEol(eol: Eol) {
    this.#heldBack = () => this.#inline(encodeEol(this.#base, eol))
  }

  #flush() {
    if (!this.#heldBack) return
    this.#heldBack()
    this.#heldBack = undefined
    this.#lineIsEmpty = true
  }

  #slice(start: number, end: number) {
    this.#joinInline()
    const last = this.#slices.at(-1)
    if (last?.from === 'base' && last.end === start)
      this.#slices[this.#slices.length - 1] = { from: 'base', start: last.start, end }
    else this.#slices.push({ from: 'base', start, end })
  }

  #inline(bytes: Uint8Array) {
    if (bytes.length > 0) this.#pending.push(bytes)
  }

  /** One slice per run of inserted pieces: a thousand inserted lines are one slice. */
  #joinInline() {
    const [only] = this.#pending
    if (!only) return
    const bytes = this.#pending.length === 1 ? only : Buffer.concat(this.#pending)
    this.#slices.push({ from: 'inline', bytes })
    this.#pending.length = 0
  }
}

const EOLS = { lf: '\n', crlf: '\r\n' }

function encodeEol({ codec }: TextDocument, eol: Eol): Uint8Array {
  return asBuffer(codec.encode(EOLS[eol])!)
}
