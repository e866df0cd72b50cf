import { cellKey } from '../../cell/address.ts'
import { scanFormulas } from '../../cell/formula-cells.ts'
import type { Editor } from '../editor.ts'

/** Formulas that mention a name whose meaning changed have no result that counts. The book is settled. */
export function unsettleReaders(editor: Editor, name: string): void {
  const { book } = editor
  const mentions = name.toLowerCase()
  const unsettled = new Map(book.unsettled)
  const indirect = book.definedNames.some(
    own => own.name.toLowerCase() !== mentions && own.text.toLowerCase().includes(mentions),
  )
  for (const sheet of book.sheets) {
    const xml = sheet.isInFile && sheet.kind !== 'chartsheet' ? sheet.xml() : undefined
    if (!xml?.ok) continue
    const found: number[] = []
    scanFormulas(xml.value, own => {
      const formula = sheet.formulaOf(xml.value, own)
      if (formula && (indirect || formula.text.toLowerCase().includes(mentions)))
        found.push(cellKey(own.row, own.column))
    })
    if (found.length > 0)
      unsettled.set(sheet.id, new Set([...(unsettled.get(sheet.id) ?? []), ...found]))
  }
  editor.onUndo(book.change({ unsettled }))
}
