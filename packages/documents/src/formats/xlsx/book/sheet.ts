import type { Box, Result } from '@filewright/protocol'
import { LIMITS, ok } from '@filewright/protocol'
import {
  broken,
  decodeText,
  findTooMany,
  findXmlProblem,
  isUtf8,
  type OpcPackage,
  toUtf8,
  type XmlEncoding,
} from '../../../opc/index.ts'
import { cellKey, columnOfKey, contains, rowOfKey } from '../cell/address.ts'
import type { CellScan } from '../cell/cell-scan.ts'
import type { CellContent, CellFormula } from '../cell/cells.ts'
import {
  decodeTag,
  masterAt,
  mastersOf,
  type SharedMaster,
  tableFunction,
} from '../cell/formula-tags.ts'
import { SheetXml } from '../cell/sheet-xml.ts'
import { shiftFormula } from '../places/rewrites.ts'
import type { SheetKind, SheetVisibility } from './workbook-part.ts'
import { type WriteCount, WrittenMap } from './write-count.ts'

/** A cell after an edit. `content` null: no value; the style stays. */
export interface CellEdit {
  readonly content: CellContent | null
  readonly formula?: CellFormula
  readonly style: number
}

export interface LineEdit {
  readonly hidden?: boolean
  /** Height in points, or width in characters; `auto`: a row as high as its text needs. */
  readonly size?: number | 'auto'
  /** The style of its cells that are not in the file. */
  readonly style?: number
  /** Levels of grouping around it; 0: none. */
  readonly level?: number
  /** The group that it closes is folded. */
  readonly folded?: boolean
}

/** The source of a sheet's XML: a part of the package, or bytes that an operation made. */
export type SheetSource =
  | { readonly from: 'part'; readonly part: string }
  | { readonly from: 'bytes'; readonly bytes: Uint8Array }

/** One sheet of an open workbook: its original XML, and the edits on top of it until bytes are requested. */
export class Sheet {
  readonly #writes: WriteCount
  #name: string
  visibility: SheetVisibility
  readonly #wasVisible: boolean
  readonly id: number
  readonly kind: SheetKind
  readonly source: SheetSource
  /** How many of the workbook's formula rewrites its bytes already include. */
  readonly firstRewrite: number
  readonly #cells: Map<number, CellEdit>
  readonly rows: Map<number, LineEdit>
  readonly columns: Map<number, LineEdit>
  /** Styles of cells whose content stays as it is, which no formula reads; a cell that has an edit has its style there. */
  readonly looks = new Map<number, number>()
  /** Elements next to the cells as edits have them, by local name: all of that name, as XML. */
  readonly around: Map<string, readonly string[]>
  /** Replaces the sheet's own list once a range was merged or unmerged. */
  merges: readonly Box[] | undefined
  readonly #package: OpcPackage
  #whole: Result<SheetXml> | undefined
  #encoding: XmlEncoding = 'utf-8'
  #start: { xml: SheetXml; packed: number } | undefined
  #problem: { found: string | undefined } | undefined
  #sorted: number[] | undefined
  #sortedLooks: number[] | undefined

  /** `writes`: those of its workbook, which count its own. */
  constructor(
    own: OpcPackage,
    writes: WriteCount,
    fields: {
      id: number
      name: string
      visibility: SheetVisibility
      kind: SheetKind
      source: SheetSource
      firstRewrite?: number
    },
  ) {
    this.#package = own
    this.#writes = writes
    this.#cells = new WrittenMap(writes)
    this.rows = new WrittenMap(writes)
    this.columns = new WrittenMap(writes)
    this.around = new WrittenMap(writes)
    this.id = fields.id
    this.#name = fields.name
    this.visibility = fields.visibility
    this.#wasVisible = fields.visibility === 'visible'
    this.kind = fields.kind
    this.source = fields.source
    this.firstRewrite = fields.firstRewrite ?? 0
  }

  get name(): string {
    return this.#name
  }

  set name(name: string) {
    this.#writes.note()
    this.#name = name
  }

  get cells(): ReadonlyMap<number, CellEdit> {
    return this.#cells
  }

  get encoding(): XmlEncoding {
    return this.#encoding
  }

  /** False for a sheet that is only listed, such as an old macro module. */
  get isInFile(): boolean {
    return this.source.from === 'bytes' || this.source.part !== ''
  }

  get isTouched(): boolean {
    return (
      this.cells.size > 0 ||
      this.rows.size > 0 ||
      this.columns.size > 0 ||
      this.looks.size > 0 ||
      this.around.size > 0 ||
      this.merges !== undefined ||
      this.isNewlyHidden
    )
  }

  /** Deselects its tab: Excel would otherwise write into it everything a person types into the visible sheet. */
  get isNewlyHidden(): boolean {
    return this.kind === 'worksheet' && this.#wasVisible && this.visibility !== 'visible'
  }

  /** Whether rows were hidden or shown, which affects some formulas. */
  get hidesRows(): boolean {
    return this.rowsHiddenOrShown().length > 0
  }

  rowsHiddenOrShown(): readonly number[] {
    const rows = [...this.rows].filter(([, own]) => own.hidden !== undefined || own.size === 0)
    return rows.map(([row]) => row)
  }

  /** The whole sheet. */
  xml(): Result<SheetXml> {
    this.#whole ??= this.#open()
    return this.#whole
  }

  /** The sheet down to that row at least: a read near the top does not unpack the rest. */
  xmlTo(row: number): Result<SheetXml> {
    if (this.#whole || this.source.from === 'bytes' || !this.isInFile) return this.xml()
    let packed = this.#start?.packed ?? FIRST_PACKED_BYTES
    if (this.#start && reaches(this.#start.xml, row)) return ok(this.#start.xml)
    for (;;) {
      const start = this.#package.partStart(this.source.part, packed)
      if (!start.ok) return start
      if (start.value.isWhole || !isUtf8(start.value.bytes)) return this.xml()
      const xml = SheetXml.open(start.value.bytes, false)
      if (xml instanceof SheetXml && reaches(xml, row)) {
        this.#start = { xml, packed }
        return ok(xml)
      }
      packed = nextPacked(packed, xml instanceof SheetXml ? xml : undefined, row)
      if (packed * 2 > this.#package.packedSizeOf(this.source.part)) return this.xml()
    }
  }

  /** Why the sheet must not be edited: editing a malformed part could break it further. */
  findProblem(): string | undefined {
    const xml = this.xml()
    if (!xml.ok) return xml.failure.message
    this.#problem ??= { found: findXmlProblem(xml.value.bytes) }
    return this.#problem.found
  }

  setCell(key: number, edit: CellEdit | undefined): CellEdit | undefined {
    const before = this.cells.get(key)
    if (!before !== !edit) this.#sorted = undefined
    if (edit) this.#cells.set(key, edit)
    else this.#cells.delete(key)
    return before
  }

  /** Another style for a cell whose content stays. Returns how to go back. */
  setLook(key: number, style: number): () => void {
    const edit = this.cells.get(key)
    if (edit) {
      this.#cells.set(key, { ...edit, style })
      return () => this.#cells.set(key, edit)
    }
    const before = this.looks.get(key)
    this.#sortedLooks = undefined
    this.looks.set(key, style)
    return () => {
      this.#sortedLooks = undefined
      if (before === undefined) this.looks.delete(key)
      else this.looks.set(key, before)
    }
  }

  /** Cells that have another style and no edit, inside a box, in order. */
  *looksIn(box: Box): Generator<{ row: number; column: number; style: number }> {
    if (this.looks.size === 0) return
    this.#sortedLooks ??= [...this.looks.keys()].sort((a, b) => a - b)
    const keys = this.#sortedLooks
    for (let at = lowerBound(keys, cellKey(box.top, 1)); at < keys.length; at++) {
      const key = keys[at]!
      const row = rowOfKey(key)
      if (row > box.bottom) return
      const column = columnOfKey(key)
      if (column >= box.left && column <= box.right && !this.cells.has(key))
        yield { row, column, style: this.looks.get(key)! }
    }
  }

  /** Elements next to the cells, all of that name. Returns how to go back. */
  setAround(local: string, texts: readonly string[]): () => void {
    const before = this.around.get(local)
    this.around.set(local, texts)
    return () => {
      if (before) this.around.set(local, before)
      else this.around.delete(local)
    }
  }

  /** The edited cells' keys in order. */
  get editedKeys(): readonly number[] {
    this.#sorted ??= [...this.cells.keys()].sort((a, b) => a - b)
    return this.#sorted
  }

  /** The edited cells inside a box, in order. */
  *editsIn(box: Box): Generator<{ row: number; column: number; edit: CellEdit }> {
    const keys = this.editedKeys
    for (let at = lowerBound(keys, cellKey(box.top, 1)); at < keys.length; at++) {
      const key = keys[at]!
      const row = rowOfKey(key)
      if (row > box.bottom) return
      const column = columnOfKey(key)
      if (column >= box.left && column <= box.right)
        yield { row, column, edit: this.cells.get(key)! }
    }
  }

  /** The edited cells inside a box, unordered: cheap while edits arrive. */
  *editsWithin(box: Box): Generator<readonly [number, CellEdit]> {
    const area = (box.bottom - box.top + 1) * (box.right - box.left + 1)
    if (area > this.cells.size) {
      for (const entry of this.cells)
        if (contains(box, rowOfKey(entry[0]), columnOfKey(entry[0]))) yield entry
      return
    }
    for (let row = box.top; row <= box.bottom; row++)
      for (let column = box.left; column <= box.right; column++) {
        const edit = this.cells.get(cellKey(row, column))
        if (edit) yield [cellKey(row, column), edit]
      }
  }

  /** A formula as stored in the file, read for its cell. */
  formulaOf(xml: SheetXml, cell: CellScan): CellFormula | undefined {
    if (cell.formulaStart < 0) return undefined
    // Some writers store the sign that Excel only displays.
    const text = decodeText(cell.bytes, cell.formulaText, cell.formulaTextEnd).replace(/^=/, '')
    const tag = decodeTag(cell)
    if (!tag) return { text, kind: 'normal' }
    const { t, ref, si } = tag
    const { metadata } = cell
    if (t === 'array') return { text, kind: 'array', ref, ...(metadata > 0 && { metadata }) }
    if (t === 'dataTable') return { text: tableFunction(cell), kind: 'dataTable', ref }
    if (t !== 'shared' || si === undefined) return { text, kind: 'normal' }
    if (text !== '') return { text, kind: 'shared', ref }
    const master = this.masterOf(xml, si, cell)
    if (!master) return { text: '', kind: 'shared' }
    return {
      text: shiftFormula(master.text, cell.row - master.row, cell.column - master.column),
      kind: 'shared',
    }
  }

  /** The cell that owns the shared formula of another. */
  masterOf(
    xml: SheetXml,
    index: string,
    at: { readonly row: number; readonly column: number },
  ): SharedMaster | undefined {
    const known = masterAt(mastersOf(xml), index, at)
    if (known || xml.isWhole) return known
    const whole = this.xml()
    return whole.ok ? masterAt(mastersOf(whole.value), index, at) : undefined
  }

  #findTooMany({ bytes, data }: SheetXml) {
    const what = `merged cells in the sheet ${JSON.stringify(this.name)}`
    return findTooMany(bytes.subarray(data.end), 'mergeCell ', { what, limit: LIMITS.sheetMerges })
  }

  #open(): Result<SheetXml> {
    if (!this.isInFile)
      return broken(
        `the sheet ${JSON.stringify(this.name)} is listed, but the file holds no part for it`,
      )
    const part =
      this.source.from === 'bytes' ? ok(this.source.bytes) : this.#package.part(this.source.part)
    if (!part.ok) return part
    const decoded = toUtf8(part.value)
    if (!decoded) return broken(`the sheet ${JSON.stringify(this.name)} is in an unknown encoding`)
    this.#encoding = decoded.encoding
    const xml = SheetXml.open(decoded.utf8, true)
    if (xml instanceof SheetXml) return this.#findTooMany(xml) ?? ok(xml)
    const problem = xml === 'more' ? 'it is cut off' : xml.problem
    return broken(`the sheet ${JSON.stringify(this.name)} is not well-formed: ${problem}`)
  }
}

const FIRST_PACKED_BYTES = 32 * 1024 // holds the first hundred rows of common sheets

/** How much to unpack next, estimated from the rows so far; near the end, all of it. */
function nextPacked(packed: number, xml: SheetXml | undefined, row: number): number {
  const last = xml && xml.rows.count > 0 ? xml.rows.numbers[xml.rows.count - 1]! : 0
  return Math.max(packed * 4, last > 0 ? Math.ceil((packed * row * 1.2) / last) : 0)
}

/** Whether these bytes contain all cells down to that row. */
function reaches(xml: SheetXml, row: number): boolean {
  if (xml.isWhole) return true
  const { rows } = xml
  return rows.count > 0 && rows.numbers[rows.count - 1]! > row
}

function lowerBound(sorted: readonly number[], key: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}
