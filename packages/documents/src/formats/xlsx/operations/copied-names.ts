import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import type { DefinedName } from '../book/workbook-part.ts'
import { quoteSheet } from '../cell/address.ts'
import { copyFormula } from '../write/splice-sheet.ts'

/**
 * The local names of a copied sheet, as Excel creates them: the sheet's own local names, and those of the workbook that
 * refer to its cells. Without them the formulas of the copy would compute with the cells of the original.
 */
export function copiedNames(
  book: Book,
  sheet: Sheet,
  to: string,
): Omit<DefinedName, 'localSheet'>[] {
  const toCopy = copyFormula(book, sheet, to)
  const position = book.sheets.indexOf(sheet)
  const local = book.definedNames.filter(own => own.localSheet === position)
  const isLocal = new Set(local.map(own => own.name.toLowerCase()))
  const shared = book.definedNames.filter(
    own =>
      own.localSheet === undefined &&
      !isLocal.has(own.name.toLowerCase()) &&
      !/^_xl/i.test(own.name), // names that Excel itself uses, for charts and the like
  )
  const copy = (own: DefinedName) => toCopy(own.text, { prefix: `${quoteSheet(to)}!` })
  const next = 1 + book.definedNames.reduce((last, own) => Math.max(last, own.index), -1)
  return [...local, ...shared.filter(own => copy(own) !== own.text)].map((own, offset) => ({
    index: Math.max(next, book.part.definedNames.length) + offset,
    name: own.name,
    isHidden: own.isHidden,
    text: copy(own),
  }))
}
