import {
  type Box,
  type Change,
  type ChangeSide,
  ok,
  type Result,
  toChangeId,
} from '@filewright/protocol'
import type { DocumentName } from '../../format.ts'
import { Book } from './book/book.ts'
import type { Sheet } from './book/sheet.ts'
import { openWorkbook } from './book/workbook-part.ts'
import { boxName, cellName, placeOf, WHOLE_SHEET } from './cell/address.ts'
import type { CellData } from './cell/cells.ts'
import { findStale } from './formula/dependants.ts'
import { sideOf } from './operations/editor.ts'

export interface WorkbookDiff {
  readonly changes: readonly Change[]
  /** There are more than `maxChanges`. */
  readonly isTruncated: boolean
}

const MAX_CHANGES = 10_000
const ROWS_AT_ONCE = 1_000

/**
 * How two versions of a workbook differ, as a person reviews it: sheets, cells (value, formula, format), merged cells,
 * names. A formula whose result alone differs is a consequence, not a change.
 */
export function diffWorkbooks(
  before: Uint8Array,
  after: Uint8Array,
  name: DocumentName,
  maxChanges = MAX_CHANGES,
): Result<WorkbookDiff> {
  const old = openWorkbook(before)
  if (!old.ok) return old
  const now = openWorkbook(after)
  if (!now.ok) return now
  const diff = new Diff(
    new Book(old.value, findStale),
    new Book(now.value, findStale),
    name,
    maxChanges,
  )
  return diff.run()
}

class Diff {
  readonly #old: Book
  readonly #now: Book
  readonly #name: DocumentName
  readonly #limit: number
  readonly #changes: Change[] = []

  constructor(old: Book, now: Book, name: DocumentName, limit: number) {
    this.#old = old
    this.#now = now
    this.#name = name
    this.#limit = limit
  }

  run(): Result<WorkbookDiff> {
    for (const { before, after } of this.#pairs()) {
      if (!after) this.#add('sheet', `sheet ${before!.name}`, { text: before!.name }, null)
      else if (!before) this.#add('sheet', `sheet ${after.name}`, null, { text: after.name })
      else this.#compareSheets(before, after)
      if (!after || after.kind === 'chartsheet') continue
      const compared = this.#compareCells(before, after)
      if (!compared.ok) return compared
    }
    this.#compareNames()
    const isTruncated = this.#changes.length > this.#limit
    return ok({ changes: this.#changes.slice(0, this.#limit), isTruncated })
  }

  /** Matches sheets by name; a sheet with a new name matches the one that had its id. */
  #pairs(): { before?: Sheet; after?: Sheet }[] {
    const idsBefore = new Map(
      this.#old.part.sheets.map((entry, id) => [entry.sheetId, this.#old.sheets[id]!]),
    )
    const pairs: { before?: Sheet; after?: Sheet }[] = []
    const used = new Set<Sheet>()
    for (const after of this.#now.sheets) {
      const same = this.#old.sheets.find(sheet => sheet.name === after.name)
      const byId = idsBefore.get(this.#now.part.sheets[after.id]!.sheetId)
      const renamed =
        !same && byId && !this.#now.sheets.some(sheet => sheet.name === byId.name)
          ? byId
          : undefined
      const before = same ?? renamed
      if (before) used.add(before)
      pairs.push({ ...(before && { before }), after })
    }
    for (const before of this.#old.sheets) if (!used.has(before)) pairs.push({ before })
    return pairs
  }

  #compareSheets(before: Sheet, after: Sheet): void {
    if (before.name !== after.name)
      this.#add('sheet', `sheet ${before.name}`, { text: before.name }, { text: after.name })
    if (before.visibility !== after.visibility)
      this.#add(
        'sheet',
        `sheet ${after.name}`,
        { text: before.visibility },
        { text: after.visibility },
      )
    const merged = (book: Book, sheet: Sheet) => {
      const merges = book.mergesOf(sheet)
      return new Set(merges.ok ? merges.value.map(boxName) : [])
    }
    const old = merged(this.#old, before)
    const now = merged(this.#now, after)
    for (const range of old)
      if (!now.has(range))
        this.#add('structure', `${placeOf(after.name, range)} merged`, { text: range }, null)
    for (const range of now)
      if (!old.has(range))
        this.#add('structure', `${placeOf(after.name, range)} merged`, null, { text: range })
  }

  #compareCells(before: Sheet | undefined, after: Sheet): Result<void> {
    const last = Math.max(lastRow(before), lastRow(after))
    for (let top = 1; top <= last && this.#changes.length <= this.#limit; top += ROWS_AT_ONCE) {
      const box: Box = { ...WHOLE_SHEET, top, bottom: top + ROWS_AT_ONCE - 1 }
      const old = before ? this.#old.cellsIn(before, box) : ok(new Map<number, CellData>())
      if (!old.ok) return old
      const now = this.#now.cellsIn(after, box)
      if (!now.ok) return now
      const keys = [...new Set([...old.value.keys(), ...now.value.keys()])].sort((a, b) => a - b)
      for (const key of keys) this.#compareCell(after, old.value.get(key), now.value.get(key))
    }
    return ok(undefined)
  }

  #compareCell(sheet: Sheet, before: CellData | undefined, after: CellData | undefined): void {
    const at = after ?? before!
    const place = placeOf(sheet.name, cellName(at.row, at.column))
    const old = before ? sideOf(this.#old, before) : null
    const now = after ? sideOf(this.#now, after) : null
    const isSame =
      old?.formula === now?.formula && (old?.formula !== undefined || old?.value === now?.value)
    if (!isSame) {
      this.#add('cell', place, old, now)
      return
    }
    const oldFormat = before ? this.#old.part.styles().describe(before.style) : ''
    const nowFormat = after ? this.#now.part.styles().describe(after.style) : ''
    if (oldFormat !== nowFormat)
      this.#add('format', place, { ...old, format: oldFormat }, { ...now, format: nowFormat })
  }

  #compareNames(): void {
    const keyOf = (book: Book, own: Book['definedNames'][number]) =>
      own.localSheet === undefined ? own.name : `${book.sheets[own.localSheet]?.name}!${own.name}`
    const old = new Map(this.#old.definedNames.map(own => [keyOf(this.#old, own), own.text]))
    const now = new Map(this.#now.definedNames.map(own => [keyOf(this.#now, own), own.text]))
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const before = old.get(name)
      const after = now.get(name)
      if (before !== after)
        this.#add(
          'structure',
          `name ${name}`,
          before === undefined ? null : { text: before },
          after === undefined ? null : { text: after },
        )
    }
  }

  #add(
    kind: Change['kind'],
    place: string,
    before: ChangeSide | null,
    after: ChangeSide | null,
  ): void {
    this.#changes.push({
      id: toChangeId('diff', this.#changes.length, place),
      docPath: this.#name.docPath,
      path: this.#name.path,
      kind,
      place,
      before,
      after,
      operation: { toolCallId: 'diff', index: this.#changes.length, op: 'diff' },
      dependsOn: [],
    })
  }
}

function lastRow(sheet: Sheet | undefined): number {
  const xml = sheet?.xml()
  if (!xml?.ok) return 0
  const { numbers, count } = xml.value.rows
  return count > 0 ? numbers[count - 1]! : 0
}
