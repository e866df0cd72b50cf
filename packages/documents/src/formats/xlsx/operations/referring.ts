import type { Box } from '@filewright/protocol'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { cellKey, cellName, placeOf, WHOLE_SHEET } from '../cell/address.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { drawingsOf, settingsOf, tablesOf } from '../parts/sheet-parts.ts'
import { dropSheetIn, type IsSheet } from '../places/rewrites.ts'
import { dropTableIn } from '../table/table-rewrites.ts'

interface Referring {
  /** References to the sheet: `Sales!B2`, `the name Total`, `the chart at Sales!D1`. */
  readonly places: readonly string[]
  /** What each of them says. */
  readonly formulas: readonly string[]
  /** The first of them with a range of sheets that ends at it. */
  readonly end: string | undefined
  /** Cells that had such a formula before an edit. */
  readonly freed: readonly { readonly sheet: Sheet; readonly box: Box }[]
}

/**
 * The names, and on other sheets the current formulas, charts and validations, that refer to the sheet or to a table on
 * it.
 */
export function findReferring(book: Book, sheet: Sheet, isSheet: IsSheet): Referring {
  const tables = tablesOf(book.part, sheet).map(table => table.name)
  const words = [sheet.name.replaceAll("'", "''"), ...tables].map(word => word.toLowerCase())
  const places: string[] = []
  const formulas: string[] = []
  const freed: { sheet: Sheet; box: Box }[] = []
  let end: string | undefined
  const look = (formula: string, place: () => string) => {
    const text = formula.toLowerCase()
    if (!words.some(word => text.includes(word))) return
    const left = dropSheetIn(formula, sheet.name, isSheet)
    if (left === undefined) end ??= place()
    if (left !== undefined && tables.reduce(dropTableIn, left) === formula) return
    places.push(place())
    formulas.push(formula)
  }
  const position = book.sheets.indexOf(sheet)
  for (const { name, text, localSheet } of book.definedNames)
    if (localSheet !== position) look(text, () => `the name ${name}`)
  for (const other of book.sheets) {
    if (other === sheet) continue
    const placeAt = (row: number, column: number) => () =>
      placeOf(other.name, cellName(row, column))
    for (const { row, column, edit } of other.editsIn(WHOLE_SHEET))
      if (edit.formula) look(edit.formula.text, placeAt(row, column))
    const rewritten = (formula: string) => book.rewriteFormula(formula, other)
    for (const { anchor, sources } of drawingsOf(book.part, other).charts)
      look(sources.map(rewritten).join(','), () =>
        anchor === undefined
          ? `a chart on ${other.name}`
          : `the chart at ${placeOf(other.name, anchor)}`,
      )
    const xml = other.xml()
    if (!xml.ok) continue
    for (const { ref, formula } of settingsOf(xml.value, rewritten).validations)
      look(formula, () => `the validation of ${placeOf(other.name, ref)}`)
    scanFormulas(xml.value, own => {
      const { row, column } = own
      const formula = other.formulaOf(xml.value, own)
      if (!formula) return
      const text = book.rewriteFormula(formula.text, other, { sheet: other.id, row, column })
      if (!other.cells.has(cellKey(row, column))) look(text, placeAt(row, column))
      else if (dropSheetIn(text, sheet.name, isSheet) === undefined)
        freed.push({ sheet: other, box: { top: row, bottom: row, left: column, right: column } })
    })
  }
  return { places, formulas, end, freed }
}
