import {
  type Box,
  type Change,
  type ChangeId,
  type ChangeSide,
  toChangeId,
} from '@filewright/protocol'
import type { NarrowedOperation } from '../../../draft-log.ts'
import type { DocumentName, InputBytes } from '../../../format.ts'
import { inputOf } from '../../../operation-inputs.ts'
import type { FoundPlaces } from '../../../operation-trace.ts'
import { Refusal } from '../../../refusal.ts'
import { arraysOf } from '../book/arrays.ts'
import type { Book } from '../book/book.ts'
import type { CellEdit, Sheet } from '../book/sheet.ts'
import { showCell } from '../book/show.ts'
import type { WorkbookPart } from '../book/workbook-part.ts'
import { type CellAddress, cellKey, cellName, contains, placeOf } from '../cell/address.ts'
import { type CellData, EMPTY_CONTENT } from '../cell/cells.ts'
import type { LineShift } from '../places/line-shift.ts'
import type { HomeSheet } from '../places/map-formula.ts'
import type { Mapping } from '../places/mapping.ts'
import { isLost } from '../places/place-step.ts'
import { asHeader, followHeader } from '../table/table-columns.ts'
import { asTotal } from '../table/table-totals.ts'
import { homeOf, leftOutOf, movesBack } from './move-back.ts'
import type { ObjectRef } from './writers/object-writers.ts'
import type { Writers } from './writers/writers.ts'

/** The earlier content of cells that were written one after another. */
interface WrittenCells {
  readonly sheet: Sheet
  readonly keys: number[]
  readonly edits: (CellEdit | undefined)[]
  readonly writers: (ChangeId | undefined)[]
  readonly step: () => void
}

/** One running operation: what it may read and change, and how to undo it. */
export class Editor {
  readonly book: Book
  /** Refuses a sheet that cannot be edited, for an operation that finds its sheets by itself. */
  readonly guard: (sheet: Sheet) => void
  readonly changes: Change[] = []
  readonly warnings: string[] = []
  /** Warnings that a later operation of the call may have met: whether it did. */
  readonly isMet = new Map<string, () => boolean>()
  readonly #undo: (() => void)[]
  readonly #logged: NarrowedOperation
  readonly #name: DocumentName
  readonly #writers: Writers
  readonly #accepts: ((id: ChangeId) => boolean) | undefined
  readonly #inputs: InputBytes | undefined
  readonly #recalled: FoundPlaces | undefined
  /** What the operation found, or named, where the call did not name it. */
  readonly found: FoundPlaces = {}
  /** Notes on every change in a review: it overrides a protection or breaks a signature. */
  readonly #notes: string[]
  readonly #operation: Change['operation']
  /** Insertions that the log has before this operation, and that are refused. */
  readonly #leftOut: Mapping
  readonly #movesBack: boolean
  #quoted: { readonly name: string; readonly start: string } | undefined
  #cells: WrittenCells | undefined
  #saidText: string | undefined

  constructor(fields: {
    book: Book
    logged: NarrowedOperation
    name: DocumentName
    writers: Writers
    undo: (() => void)[]
    accepts?: (id: ChangeId) => boolean
    notes?: readonly string[]
    inputs?: InputBytes | undefined
    /** What it found when it was accepted. */
    recalled?: FoundPlaces | undefined
    guard: (sheet: Sheet) => void
  }) {
    this.book = fields.book
    this.guard = fields.guard
    this.#logged = fields.logged
    this.#name = fields.name
    this.#writers = fields.writers
    this.#undo = fields.undo
    this.#accepts = fields.accepts
    this.#inputs = fields.inputs
    this.#recalled = fields.recalled
    this.#notes = [...(fields.notes ?? [])]
    const { toolCallId, index, operation, assumes } = fields.logged
    this.#leftOut = leftOutOf(assumes)
    this.#movesBack = movesBack(operation)
    this.#operation = { toolCallId, index, op: operation.op }
  }

  /** Finds something once: the log keeps it, and every replay takes that. */
  readonly resolve = <Value>(key: string, find: () => Value): Value => {
    const recalled = this.#recalled
    const value = recalled && Object.hasOwn(recalled, key) ? (recalled[key] as Value) : find()
    this.found[key] = value
    return value
  }

  /** Whether the change at that place is wanted; a replay skips some. */
  accepts(place: string): boolean {
    return this.#accepts?.(this.#idOf(place)) ?? true
  }

  acceptsCell(sheet: Sheet, row: number, column: number): boolean {
    return this.#accepts?.(this.idAt(sheet, row, column)) ?? true
  }

  /** The cells that a replay leaves alone: whatever is wrong with their values by now does not matter. */
  leftOut(sheet: Sheet): (row: number, column: number) => boolean {
    if (!this.#accepts) return () => false
    const merges = this.book.mergesOf(sheet)
    const boxes = merges.ok ? merges.value : NO_BOXES
    const isWanted = (row: number, column: number) => this.acceptsCell(sheet, row, column)
    return (row, column) => {
      const merge = boxes.find(box => contains(box, row, column))
      return !isWanted(row, column) && !(merge && isWanted(merge.top, merge.left))
    }
  }

  /** The bytes of another file that the operation names; undefined: it names no such file. */
  input(path: string): Uint8Array | undefined {
    return inputOf(this.#logged, path, this.#inputs)
  }

  note(text: string): void {
    this.#notes.push(text)
  }

  onUndo(step: () => void): void {
    this.#undo.push(step)
  }

  /** Writes a cell and records the change. `before` is its earlier content. */
  writeCell(
    sheet: Sheet,
    before: CellData,
    given: CellEdit,
    dependsOn: readonly ChangeId[] = [],
  ): boolean {
    const { row, column } = before
    const place = this.#placeOf(sheet, row, column)
    if (!this.acceptsCell(sheet, row, column)) return false
    const edit = asTotal(this.book, sheet, before, asHeader(this.book, sheet, before, given))
    if (edit !== given && edit.content !== null)
      this.warnings.push(`Written as text, because table headers are text: ${place}.`)
    if (edit !== given && edit.formula)
      this.warnings.push(
        `Written as a formula, because the totals row of a table holds only labels and formulas: ${place}.`,
      )
    const headers = followHeader(this.book, sheet, before, edit, step => this.onUndo(step))
    const key = cellKey(row, column)
    const id = this.idAt(sheet, row, column)
    // Table headers must differ, and a cell of an array is free once the array's first cell is overwritten.
    const starts = arrayStarts(sheet, row, column)
    const around =
      headers.length === 0 && starts.length === 0
        ? NOTHING
        : [...headers, ...starts].flatMap(box => this.#writers.ofCellsIn(sheet, box))
    const previousEdit = sheet.setCell(key, edit)
    const previous = this.#writers.setCell(sheet, key, id)
    this.#rememberCell(sheet, key, previousEdit, previous)
    const onSheet = this.#carrying(sheet, row, column, edit.formula?.text)
    const stands =
      previous === undefined && around.length + onSheet.length + dependsOn.length === 0
        ? NOTHING
        : [...listOf(previous), ...around, ...onSheet, ...dependsOn]
    const named = this.#namedIn(edit)
    this.#record(id, place, 'cell', {
      before: sideOf(this.book, before),
      after: sideOf(this.book, edit),
      dependsOn: named.length > 0 ? [...stands, ...named] : stands,
    })
    return true
  }

  /** The tables and names of this draft that a cell needs. */
  #namedIn({ formula }: CellEdit): readonly ChangeId[] {
    if (this.#writers.objects.isEmpty) return NOTHING
    const { table } = this.#logged.operation
    const text = `${formula?.text ?? ''} ${typeof table === 'string' ? table : ''}`
    return this.#writers.objects.namedIn(text)
  }

  #carrying(
    sheet: Sheet,
    row: number,
    column: number,
    formula: string | undefined,
  ): readonly ChangeId[] {
    if (!this.#movesBack)
      return formula === undefined
        ? this.#writers.ofSheetAt(sheet, row, column)
        : [...this.#writers.ofSheet(sheet), ...this.#ofSheetsIn(formula)]
    const mapped = formula !== undefined && { text: formula, home: this.#homeOf(sheet) }
    return this.#writers.carrying(sheet, { row, column }, mapped || undefined)
  }

  #homeOf(sheet: Sheet): HomeSheet {
    return homeOf(this.book, sheet)
  }

  /** One undo step covers consecutive cells. */
  #rememberCell(
    sheet: Sheet,
    key: number,
    edit: CellEdit | undefined,
    writer: ChangeId | undefined,
  ): void {
    let cells = this.#cells
    if (!cells || cells.sheet !== sheet || this.#undo.at(-1) !== cells.step) {
      const fresh = { sheet, keys: [], edits: [], writers: [], step: () => this.#takeBack(fresh) }
      cells = fresh as WrittenCells
      this.#cells = cells
      this.onUndo(cells.step)
    }
    cells.keys.push(key)
    cells.edits.push(edit)
    cells.writers.push(writer)
  }

  #takeBack({ sheet, keys, edits, writers }: WrittenCells): void {
    for (let index = keys.length - 1; index >= 0; index--) {
      sheet.setCell(keys[index]!, edits[index])
      this.#writers.setCell(sheet, keys[index]!, writers[index])
    }
  }

  #placeOf(sheet: Sheet, row: number, column: number): string {
    if (this.#quoted?.name !== sheet.name)
      this.#quoted = { name: sheet.name, start: placeOf(sheet.name, '') }
    return `${this.#quoted.start}${cellName(row, column)}`
  }

  /** Goes on from a state of the file that has every edit in it, or whose cells moved. */
  settle(part: WorkbookPart, unsettled: Book['unsettled'], mapping: Mapping): void {
    this.onUndo(this.book.settle(part, unsettled, mapping))
    this.onUndo(this.#writers.follow(mapping))
    this.#cells = undefined
    this.#quoted = undefined
  }

  /** Records a change of a whole sheet: created, renamed, hidden, merged cells, widths. */
  recordSheet(
    sheet: Sheet,
    place: string,
    change: {
      readonly kind: 'sheet' | 'structure' | 'format'
      readonly before: ChangeSide | null
      readonly after: ChangeSide | null
      readonly dependsOn?: readonly ChangeId[]
      readonly description?: string
      /** Later changes on the sheet depend on this one. */
      readonly carries: boolean
      /** Only cells from this row or this column on moved. */
      readonly movedFrom?: CellAddress
      /** Nothing was done but to insert these lines. */
      readonly inserted?: LineShift
    },
  ): void {
    const { carries, kind, movedFrom, inserted, ...sides } = change
    const { objects } = this.#writers
    const dependsOn = [
      ...this.#writers.ofSheet(sheet),
      ...(carries ? objects.of([{ kind: 'freed', sheet: sheet.id }]) : NOTHING),
      ...(objects.isEmpty ? NOTHING : objects.namedIn(this.#said())),
      ...this.#ofSheetsIn(this.#said),
      ...(change.dependsOn ?? []),
    ]
    const id = this.#idOf(place)
    this.#record(id, place, kind, { ...sides, dependsOn, atomic: true })
    if (carries) this.onUndo(this.#writers.setSheet(sheet, { id, after: movedFrom, inserted }))
  }

  /** Records a change of a table, a name, a chart or the like; it is whole or not at all. */
  recordObject(
    place: string,
    change: {
      readonly before: ChangeSide | null
      readonly after: ChangeSide | null
      /** What was changed. */
      readonly objects: readonly ObjectRef[]
      /** What else it needs. */
      readonly reads?: readonly ObjectRef[]
      readonly sheet?: Sheet
      readonly dependsOn?: readonly ChangeId[]
      readonly description?: string
    },
  ): void {
    const { before, after, objects, reads = [], sheet, description } = change
    const own = this.#writers.objects
    const id = this.#idOf(place)
    const dependsOn = [
      ...(sheet ? this.#writers.ofSheet(sheet) : NOTHING),
      ...own.of([...objects, ...reads]),
      ...(own.isEmpty ? NOTHING : own.namedIn(this.#said())),
      ...this.#ofSheetsIn(this.#said),
      ...(change.dependsOn ?? NOTHING),
    ]
    const rest = { before, after, dependsOn, atomic: true, ...(description && { description }) }
    this.#record(id, place, 'structure', rest)
    const isFreed = after === null && sheet && objects.some(({ kind }) => FREES.has(kind))
    this.onUndo(own.set(isFreed ? [...objects, { kind: 'freed', sheet: sheet.id }] : objects, id))
  }

  /** The changes that took objects off a sheet, in whose place something may be now. */
  writersOfFreed(sheet: Sheet): readonly ChangeId[] {
    return this.#writers.objects.of([{ kind: 'freed', sheet: sheet.id }])
  }

  /** The whole call as text. */
  readonly #said = (): string => {
    this.#saidText ??= JSON.stringify(this.#logged.operation).toLowerCase()
    return this.#saidText
  }

  /** The changes of sheets that a text names, such as `Costs!A1`: its references mean the cells after them. */
  #ofSheetsIn(said: string | (() => string)): readonly ChangeId[] {
    if (!this.#writers.hasWrittenSheets()) return NOTHING
    const text = typeof said === 'string' ? said.toLowerCase() : said()
    if (!text.includes('!')) return NOTHING
    return this.book.sheets.flatMap(sheet => {
      const name = sheet.name.toLowerCase()
      const isNamed = text.includes(`${name}!`) || text.includes(`${name.replaceAll("'", "''")}'!`)
      return isNamed ? this.#writers.ofSheet(sheet) : NOTHING
    })
  }

  /** Writes a cell that belongs to the object of a change: a header, a total. */
  writeOwnCell(sheet: Sheet, key: number, edit: CellEdit, place: string): void {
    const previous = sheet.setCell(key, edit)
    const writer = this.#writers.setCell(sheet, key, this.#idOf(place))
    this.onUndo(() => {
      sheet.setCell(key, previous)
      this.#writers.setCell(sheet, key, writer)
    })
  }

  /** The call and the operation in it. */
  get callKey(): string {
    return `${this.#logged.toolCallId} ${this.#logged.index}`
  }

  /** Who made the call, and when. */
  get circumstances(): NarrowedOperation['circumstances'] {
    return this.#logged.circumstances
  }

  /** Nothing was done before to a workbook that was created for this. */
  get isOnBlank(): boolean {
    return this.#logged.circumstances.onBlank === true
  }

  /** A replay skips some changes. */
  get isReplay(): boolean {
    return this.#accepts !== undefined
  }

  /** Records that a sheet was shown, hidden, created or deleted. */
  noteVisibility(sheet: Sheet, place: string): void {
    this.onUndo(this.#writers.setVisibility(sheet, this.#idOf(place)))
  }

  /** Records that sheets came, went or moved. */
  noteList(place: string): void {
    this.onUndo(this.#writers.addToList(this.#idOf(place)))
  }

  /** The changes of the list of sheets, which a position in it counts. */
  writersOfList(): readonly ChangeId[] {
    return this.#writers.ofList()
  }

  /** Records that another sheet may take the name. */
  noteFreed(name: string, place: string): void {
    this.onUndo(this.#writers.freeName(name, this.#idOf(place)))
  }

  /** The change that freed the name. */
  writerOfName(name: string): readonly ChangeId[] {
    return listOf(this.#writers.ofName(name))
  }

  writerOfVisibility(sheet: Sheet): readonly ChangeId[] {
    return listOf(this.#writers.ofVisibility(sheet))
  }

  /** Records where a change of looks is. */
  noteLook(sheet: Sheet, box: Box, place: string): void {
    this.onUndo(this.#writers.setLook(sheet, box, this.#idOf(place)))
  }

  writersOfLooks(sheet: Sheet, box: Box): readonly ChangeId[] {
    return [...this.#writers.ofLooksIn(sheet, box), ...this.#writers.ofAllCellsIn(sheet, box)]
  }

  /** Later changes of the same element build on this one. */
  notePart(sheet: Sheet, local: string, place: string): void {
    this.onUndo(this.#writers.setPart(sheet, local, this.#idOf(place)))
  }

  writersOfPart(sheet: Sheet, local: string): readonly ChangeId[] {
    return this.#writers.ofPart(sheet, local)
  }

  writersOfCells(sheet: Sheet, box: Box): readonly ChangeId[] {
    return this.#writers.ofAllCellsIn(sheet, box)
  }

  /** The changes that what is copied from there depends on. */
  writersOfSource(sheet: Sheet, box: Box): readonly ChangeId[] {
    return [...this.#writers.ofSheet(sheet), ...this.writersOfLooks(sheet, box)]
  }

  /** Every change on a sheet so far. */
  writersOn(sheet: Sheet): readonly ChangeId[] {
    return this.#writers.allOn(sheet)
  }

  /** The changes that created or renamed a sheet, or moved its cells. */
  writersOfSheet(sheet: Sheet): readonly ChangeId[] {
    return this.#writers.ofSheet(sheet)
  }

  /** The changes that created or renamed the sheets of those names. */
  writersOfSheets(names: readonly string[]): readonly ChangeId[] {
    return names.flatMap(name => {
      const sheet = this.book.sheet(name)
      return sheet ? this.#writers.ofSheet(sheet) : []
    })
  }

  /** The changes of sheets that a formula names, and without which it would not mean the same. */
  writersOfNamed(home: Sheet, formula: string, names: readonly string[]): readonly ChangeId[] {
    if (!this.#movesBack) return this.writersOfSheets(names)
    return names.flatMap(name => {
      const sheet = this.book.sheet(name)
      const mapped = sheet && { text: formula, home: this.#homeOf(home) }
      return mapped ? this.#writers.carrying(sheet, undefined, mapped) : []
    })
  }

  #record(
    id: ChangeId,
    place: string,
    kind: Change['kind'],
    rest: Pick<Change, 'before' | 'after' | 'dependsOn' | 'atomic' | 'description'>,
  ): void {
    const description =
      rest.description === undefined && this.#notes.length === 0
        ? ''
        : [...(rest.description === undefined ? [] : [rest.description]), ...this.#notes].join('; ')
    this.changes.push({
      id,
      docPath: this.#name.docPath,
      path: this.#name.path,
      kind,
      place,
      ...rest,
      ...(description !== '' && { description }),
      dependsOn: rest.dependsOn.length > 0 ? [...new Set(rest.dependsOn)] : NOTHING,
      operation: this.#operation,
    })
  }

  /** The change of a cell that this operation makes, by the place that the log has for it. */
  idAt(sheet: Sheet, row: number, column: number): ChangeId {
    if (this.#leftOut.isIdentity) return this.#idOf(this.#placeOf(sheet, row, column))
    const at = this.#leftOut.cell({ sheet: sheet.name, row, column })
    const place = isLost(at) ? { row, column } : at
    return this.#idOf(this.#placeOf(sheet, place.row, place.column))
  }

  #idOf(place: string): ChangeId {
    return toChangeId(this.#logged.toolCallId, this.#logged.index, place)
  }
}

/** Most cells have no dependency, and an operation may write a million. */
const NOTHING: readonly ChangeId[] = []
const NO_BOXES: readonly Box[] = []
/** Where they are, cells cannot be merged or moved, nor another one be. */
const FREES: ReadonlySet<string> = new Set(['table', 'pivot'])

function listOf(id: ChangeId | undefined): ChangeId[] {
  return id === undefined ? [] : [id]
}

/** The first cell of each array that fills this one. */
function arrayStarts(sheet: Sheet, row: number, column: number): readonly Box[] {
  const xml = sheet.xml()
  const arrays = xml.ok ? arraysOf(xml.value) : NO_BOXES
  if (arrays.length === 0) return NO_BOXES
  return arrays
    .filter(box => contains(box, row, column))
    .map(box => ({ ...box, bottom: box.top, right: box.left }))
}

/** One side of a cell's change; null for an empty cell. */
export function sideOf(book: Book, cell: CellData | CellEdit): ChangeSide | null {
  const { style, formula } = cell
  const stored = 'stored' in cell ? cell.stored : undefined
  const content = stored ?? cell.content ?? EMPTY_CONTENT
  if (content.type === 'empty') return formula ? { formula: `=${formula.text}` } : null
  const { text } = showCell(book, { content, style })
  if (!formula) return { text, value: content.value }
  return { text, value: content.value, formula: `=${formula.text}` }
}

/** The current cells of a box, by key, as they are written. */
export function cellsIn(book: Book, sheet: Sheet, box: Box): Map<number, CellData> {
  const cells = book.cellsIn(sheet, box, refuseMisplaced(sheet))
  if (!cells.ok) throw new Refusal('UNREADABLE_FORMAT', cells.failure.message)
  return cells.value
}

export function refuseMisplaced(sheet: Sheet): (row: number) => void {
  return row => {
    throw new Refusal(
      'CONFLICT',
      `row ${row} of the sheet ${JSON.stringify(sheet.name)} has a cell whose address is in another row or beyond the last column, and programs disagree on where it is, so the row is kept as it is; ask for a copy saved by a spreadsheet program`,
    )
  }
}
