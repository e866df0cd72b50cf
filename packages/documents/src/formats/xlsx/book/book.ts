import { type Box, fail, ok, type Result } from '@filewright/protocol'
import { attribute, children, parseXml, type XmlElement } from '../../../opc/index.ts'
import { cellKey, columnOfKey, parseBox, rowOfKey } from '../cell/address.ts'
import { CellScan, T_BOOLEAN, T_NUMBER, T_SHARED } from '../cell/cell-scan.ts'
import { type CellData, contentOf, EMPTY_CONTENT } from '../cell/cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import type { SharedStrings } from '../cell/strings.ts'
import { Mapping } from '../places/mapping.ts'
import {
  blankCell,
  CellValues,
  editedCell,
  type FormulaResults,
  NO_RESULTS,
  type StaleCells,
} from './cell-values.ts'
import { Sheet } from './sheet.ts'
import type { DefinedName, WorkbookPart } from './workbook-part.ts'
import { WriteCount } from './write-count.ts'

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

/** What a book is computed by. */
export interface BookPorts {
  findStale(book: Book): StaleCells
  /** Absent: formulas without a stored result that counts have none. */
  findResults?(book: Book): FormulaResults
}

/** What a cell may show depends on, besides the cells of the sheets. */
interface BookState {
  readonly part: WorkbookPart
  readonly sheets: readonly Sheet[]
  readonly definedNames: readonly DefinedName[]
  readonly rewrites: readonly FormulaRewrite[]
  readonly clock: string | undefined
  readonly unsettled: ReadonlyMap<number, ReadonlySet<number>>
}

/** An open workbook: the content of the file, and the edits on top of it. */
export class Book {
  /** Counts whatever may change what a cell shows: the setters below do, and its sheets. */
  readonly writes = new WriteCount()
  /** What its cells show. */
  readonly values: CellValues
  /** The name of a blank workbook's sheet, once the first sheet asked for took its place. */
  replacedBlank: string | undefined
  /** Where sheets and cells went each time that it went on from another state of the file; sheets by their ids. */
  moves: readonly Mapping[] = []
  #state: BookState
  #nextSheetId: number

  constructor(part: WorkbookPart, ports: BookPorts) {
    this.values = new CellValues(this, {
      stale: () => ports.findStale(this),
      results: () => ports.findResults?.(this) ?? NO_RESULTS,
    })
    this.#state = {
      part,
      sheets: part.sheets.map((entry, id) => this.#sheetOf(part, entry, id)),
      definedNames: part.definedNames,
      rewrites: [],
      clock: undefined,
      unsettled: new Map(),
    }
    this.#nextSheetId = part.sheets.length
  }

  get part(): WorkbookPart {
    return this.#state.part
  }

  get sheets(): readonly Sheet[] {
    return this.#state.sheets
  }

  get definedNames(): readonly DefinedName[] {
    return this.#state.definedNames
  }

  get rewrites(): readonly FormulaRewrite[] {
    return this.#state.rewrites
  }

  /** The time of the last operation, ISO 8601. */
  get clock(): string | undefined {
    return this.#state.clock
  }

  /** Formulas whose value in the file counts no more, because cells moved under them: by sheet id, cell keys. */
  get unsettled(): ReadonlyMap<number, ReadonlySet<number>> {
    return this.#state.unsettled
  }

  /** Goes on with other sheets, names and the like. Returns how to go back. */
  change(change: Partial<BookState>): () => void {
    const before = this.#state
    this.writes.note()
    this.#state = { ...before, ...change }
    return () => {
      this.writes.note()
      this.#state = before
    }
  }

  /** A sheet as the file has it. */
  sheetOf(entry: WorkbookPart['sheets'][number], id: number): Sheet {
    return this.#sheetOf(this.part, entry, id)
  }

  #sheetOf(part: WorkbookPart, entry: WorkbookPart['sheets'][number], id: number): Sheet {
    return new Sheet(part.package, this.writes, {
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
  settle(part: WorkbookPart, unsettled: Book['unsettled'], move: Mapping): () => void {
    const { moves } = this
    const nextSheetId = this.#nextSheetId
    const sheets = part.sheets.map((entry, id) => this.#sheetOf(part, entry, id))
    const { definedNames } = part
    const goBack = this.change({ part, sheets, definedNames, rewrites: [], unsettled })
    this.moves = [...moves, move]
    this.#nextSheetId = part.sheets.length
    return () => {
      goBack()
      this.moves = moves
      this.#nextSheetId = nextSheetId
    }
  }

  /** From the sheets' ids to the ones that they have once all edits are in the file: their positions. */
  renumbering(): Mapping {
    const positions = new Map(this.sheets.map(({ id }, position) => [id, position]))
    const pairs = Array.from({ length: this.#nextSheetId }, (_, id) => ({
      from: id,
      to: positions.get(id),
    }))
    return pairs.every(({ from, to }) => from === to)
      ? Mapping.identity
      : Mapping.of({ kind: 'sheets', pairs })
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

  /** A formula of the file as it reads now; a sheet created by an operation needs only the later rewrites. */
  rewriteFormula(formula: string, sheet?: Sheet, at?: FormulaPlace): string {
    let text = formula
    for (const { mentions, rewrite } of this.rewrites.slice(sheet?.firstRewrite ?? 0))
      if (text.toLowerCase().includes(mentions)) text = rewrite(text, at)
    return text
  }

  /** The cells of a box by key, unordered, as they are written: what formulas give is among the values. */
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
        const data = this.written(sheet, xml, own, strings.value)
        cells.set(cellKey(own.row, own.column), data)
      })
    }
    for (const { row, column, style } of sheet.looksIn(box)) {
      const key = cellKey(row, column)
      if (!cells.has(key)) cells.set(key, blankCell(row, column, style))
    }
    for (const [key, edit] of sheet.editsWithin(box)) {
      const row = rowOfKey(key)
      cells.set(key, editedCell(row, columnOfKey(key), edit))
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
        take(this.written(sheet, xml, own, strings.value))
        if (own.isMisplaced && found.length > before) wanted.noteMisplaced(own.row)
      })
    }
    for (const [key, edit] of sheet.editsWithin(box))
      take(editedCell(rowOfKey(key), columnOfKey(key), edit))
    return ok(found.sort((a, b) => a.row - b.row || a.column - b.column))
  }

  mergesOf(sheet: Sheet): Result<readonly Box[]> {
    if (sheet.merges) return ok(sheet.merges)
    const xml = sheet.xml()
    return xml.ok ? ok(readMerges(xml.value)) : xml
  }

  /** A cell of the file without an edit, as it is written. */
  written(sheet: Sheet, xml: SheetXml, cell: CellScan, strings: SharedStrings): CellData {
    const { row, column } = cell
    const key = cellKey(row, column)
    const style = (sheet.looks.size > 0 ? sheet.looks.get(key) : undefined) ?? cell.style
    const content = contentOf(cell, strings, this.part.is1904)
    const formula = sheet.formulaOf(xml, cell)
    if (!formula) return { row, column, style, content }
    const at = { sheet: sheet.id, row, column }
    const text = this.rewriteFormula(formula.text, sheet, at)
    const isSettled = !this.unsettled.get(sheet.id)?.has(key)
    return {
      row,
      column,
      style,
      content: EMPTY_CONTENT,
      formula: text === formula.text ? formula : { ...formula, text },
      ...(isSettled && cell.isComputed && { stored: content }),
    }
  }
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
