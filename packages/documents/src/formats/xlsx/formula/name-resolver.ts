import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { contains, parseBox } from '../cell/address.ts'
import { type SheetTable, tablesOf } from '../parts/sheet-parts.ts'
import { findReferences, type Reference, type References } from './references.ts'

export interface NamedTarget {
  readonly areas: readonly { readonly sheet: number; readonly area: Reference }[]
  /** The ends of its ranges of sheets. */
  readonly spans: readonly (readonly [number, number])[]
  readonly isDynamic: boolean
  readonly mindsHidden: boolean
  readonly mindsSheets: boolean
}

/** Sheet names, defined names and tables of the file; ids are positions in the file. */
export class NameResolver {
  readonly sheets: readonly (Sheet | undefined)[]
  readonly #book: Book
  readonly #ids = new Map<string, number>()
  readonly #names = new Map<string, NamedTarget | undefined>()
  #tables: Map<string, { readonly sheet: number; readonly table: SheetTable }> | undefined

  constructor(book: Book) {
    this.#book = book
    this.sheets = book.part.sheets.map((_, id) => book.sheets.find(sheet => sheet.id === id))
    for (const [id, entry] of book.part.sheets.entries())
      this.#ids.set(entry.name.toLowerCase(), id)
  }

  /** Undefined for another workbook or an unknown sheet. */
  sheetsOf(names: readonly string[]): readonly number[] | undefined {
    const [first, last] = names.map(name => this.#ids.get(name.toLowerCase()))
    if (first === undefined) return undefined
    if (names.length < 2) return [first]
    if (last === undefined) return undefined
    const from = Math.min(first, last)
    const to = Math.max(first, last)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  }

  name(name: string, ownSheet: number): NamedTarget | undefined {
    const key = `${ownSheet}:${name}`
    if (this.#names.has(key)) return this.#names.get(key)
    this.#names.set(key, undefined) // stops a name that refers to itself
    const target = this.#resolve(name, ownSheet)
    this.#names.set(key, target)
    return target
  }

  #resolve(name: string, ownSheet: number): NamedTarget | undefined {
    const names = this.#book.part.definedNames.filter(own => own.name.toLowerCase() === name)
    if (names.length === 0) return this.#wholeTable(name)
    // `Other!Rate` means the name of another sheet: all names spelled so count.
    const targets = names.map(own => this.#targetOf(findReferences(own.text), ownSheet))
    return {
      areas: targets.flatMap(({ areas }) => areas),
      spans: targets.flatMap(({ spans }) => spans),
      isDynamic: targets.some(({ isDynamic }) => isDynamic),
      mindsHidden: targets.some(({ mindsHidden }) => mindsHidden),
      mindsSheets: targets.some(({ mindsSheets }) => mindsSheets),
    }
  }

  #targetOf(references: References, ownSheet: number): NamedTarget {
    const areas: { sheet: number; area: Reference }[] = []
    let { isDynamic, mindsHidden, mindsSheets } = references
    if (references.structured.some(({ table }) => table === '')) isDynamic = true
    const spans: (readonly [number, number])[] = []
    for (const area of references.areas) {
      const sheets = area.sheets ? (this.sheetsOf(area.sheets) ?? []) : [ownSheet]
      if (sheets.length === 0 && area.sheets!.length > 1) isDynamic = true // cells, as in formulas
      for (const sheet of sheets) areas.push({ sheet, area })
      if (sheets.length > 1) spans.push([sheets[0]!, sheets.at(-1)!])
    }
    for (const other of [...references.names, ...references.structured.map(own => own.table)]) {
      const target = this.name(other, ownSheet)
      if (target?.isDynamic) isDynamic = true
      if (target?.mindsHidden) mindsHidden = true
      if (target?.mindsSheets) mindsSheets = true
      if (target) areas.push(...target.areas)
      if (target) spans.push(...target.spans)
    }
    // A name with a relative reference means another cell for each formula, so its inputs are not resolved.
    const moves = references.areas.some(own => !own.fixedTop || !own.fixedLeft)
    const isUnknown = isDynamic || moves || mindsHidden
    return { areas, spans, isDynamic: isUnknown, mindsHidden, mindsSheets }
  }

  /** By name in lower case; includes deleted sheets, since formulas of the file still name them. */
  table(name: string): { readonly sheet: number; readonly table: SheetTable } | undefined {
    if (!this.#tables) {
      this.#tables = new Map()
      for (const [id, entry] of this.#book.part.sheets.entries())
        for (const table of tablesOf(
          this.#book.part,
          this.sheets[id] ?? this.#book.sheetOf(entry, id),
        ))
          this.#tables.set(table.name.toLowerCase(), { sheet: id, table })
    }
    return this.#tables.get(name)
  }

  /** The table that contains a cell. */
  tableAround(sheet: number, row: number, column: number): SheetTable | undefined {
    const own = this.sheets[sheet]
    return (
      own &&
      tablesOf(this.#book.part, own).find(({ ref }) => {
        const box = parseBox(ref)
        return box !== undefined && contains(box, row, column)
      })
    )
  }

  #wholeTable(name: string): NamedTarget | undefined {
    const own = this.table(name)
    const box = own && parseBox(own.table.ref)
    if (!box) return undefined
    const isFixed = { fixedTop: true, fixedLeft: true, fixedBottom: true, fixedRight: true }
    const area: Reference = { ...box, sheets: undefined, ...isFixed }
    const areas = [{ sheet: own.sheet, area }]
    return { areas, spans: [], isDynamic: false, mindsHidden: false, mindsSheets: false }
  }
}
