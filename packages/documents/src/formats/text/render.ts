import type { Content, Slice } from '@filewright/protocol'
import { asBuffer } from './codec.ts'
import { bomOf } from './encoding.ts'
import type { Eol } from './lines.ts'
import type { Settings } from './splice.ts'
import type { TextDocument } from './text.ts'
import { NOBODY, type Piece, type Weave } from './weave.ts'

export interface Rendered {
  /** Slices of the weave's base. */
  readonly content: Content
  readonly bom: boolean
}

/** The text with the accepted edits alone. */
export function renderWeave(weave: Weave, isAccepted: (edit: number) => boolean): Rendered {
  const stands = (edit: number) => edit === NOBODY || isAccepted(edit)
  const settings = settingsOf(weave, isAccepted)
  const writer = new Writer(weave, isAccepted, settings)
  const bom = settings.bom ?? weave.base.bom
  if (bom) writer.writeBom()
  for (const piece of weave.pieces)
    if (stands(piece.by) && (piece.removedBy === NOBODY || !isAccepted(piece.removedBy)))
      writer.writePiece(piece)
  return { content: writer.close(), bom }
}

/** The last one that set a property decides. */
function settingsOf(weave: Weave, isAccepted: (edit: number) => boolean): Settings {
  let settings: Settings = {}
  weave.edits.forEach((edit, number) => {
    if (isAccepted(number)) settings = { ...settings, ...edit.settings }
  })
  return settings
}

/**
 * A line end is held back until something follows it: whether the last one is written is a property of the file. An
 * empty last line is always closed, because without its newline it would be no line.
 */
class Writer {
  readonly #base: TextDocument
  readonly #finalNewline: boolean
  readonly #slices: Slice[] = []
  readonly #pending: Uint8Array[] = []
  /** Edits that set the line ends of everything before them, accepted or not. */
  readonly #eolEdits: readonly { number: number; eol: Eol; isAccepted: boolean }[]
  #heldBack: (() => void) | undefined
  #lastEol: Eol | undefined
  #lineIsEmpty = true

  constructor(weave: Weave, isAccepted: (edit: number) => boolean, settings: Settings) {
    this.#base = weave.base
    this.#finalNewline =
      settings.finalNewline ?? (weave.base.finalNewline || weave.base.lineCount === 0)
    this.#eolEdits = weave.edits.flatMap(({ settings: { eol } }, number) =>
      eol ? [{ number, eol, isAccepted: isAccepted(number) }] : [],
    )
  }

  writeBom() {
    const { bomLength, encoding } = this.#base
    if (bomLength > 0) this.#slice(0, bomLength)
    else this.#inline(bomOf(encoding)!)
  }

  writePiece(piece: Piece) {
    this.#flush()
    if (piece.kind === 'text') {
      this.#inline(piece.bytes)
      this.#lineIsEmpty = false
    } else if (piece.kind === 'base') this.#writeBase(piece.start, piece.end)
    else if (piece.kind === 'newline') this.#holdEol(this.#eolOf(piece.by, piece.eol))
    else this.#holdEol(this.#setEol(NOBODY) ?? this.#eolBefore())
  }

  close(): Content {
    const closesLine = this.#finalNewline || this.#lineIsEmpty
    if (closesLine) this.#flush()
    this.#joinInline()
    return this.#slices
  }

  /** The line end that an accepted edit after `by` gave to the whole file. */
  #setEol(by: number): Eol | undefined {
    return this.#eolEdits.findLast(edit => edit.isAccepted && edit.number > by)?.eol
  }

  /** An inserted line end followed what an `eol` edit had made of the file: without that edit it follows its line. */
  #eolOf(by: number, eol: Eol): Eol {
    const followed = this.#eolEdits.findLast(edit => edit.number < by)
    return this.#setEol(by) ?? (followed && !followed.isAccepted ? this.#eolBefore() : eol)
  }

  #eolBefore(): Eol {
    return this.#lastEol ?? (this.#base.lineCount > 0 ? this.#base.terminator(1) : null) ?? 'lf'
  }

  #writeBase(start: number, end: number) {
    const base = this.#base
    const lastLine = base.lineAt(end - 1)
    const terminator = end === base.endOf(lastLine) ? base.terminator(lastLine) : null
    const eol = this.#setEol(NOBODY)
    if (eol) return this.#writeConverted(start, end, eol)
    const textEnd = terminator ? base.textEndOf(lastLine) : end
    if (textEnd > start) this.#slice(start, textEnd)
    if (terminator) {
      this.#lineIsEmpty =
        textEnd <= Math.max(start, base.startOf(lastLine)) && this.#startsLine(start, lastLine)
      this.#lastEol = terminator
      this.#heldBack = () => this.#slice(textEnd, end)
    } else {
      this.#lineIsEmpty = false
      const inside = lastLine > base.lineAt(start) ? base.terminator(lastLine - 1) : null
      this.#lastEol = inside ?? this.#lastEol
    }
  }

  /** Whether the line that a piece of the base ends with has nothing before this piece. */
  #startsLine(start: number, lastLine: number): boolean {
    return start <= this.#base.startOf(lastLine) || this.#lineIsEmpty
  }

  #writeConverted(start: number, end: number, eol: Eol) {
    const base = this.#base
    const newline = encodeEol(base, eol)
    const chunks: Uint8Array[] = []
    for (let n = base.lineAt(start); n <= base.lineCount && base.startOf(n) < end; n++) {
      const from = Math.max(start, base.startOf(n))
      const to = Math.min(end, base.textEndOf(n))
      if (to > from) {
        chunks.push(base.bytes.subarray(from, to))
        this.#lineIsEmpty = false
      }
      if (end < base.endOf(n) || base.terminator(n) === null) break
      if (base.endOf(n) >= end) {
        this.#inline(Buffer.concat(chunks))
        return this.#holdEol(eol)
      }
      chunks.push(newline)
      this.#lineIsEmpty = true
    }
    this.#lastEol = eol
    if (chunks.length > 0) this.#inline(Buffer.concat(chunks))
  }

  #holdEol(eol: Eol) {
    this.#lastEol = eol
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

  /** Once for a run of inserted pieces: a thousand inserted lines are one slice. */
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
