import { attribute, child } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { usedBox } from '../book/used.ts'
import { contains, parseBox } from '../cell/address.ts'
import { serialOfDate } from '../cell/cells.ts'
import { type SheetTable, tablesOf } from '../parts/sheet-parts.ts'

/** What a formula's names mean in the workbook as it is now. */
export interface Surroundings {
  readonly is1904: boolean
  /** The day number of the last operation. */
  readonly now: number | undefined
  sheetsOf(names: readonly string[]): readonly number[] | undefined
  /** A name's formula, the sheet's own before the workbook's; undefined where it is not certain which is meant. */
  nameText(name: string, sheet: number | undefined): string | undefined
  table(name: string): { readonly sheet: number; readonly table: SheetTable } | undefined
  tableAround(
    sheet: number,
    row: number,
    column: number,
  ): { readonly sheet: number; readonly table: SheetTable } | undefined
  /** How far the sheet's cells reach. */
  extentOf(sheet: number): { readonly rows: number; readonly columns: number }
}

export function surroundingsOf(book: Book): Surroundings {
  const byName = new Map(book.sheets.map((sheet, at) => [sheet.name.toLowerCase(), at]))
  const tables = new Map<string, { sheet: number; table: SheetTable }>()
  for (const sheet of book.sheets)
    for (const table of tablesOf(book.part, sheet))
      tables.set(table.name.toLowerCase(), { sheet: sheet.id, table })
  const extents = new Map<number, { rows: number; columns: number }>()
  return {
    is1904: book.part.is1904,
    now: book.clock === undefined ? undefined : serialOfDate(localTime(book.clock), false),
    sheetsOf(names) {
      const [first, last = first] = names.map(name => byName.get(name.toLowerCase()))
      if (first === undefined || last === undefined) return undefined
      return book.sheets.slice(Math.min(first, last), Math.max(first, last) + 1).map(({ id }) => id)
    },
    nameText(name, sheet) {
      const folded = name.toLowerCase()
      const all = book.definedNames.filter(own => own.name.toLowerCase() === folded)
      const position = book.sheets.findIndex(({ id }) => id === sheet)
      const own = all.find(({ localSheet }) => localSheet !== undefined && localSheet === position)
      const global = all.find(({ localSheet }) => localSheet === undefined)
      if (sheet === undefined && all.length > 1) return undefined
      return (own ?? global)?.text
    },
    table: name => tables.get(name.toLowerCase()),
    tableAround: (sheet, row, column) =>
      [...tables.values()].find(own => {
        const box = own.sheet === sheet ? parseBox(own.table.ref) : undefined
        return box !== undefined && contains(box, row, column)
      }),
    extentOf(id) {
      const known = extents.get(id) ?? measured(book.sheets.find(own => own.id === id))
      extents.set(id, known)
      return known
    },
  }
}

function measured(sheet: Sheet | undefined): { rows: number; columns: number } {
  const used = sheet && usedBox(sheet)
  const box = used?.ok ? used.value : undefined
  return { rows: box?.bottom ?? 1, columns: box?.right ?? 1 }
}

/** Clocks are in UTC, and a day begins there for everybody who replays the log. */
function localTime(iso: string): string {
  return iso.slice(0, 19)
}

/** Settings under which no value can be computed as the program would: rounded as shown, or cycles on purpose. */
export function calculationOf(book: Book): {
  readonly isExact: boolean
  readonly isIterative: boolean
} {
  const settings = child(book.part.document.root, 'calcPr')
  const isOn = (name: string) => /^(1|true)$/.test(attribute(settings, name) ?? '')
  const precision = attribute(settings, 'fullPrecision') ?? '1'
  return { isExact: /^(1|true)$/.test(precision), isIterative: isOn('iterate') }
}
