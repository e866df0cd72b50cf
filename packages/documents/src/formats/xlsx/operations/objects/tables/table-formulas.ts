import { Refusal } from '../../../../../refusal.ts'
import type { Book, FormulaPlace } from '../../../book/book.ts'
import { rewriteFormulas } from '../../../book/rewrites.ts'
import { contains, placeOf } from '../../../cell/address.ts'
import { mentionsTable, renameTableIn } from '../../../table/table-rewrites.ts'
import { withoutTables } from '../../../table/without-tables.ts'
import type { Editor } from '../../editor.ts'
import { settle } from '../../rows/settle.ts'
import type { WorkbookTable } from '../object-fields.ts'

/** Every formula that names the table has its new name. The book is settled, and so it is afterwards. */
export function renameInFormulas(editor: Editor, from: string, to: string): void {
  rewriteAll(editor, from, formula => renameTableIn(formula, from, to))
}

/** References to the table become references to its cells, as in Excel when a table becomes a range. */
export function plainInFormulas(editor: Editor, { sheet, table, box }: WorkbookTable): void {
  const { book } = editor
  const part = book.part.package.spellingOf(table.part)
  const prefix = placeOf(sheet.name, '')
  let lost: string | undefined
  const plain = (formula: string, at?: FormulaPlace) => {
    const isHere = at !== undefined && 'sheet' in at && at.sheet === sheet.id
    const after = withoutTables(formula, [table], isHere ? { at } : { prefix })
    if (mentionsTable(after, table.name)) lost ??= formula
    return after
  }
  rewriteAll(editor, table.name, plain, {
    mentions: '[',
    rewrite: (formula, at) => {
      const isInside =
        at !== undefined &&
        ('part' in at
          ? at.part === part
          : at.sheet === sheet.id && contains(box, at.row, at.column))
      return isInside ? plain(formula, at) : formula
    },
  })
  if (lost !== undefined)
    throw new Refusal(
      'CONFLICT',
      `the formula ${JSON.stringify(`=${lost}`)} names the table ${table.name} in a way that cannot be made plain cells; change it first`,
    )
}

/** Refuses columns that formulas name: without them Excel would repair the file. */
export function refuseNamedColumns(
  editor: Editor,
  table: string,
  columns: readonly string[],
): void {
  let found: string | undefined
  rewriteAll(editor, table, formula => {
    if (mentionsTable(formula, table, columns)) found ??= formula
    return formula
  })
  if (found !== undefined)
    throw new Refusal(
      'CONFLICT',
      `the formula ${JSON.stringify(`=${found}`)} names a column that the table ${table} would lose; change it first`,
    )
}

/** Changes every formula that mentions a table or a name, wherever the workbook has one. */
export function rewriteAll(
  editor: Editor,
  table: string,
  rewrite: (formula: string, at?: FormulaPlace) => string,
  more?: Book['rewrites'][number],
): void {
  const { book } = editor
  const onUndo = (step: () => void) => editor.onUndo(step)
  rewriteFormulas(book, onUndo, { mentions: table.toLowerCase(), rewrite })
  if (more) rewriteFormulas(book, onUndo, more)
  const mentions = table.toLowerCase()
  const definedNames = book.definedNames.map(own =>
    own.text.toLowerCase().includes(mentions) ? { ...own, text: rewrite(own.text) } : own,
  )
  onUndo(book.change({ definedNames }))
  settle(editor)
  // Nothing changed: the rewrites are done all the same.
  if (book.rewrites.length > 0) onUndo(book.change({ rewrites: [] }))
}
