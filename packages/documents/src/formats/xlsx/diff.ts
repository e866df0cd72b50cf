import { type Box, ok, type Result } from '@filewright/protocol'
import { DiffChanges, type FileDiff } from '../../diff-changes.ts'
import type { DocumentName } from '../../format.ts'
import { Book } from './book/book.ts'
import type { Sheet } from './book/sheet.ts'
import { openWorkbook } from './book/workbook-part.ts'
import { boxName, cellName, placeOf, WHOLE_SHEET } from './cell/address.ts'
import type { CellData } from './cell/cells.ts'
import { findStale } from './formula/dependants.ts'
import { type ListedObject, objectsOfBook, objectsOnSheet } from './objects/list-objects.ts'
import { sideOf } from './operations/editor.ts'
import { setupOf } from './view/sheet-setup.ts'

const ROWS_AT_ONCE = 1_000

/**
 * How two versions of a workbook differ, as a person reviews it: sheets, cells (value, formula, format), merged cells,
 * names, tables, charts and other objects. A formula whose result alone differs is a consequence, not a change.
 */
export function diffWorkbooks(
  before: Uint8Array,
  after: Uint8Array,
  name: DocumentName,
  maxChanges?: number,
): Result<FileDiff> {
  const old = openWorkbook(before)
  if (!old.ok) return old
  const now = openWorkbook(after)
  if (!now.ok) return now
  const diff = new Diff(
    new Book(old.value, { findStale }),
    new Book(now.value, { findStale }),
    name,
    maxChanges,
  )
  return diff.run()
}

class Diff {
  readonly #old: Book
  readonly #now: Book
  readonly #changes: DiffChanges

  constructor(old: Book, now: Book, name: DocumentName, limit?: number) {
    this.#old = old
    this.#now = now
    this.#changes = new DiffChanges(name, limit)
  }

  run(): Result<FileDiff> {
    for (const { before, after } of this.#pairs()) {
      if (!after) this.#changes.add('sheet', `sheet ${before!.name}`, { text: before!.name }, null)
      else if (!before)
        this.#changes.add('sheet', `sheet ${after.name}`, null, { text: after.name })
      else this.#compareSheets(before, after)
      this.#compareObjects(
        before ? objectsOnSheet(this.#old, before) : [],
        after ? objectsOnSheet(this.#now, after) : [],
      )
      if (!after || after.kind === 'chartsheet') continue
      const compared = this.#compareCells(before, after)
      if (!compared.ok) return compared
    }
    this.#compareNames()
    this.#compareObjects(objectsOfBook(this.#old), objectsOfBook(this.#now))
    return ok(this.#changes.result)
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
      this.#changes.add(
        'sheet',
        `sheet ${before.name}`,
        { text: before.name },
        { text: after.name },
      )
    if (before.visibility !== after.visibility)
      this.#changes.add(
        'sheet',
        `sheet ${after.name}`,
        { text: before.visibility },
        { text: after.visibility },
      )
    this.#compareSetup(before, after)
    const merged = (book: Book, sheet: Sheet) => {
      const merges = book.mergesOf(sheet)
      return new Set(merges.ok ? merges.value.map(boxName) : [])
    }
    const old = merged(this.#old, before)
    const now = merged(this.#now, after)
    for (const range of old)
      if (!now.has(range))
        this.#changes.add(
          'structure',
          `${placeOf(after.name, range)} merged`,
          { text: range },
          null,
        )
    for (const range of now)
      if (!old.has(range))
        this.#changes.add('structure', `${placeOf(after.name, range)} merged`, null, {
          text: range,
        })
  }

  /** What is around the cells: frozen panes, rules, filter, print set-up, groups, widths and heights. */
  #compareSetup(before: Sheet, after: Sheet): void {
    const old = setupOf(this.#old, before).fields
    const now = setupOf(this.#now, after).fields
    for (const [name, words] of Object.entries(SETUP_WORDS)) {
      const [was, is] = [old[name], now[name]].map(value => (isNothing(value) ? null : value))
      if (JSON.stringify(was) === JSON.stringify(is)) continue
      const side = (value: unknown) => (value === null ? null : { text: setupText(value) })
      this.#changes.add('structure', placeOf(after.name, words), side(was), side(is))
    }
  }

  #compareCells(before: Sheet | undefined, after: Sheet): Result<void> {
    const last = Math.max(lastRow(before), lastRow(after))
    for (let top = 1; top <= last && !this.#changes.isFull; top += ROWS_AT_ONCE) {
      const box: Box = { ...WHOLE_SHEET, top, bottom: top + ROWS_AT_ONCE - 1 }
      const old = before ? this.#old.values.in(before, box) : ok(new Map<number, CellData>())
      if (!old.ok) return old
      const now = this.#now.values.in(after, box)
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
      this.#changes.add('cell', place, old, now)
      return
    }
    const oldFormat = before ? this.#old.part.styles().describe(before.style) : ''
    const nowFormat = after ? this.#now.part.styles().describe(after.style) : ''
    if (oldFormat !== nowFormat)
      this.#changes.add(
        'format',
        place,
        { ...old, format: oldFormat },
        { ...now, format: nowFormat },
      )
  }

  /** Tables, charts, comments and the like, by their places. */
  #compareObjects(before: readonly ListedObject[], after: readonly ListedObject[]): void {
    const old = new Map(before.map(own => [own.place, own.text]))
    const now = new Map(after.map(own => [own.place, own.text]))
    for (const place of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(place), now.get(place)]
      if (was !== is)
        this.#changes.add(
          'structure',
          place,
          was === undefined ? null : { text: was },
          is === undefined ? null : { text: is },
        )
    }
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
        this.#changes.add(
          'structure',
          `name ${name}`,
          before === undefined ? null : { text: before },
          after === undefined ? null : { text: after },
        )
    }
  }
}

const SETUP_WORDS: Readonly<Record<string, string>> = {
  frozen: 'panes',
  conditionalFormats: 'conditional formats',
  autoFilter: 'filter',
  groups: 'groups',
  print: 'print set-up',
  widths: 'widths',
  heights: 'heights',
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || Object.keys(value).length === 0
}

const SETUP_CHARACTERS = 500

function setupText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= SETUP_CHARACTERS ? text : `${text.slice(0, SETUP_CHARACTERS)}…`
}

function lastRow(sheet: Sheet | undefined): number {
  const xml = sheet?.xml()
  if (!xml?.ok) return 0
  const { numbers, count } = xml.value.rows
  return count > 0 ? numbers[count - 1]! : 0
}
