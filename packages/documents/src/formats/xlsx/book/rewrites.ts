import type { Book, FormulaRewrite } from './book.ts'

/** From now on every formula of the file is read rewritten; formulas written by edits are changed at once. */
export function rewriteFormulas(
  book: Book,
  onUndo: (step: () => void) => void,
  rewrite: FormulaRewrite,
): void {
  onUndo(book.change({ rewrites: [...book.rewrites, rewrite] }))
  for (const sheet of book.sheets)
    for (const [key, edit] of sheet.cells) {
      if (!edit.formula?.text.toLowerCase().includes(rewrite.mentions)) continue
      sheet.setCell(key, {
        ...edit,
        formula: { ...edit.formula, text: rewrite.rewrite(edit.formula.text) },
      })
      onUndo(() => sheet.setCell(key, edit))
    }
}
