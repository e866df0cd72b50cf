import { bufferOf, decodeText, encodeText, type Splices } from '../../../opc/index.ts'
import { resultXml } from '../book/cell-xml.ts'
import type { CellEdit } from '../book/sheet.ts'
import { cellKey } from '../cell/address.ts'
import type { CellScan } from '../cell/cell-scan.ts'
import type { CellContent } from '../cell/cells.ts'
import { decodeTag } from '../cell/formula-tags.ts'

/** The inputs of a sheet's new bytes besides its own edits. */
export interface SpliceOptions {
  /** Keys of cells whose cached value is now invalid. */
  readonly stale: ReadonlySet<number>
  /** Rows whose stored height is too low now. */
  readonly grown?: ReadonlySet<number>
  /** The results that are known now, for those cells and for formulas of edits. */
  readonly results?: {
    valueAt(key: number): CellContent | undefined
    /** The stored result is the right one. */
    isSameAt(key: number): boolean
  }
  /** Drops every formula's value. */
  readonly dropAllValues?: boolean
  readonly rewrite?: (
    formula: string,
    at: { readonly row: number; readonly column: number },
  ) => string
  /** For formulas of edits, which are already up to date. */
  readonly rewriteEdit?: (
    formula: string,
    at: { readonly row: number; readonly column: number },
  ) => string
}

export interface RowEdit {
  readonly column: number
  readonly edit: CellEdit
  /** A cell that the file lacks and that only has a style, be it the plain one in a row that has another. */
  readonly isLook?: true
}

export function isWritten({ edit, isLook }: RowEdit): boolean {
  return edit.content !== null || edit.formula !== undefined || edit.style > 0 || isLook === true
}

export interface RowWork {
  readonly edits: RowEdit[]
  /** Styles of cells whose content stays, by column. */
  readonly looks: Map<number, number>
  stale: boolean
}

/** A shared formula whose first cell is overwritten needs another owner. */
export function rememberMaster(own: CellScan, homeless: Homeless): void {
  const tag = decodeTag(own)
  const isMaster =
    tag?.t === 'shared' && tag.si !== undefined && own.formulaTextEnd > own.formulaText
  if (isMaster) homeless.set(cellKey(own.row, own.column), tag.si!)
}

/** The index of each shared formula whose first cell is overwritten, by that cell. */
export type Homeless = Map<number, string>

/** A cell without an edit of its own: its formula may name another sheet now, and its value may be invalid. */
export function freshen(splices: Splices, own: CellScan, options: SpliceOptions): void {
  if (options.rewrite && own.formulaTextEnd > own.formulaText && own.formulaStart >= 0) {
    const before = decodeText(own.bytes, own.formulaText, own.formulaTextEnd)
    const after = options.rewrite(before, own)
    if (after !== before) splices.replace(own.formulaText, own.formulaTextEnd, encodeText(after))
  }
  const isStale =
    options.stale.has(cellKey(own.row, own.column)) ||
    (options.dropAllValues && own.formulaStart >= 0)
  const key = cellKey(own.row, own.column)
  const result = isStale ? options.results?.valueAt(key) : undefined
  if (!isStale || (own.valueStart < 0 && !result) || options.results?.isSameAt(key)) return
  const prefix = bufferOf(own.bytes)
    .toString('latin1', own.start + 1, own.tagEnd)
    .replace(/c(?:[\s>/].*)?$/s, '')
  const written = result && own.formulaEnd > 0 ? resultXml(prefix, result) : { type: '', value: '' }
  const type = findTypeAttribute(own)
  if (type) splices.replace(type.start, type.end, written.type)
  else if (written.type !== '') splices.insert(own.tagEnd - 1, written.type)
  if (own.valueStart >= 0) splices.replace(own.valueStart, own.valueEnd, written.value)
  else splices.insert(own.formulaEnd, written.value)
}

/** Another style for a cell whose content stays: everything else in it keeps its bytes. */
export function restyle(splices: Splices, own: CellScan, style: number): void {
  const tag = bufferOf(own.bytes).toString('latin1', own.start, own.tagEnd)
  const match = /(\s+s\s*=\s*)("[^"]*"|'[^']*')/.exec(tag)
  if (match) {
    const from = own.start + match.index
    const isPlain = style === 0
    splices.replace(
      isPlain ? from : from + match[1]!.length,
      from + match[0].length,
      isPlain ? '' : `"${style}"`,
    )
  } else if (style > 0) {
    const name = /^<[^\s/>]+/.exec(tag)![0]
    splices.insert(own.start + name.length, ` s="${style}"`)
  }
}

/** ` t="str"` with the space before it: the type is removed with the value. */
function findTypeAttribute(own: CellScan): { start: number; end: number } | undefined {
  const tag = bufferOf(own.bytes).toString('latin1', own.start, own.tagEnd)
  const match = /\s+t\s*=\s*("[^"]*"|'[^']*')/.exec(tag)
  return match
    ? { start: own.start + match.index, end: own.start + match.index + match[0].length }
    : undefined
}
