import { type Box, fail, ok, type Result } from '@filewright/protocol'
import { attribute, children, parseXml, type XmlElement } from '../../../opc/index.ts'
import { cellKey, columnOfKey, parseBox, rowOfKey } from '../cell/address.ts'
import { CellScan, T_BOOLEAN, T_NUMBER, T_SHARED } from '../cell/cell-scan.ts'
import { type CellContent, type CellData, contentOf, EMPTY_CONTENT } from '../cell/cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { type CellEdit, Sheet } from './sheet.ts'
import type { DefinedName, WorkbookPart } from './workbook-part.ts'

/** Changes every formula of the workbook: a sheet was renamed or deleted. */
export interface FormulaRewrite {
  /** Quick test that avoids parsing formulas that cannot be affected. */
  readonly mentions: string
  rewrite(formula: string, at?: FormulaPlace): string
}

/** Where a formula is: a cell of a sheet, or the part of a table. */
export type FormulaPlace =
  | { readonly sheet: number; readonly row: number; readonly column: number }
  | { readonly part: string }

/** Cells an edit made stale, by sheet id and cell key; computed lazily. */
export interface StaleCells {
  has(sheetId: number, row: number, column: number): boolean
}

/** Results of formulas after the edits, as far as they have a proof. */
export interface FormulaResults {
  /** By sheet id and cell key. */
  valueAt(sheetId: number, key: number): CellContent | undefined
  /** Whether the file's own result is still the right one. */
  isSameAt(sheetId: number, key: number): boolean
  /** Whether the formula has no result that is right. */
  isLackingAt(sheetId: number, key: number): boolean
}

export const NO_RESULTS: FormulaResults = {
  valueAt: () => undefined,
  isSameAt: () => false,
  isLackingAt: () => false,
}

/** Where sheets and cells went when the book went on from another state of the file; undefined: they are gone. */
export interface PlaceMove {
  sheetOf(id: number): number | undefined
  /** By the id that the sheet had. */
  keyOf(sheet: number, key: number): number | undefined
}

/** An open workbook: the content of the file, and the edits on top of it. */
export class Book {
  part: WorkbookPart
  sheets: readonly Sheet[]
  definedNames: readonly DefinedName[]
  rewrites: readonly FormulaRewrite[] = []
  /** The name of a blank workbook's sheet, once the first sheet asked for took its place. */
  replacedBlank: string | undefined
  #stale: StaleCells | undefined
  #results: FormulaResults | undefined
  /** The time of the last operation, ISO 8601. */
  clock: string | undefined
  /** Formulas whose value in the file counts no more, because cells moved under them: by sheet id, cell keys. */
  unsettled: ReadonlyMap<number, ReadonlySet<number>> = new Map()
  /** Every time that it went on from another state of the file. */
  moves: readonly PlaceMove[] = []
  readonly #findStale: (book: Book) => StaleCells
  readonly #findResults: (book: Book) => FormulaResults
  #nextSheetId: number

  constructor(
    part: WorkbookPart,
    findStale: (book: Book) => StaleCells,
    findResults: (book: Book) => FormulaResults = () => NO_RESULTS,
  ) {
    this.part = part
    this.#findStale = findStale
    this.#findResults = findResults
    this.definedNames = part.definedNames
    this.#nextSheetId = part.sheets.length
    this.sheets = part.sheets.map((entry, id) => this.sheetOf(entry, id))
  }

  /** A sheet as the file has it. */
  sheetOf(entry: WorkbookPart['sheets'][number], id: number): Sheet {
    return new Sheet(this.part.package, {
      id,
      name: entry.name,
      visibility: entry.visibility,
      kind: entry.kind,
      source: { from: 'part', part: entry.part },
    })
  }

  /**
   * Goes on from another state of the file, into which every edit so far was written: its sheets are the current ones in
   * their order, under new ids. Returns how to go back.
   */
  settle(part: WorkbookPart, unsettled: Book['unsettled'], move: PlaceMove): () => void {
    const before = {
      part: this.part,
      sheets: this.sheets,
      definedNames: this.definedNames,
      rewrites: this.rewrites,
      unsettled: this.unsettled,
      moves: this.moves,
    }
    const nextSheetId = this.#nextSheetId
    const moves = [...this.moves, move]
    Object.assign(this, { part, definedNames: part.definedNames, rewrites: [], unsettled, moves })
    this.sheets = part.sheets.map((entry, id) => this.sheetOf(entry, id))
    this.#nextSheetId = part.sheets.length
    this.forgetResults()
    return () => {
      Object.assign(this, before)
      this.#nextSheetId = nextSheetId
      this.forgetResults()
    }
  }

  /** Ids are never reused, so a reference to a deleted sheet cannot mean another one. */
  nextSheetId(): number {
    return this.#nextSheetId++
  }

  get hasEdits(): boolean {
    return (
      this.rewrites.length > 0 ||
      this.unsettled.size > 0 ||
      this.sheets.some(sheet => sheet.cells.size > 0)
    )
  }

  /** Whether formulas may have lost their results. */
  get mayBeStale(): boolean {
    return this.hasEdits || this.isRearranged || this.sheets.some(sheet => sheet.hidesRows)
  }

  /** The order or the set of sheets differs from the file. */
  get isRearranged(): boolean {
    return (
      this.sheets.length !== this.part.sheets.length ||
      this.sheets.some(({ id }, index) => id !== index)
    )
  }

  sheet(name: string): Sheet | undefined {
    const folded = name.trim().toLowerCase()
    return (
      this.sheets.find(sheet => sheet.name === name) ??
      this.sheets.find(sheet => sheet.name.trim().toLowerCase() === folded)
    )
  }

  /** The sheet, or a failure that lists the sheets. */
  findSheet(name: string, doing: string): Result<Sheet> {
    const sheet = this.sheet(name)
    if (sheet) return ok(sheet)
    const shown = this.sheets.slice(0, 50).map(own => own.name)
    const more =
      this.sheets.length > shown.length ? ` and ${this.sheets.length - shown.length} more` : ''
    const [first] = this.sheets
    const meant = first && name.trim() === '0' ? { sheet: first.name } : undefined
    const byName = /^\d+$/.test(name.trim()) ? ' A sheet goes by its name.' : ''
    return fail(
      'NO_SUCH_REGION',
      `Cannot ${doing} sheet ${JSON.stringify(name)}: the sheets are ${shown.join(', ')}${more}.${byName}`,
      { details: { sheets: shown, ...(meant && { meant }) } },
    )
  }

  /** Results that the edits made wrong; found once for a state of the workbook. */
  get staleCells(): StaleCells {
    this.#stale ??= this.#findStale(this)
    return this.#stale
  }

  /** Computed once for a state of the workbook, when somebody asks. */
  get results(): FormulaResults {
    this.#results ??= this.#findResults(this)
    return this.#results
  }

  /** After every edit. */
  forgetResults(): void {
    this.#stale = undefined
    this.#results = undefined
  }

  /** A formula of the file as it reads now; a sheet created by an operation needs only the later rewrites. */
  rewriteFormula(formula: string, sheet?: Sheet, at?: FormulaPlace): string {
    let text = formula
    for (const { mentions, rewrite } of this.rewrites.slice(sheet?.firstRewrite ?? 0))
      if (text.toLowerCase().includes(mentions)) text = rewrite(text, at)
    return text
  }

  /** Every cell of a box that has content or a style, in row order, with edits. */
  scan(sheet: Sheet, box: Box, visit: (cell: CellData) => void): Result<SheetXml> {
    const opened = sheet.xmlTo(box.bottom)
    if (!opened.ok) return opened
    const xml = opened.value
    const strings = this.part.strings()
    if (!strings.ok) return strings
    const stale = this.mayBeStale ? this.staleCells : undefined
    const cell = new CellScan()
    const edits = editsAndLooks(sheet, box)
    let next = 0
    const flush = (row: number, column: number) => {
      for (; next < edits.length; next++) {
        const own = edits[next]!
        if (own.row > row || (own.row === row && own.column >= column)) return
        if (own.edit) visit(this.#toEdited(sheet, own.row, own.column, own.edit))
        else visit(blankCell(own.row, own.column, own.style))
      }
    }
    for (let index = xml.findRow(box.top); index < xml.rows.count; index++) {
      const row = xml.rows.numbers[index]!
      if (row > box.bottom) break
      xml.scanRow(index, cell, own => {
        if (own.column < box.left || own.column > box.right) return
        if (edits.length > 0) {
          flush(own.row, own.column)
          if (sheet.cells.has(cellKey(own.row, own.column))) return
          const at = edits[next]
          if (at && at.row === own.row && at.column === own.column) next++ // its look alone is new
        }
        visit(this.#toData(sheet, xml, own, strings.value, stale))
      })
    }
    flush(Number.POSITIVE_INFINITY, 0)
    return ok(xml)
  }

  /** The cells of a box by key, unordered; formulas with the value stored in the file. */
  cellsIn(
    sheet: Sheet,
    box: Box,
    noteMisplaced?: (row: number) => void,
  ): Result<Map<number, CellData>> {
    const cells = new Map<number, CellData>()
    const opened = sheet.xmlTo(box.bottom)
    if (!opened.ok) return opened
    const strings = this.part.strings()
    if (!strings.ok) return strings
    const xml = opened.value
    const cell = new CellScan()
    for (let index = xml.findRow(box.top); index < xml.rows.count; index++) {
      if (xml.rows.numbers[index]! > box.bottom) break
      xml.scanRow(index, cell, own => {
        if (own.isMisplaced) noteMisplaced?.(own.row)
        if (own.column < box.left || own.column > box.right) return
        const data = this.#toData(sheet, xml, own, strings.value, undefined)
        cells.set(cellKey(own.row, own.column), data)
      })
    }
    for (const { row, column, style } of sheet.looksIn(box)) {
      const key = cellKey(row, column)
      if (!cells.has(key)) cells.set(key, blankCell(row, column, style))
    }
    for (const [key, edit] of sheet.editsWithin(box)) {
      const row = rowOfKey(key)
      cells.set(key, toCellData(row, columnOfKey(key), edit))
    }
    return ok(cells)
  }

  /** The cells of a box whose text (or formula, if requested) matches, in order. Only these are built. */
  findCells(
    sheet: Sheet,
    box: Box,
    wanted: {
      readonly inFormulas: boolean
      readonly isWanted: (text: string) => boolean
      readonly noteMisplaced: (row: number) => void
    },
  ): Result<CellData[]> {
    const opened = sheet.xmlTo(box.bottom)
    if (!opened.ok) return opened
    const strings = this.part.strings()
    if (!strings.ok) return strings
    const { isWanted, inFormulas } = wanted
    const found: CellData[] = []
    const take = (cell: CellData) => {
      const text = cell.formula ? cell.formula.text : cell.content.value
      if (cell.formula && !inFormulas) return
      if (typeof text === 'string' && (cell.formula || cell.content.type === 'text'))
        if (isWanted(text)) found.push(cell)
    }
    const shared = new Map<number, boolean>()
    const isSharedWanted = (index: number) => {
      let known = shared.get(index)
      if (known === undefined) {
        const text = strings.value.get(index)
        known = text !== undefined && isWanted(text)
        shared.set(index, known)
      }
      return known
    }
    const xml = opened.value
    const cell = new CellScan()
    for (let index = xml.findRow(box.top); index < xml.rows.count; index++) {
      if (xml.rows.numbers[index]! > box.bottom) break
      xml.scanRow(index, cell, own => {
        if (own.column < box.left || own.column > box.right) return
        const isFormula = own.formulaStart >= 0
        if (isFormula ? !inFormulas : own.type === T_NUMBER || own.type === T_BOOLEAN) return
        if (!isFormula && own.type === T_SHARED && !isSharedWanted(own.sharedIndex())) return
        if (sheet.cells.has(cellKey(own.row, own.column))) return
        const before = found.length
        take(this.#toData(sheet, xml, own, strings.value, undefined))
        if (own.isMisplaced && found.length > before) wanted.noteMisplaced(own.row)
      })
    }
    for (const [key, edit] of sheet.editsWithin(box))
      take(toCellData(rowOfKey(key), columnOfKey(key), edit))
    return ok(found.sort((a, b) => a.row - b.row || a.column - b.column))
  }

  mergesOf(sheet: Sheet): Result<readonly Box[]> {
    if (sheet.merges) return ok(sheet.merges)
    const xml = sheet.xml()
    return xml.ok ? ok(readMerges(xml.value)) : xml
  }

  /** A written cell with the result of its formula. */
  #toEdited(sheet: Sheet, row: number, column: number, edit: CellEdit): CellData {
    const result = edit.formula && this.results.valueAt(sheet.id, cellKey(row, column))
    if (!result) return toCellData(row, column, edit)
    return { row, column, style: edit.style, content: result, formula: edit.formula }
  }

  #toData(
    sheet: Sheet,
    xml: SheetXml,
    cell: CellScan,
    strings: Parameters<typeof contentOf>[1],
    stale: StaleCells | undefined,
  ): CellData {
    const { row, column } = cell
    const look = sheet.looks.size > 0 ? sheet.looks.get(cellKey(row, column)) : undefined
    const style = look ?? cell.style
    const formula = sheet.formulaOf(xml, cell)
    if (!formula) {
      // The value of a cell that an array formula fills belongs to that formula.
      if (stale?.has(sheet.id, row, column))
        return { row, column, style, content: EMPTY_CONTENT, isStale: true }
      return { row, column, style, content: contentOf(cell, strings, this.part.is1904) }
    }
    const isOld = stale?.has(sheet.id, row, column) ?? false
    const result =
      isOld || (stale && !cell.isComputed)
        ? this.results.valueAt(sheet.id, cellKey(row, column))
        : undefined
    const isStale = !result && (isOld || !cell.isComputed)
    const stored = isStale ? EMPTY_CONTENT : contentOf(cell, strings, this.part.is1904)
    return {
      row,
      column,
      style,
      content: result ?? stored,
      formula:
        this.rewrites.length > 0
          ? {
              ...formula,
              text: this.rewriteFormula(formula.text, sheet, { sheet: sheet.id, row, column }),
            }
          : formula,
      ...(isStale && { isStale }),
    }
  }
}

/** A formula that was just written, without a result. */
function toCellData(row: number, column: number, edit: CellEdit): CellData {
  const { style, formula } = edit
  if (!formula) return { row, column, style, content: edit.content ?? EMPTY_CONTENT }
  return { row, column, style, content: EMPTY_CONTENT, formula, isStale: true }
}

interface EditedCell {
  readonly row: number
  readonly column: number
  readonly edit?: CellEdit
  readonly style: number
}

/** Edited cells, and those that only have another style, in order. */
function editsAndLooks(sheet: Sheet, box: Box): readonly EditedCell[] {
  const edits: EditedCell[] =
    sheet.cells.size > 0
      ? Array.from(sheet.editsIn(box), own => ({ ...own, style: own.edit.style }))
      : []
  if (sheet.looks.size === 0) return edits
  const all = [...edits, ...sheet.looksIn(box)]
  return all.sort((a, b) => a.row - b.row || a.column - b.column)
}

function blankCell(row: number, column: number, style: number): CellData {
  return { row, column, style, content: EMPTY_CONTENT }
}

const merges = new WeakMap<SheetXml, readonly Box[]>()

export function readMerges(xml: SheetXml): readonly Box[] {
  const known = merges.get(xml)
  if (known) return known
  const found: Box[] = []
  for (const element of elementsOf(xml, 'mergeCells')) {
    const box = parseBox(attribute(element, 'ref') ?? '')
    if (box) found.push(box)
  }
  merges.set(xml, found)
  return found
}

/** The children of an element next to the cells, as trees; none when it is missing or broken. */
export function elementsOf(
  xml: SheetXml,
  local: string,
  childLocal?: string,
): readonly XmlElement[] {
  const root = treeOf(xml, local)
  if (!root) return []
  return childLocal ? children(root, childLocal) : root.children
}

export function treeOf(xml: SheetXml, local: string): XmlElement | undefined {
  const own = xml.element(local)
  if (!own) return undefined
  const document = parseXml(xml.bytes.subarray(own.start, own.end))
  return typeof document === 'string' ? undefined : document.root
}
