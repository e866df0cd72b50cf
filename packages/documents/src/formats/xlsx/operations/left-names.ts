import { bufferOf, decodeText } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import { cellKey, cellName, placeOf, WHOLE_SHEET } from '../cell/address.ts'
import { scanFormulas } from '../cell/formula-cells.ts'
import { listed } from '../view/read.ts'

/** Where the name of a renamed or deleted sheet remains, because only a person knows what is meant. */
export function leftNames(book: Book, name: string): string[] {
  const texts = findInTexts(book, name)
  return [
    ...(texts.length > 0
      ? [
          `Strings in formulas still name ${JSON.stringify(name)}, as INDIRECT and HYPERLINK take them: ${listed(texts, 10)}. Rewrite those that mean the sheet.`,
        ]
      : []),
    ...(book.part.hasMacros
      ? [`Macros of the workbook that name the sheet ${JSON.stringify(name)} are not changed.`]
      : []),
  ]
}

/** The cells whose formula contains the name in a string, followed by `!`. */
function findInTexts(book: Book, name: string): string[] {
  const escaped = name.replaceAll("'", "''").replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`"(?:[^"]*[^"\\p{L}\\p{N}_.])?${escaped}'?!`, 'iu')
  const found: string[] = []
  for (const sheet of book.sheets) {
    const look = (row: number, column: number, formula: string) => {
      const texts = formula.match(/"(?:[^"]|"")*"/g) ?? []
      if (texts.some(text => pattern.test(text)))
        found.push(placeOf(sheet.name, cellName(row, column)))
    }
    for (const { row, column, edit } of sheet.editsIn(WHOLE_SHEET))
      if (edit.formula) look(row, column, edit.formula.text)
    const xml = sheet.xml()
    if (!xml.ok || !bufferOf(xml.value.bytes).includes('!')) continue
    scanFormulas(xml.value, own => {
      const { bytes, row, column, formulaText, formulaTextEnd } = own
      if (bytes.subarray(formulaText, formulaTextEnd).indexOf(33) < 0) return
      if (!sheet.cells.has(cellKey(row, column)))
        look(row, column, decodeText(bytes, formulaText, formulaTextEnd))
    })
  }
  return found
}
