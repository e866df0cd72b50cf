import type { OperationResult } from '../../../../../format.ts'
import { Refusal } from '../../../../../refusal.ts'
import { boxName, placeOf, refName } from '../../../cell/address.ts'
import type { WorkbookArgs } from '../../../declared/operations.ts'
import { cachesOfTable } from '../../../objects/pivot-sources.ts'
import { removeTablePart } from '../../../objects/table-part.ts'
import { findSlicer } from '../../../parts/slicers.ts'
import type { Editor } from '../../editor.ts'
import { changeParts, settledBook } from '../change-parts.ts'
import { tableField } from '../object-fields.ts'
import { plainInFormulas } from './table-formulas.ts'

/** A table becomes plain cells: they keep their values, and formulas that named the table name its cells. */
export function removeTable(editor: Editor, args: WorkbookArgs<'remove_table'>): OperationResult {
  const book = settledBook(editor)
  const found = tableField(book, args)
  const { sheet, table, box } = found
  editor.guard(sheet)
  const slicer = findSlicer(book, sheet)
  if (slicer !== undefined)
    throw new Refusal(
      'CONFLICT',
      `the slicer ${slicer} filters a table of the sheet; delete it in Excel first`,
    )
  const isQuery = book.part.package
    .relationships(table.part)
    .some(({ kind }) => kind === 'queryTable')
  if (isQuery)
    throw new Refusal('CONFLICT', `the table ${table.name} is filled by a query, so it stays`)
  const place = `table ${table.name}`
  const result = {
    op: 'remove_table',
    sheet: sheet.name,
    range: boxName(box),
    message: `The table ${table.name} is plain cells now (${placeOf(sheet.name, boxName(box))}); its values stay, its banding goes, and formulas name its cells.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  plainInFormulas(editor, found)
  changeParts(editor, live => {
    for (const { tree, source } of cachesOfTable(live, table.name)) {
      tree.setAttribute(source, 'name', undefined)
      tree.setAttribute(
        source,
        'ref',
        refName({ ...box, bottom: box.bottom - (table.hasTotals ? 1 : 0) }),
      )
      tree.setAttribute(source, 'sheet', sheet.name)
    }
    removeTablePart(live, book.sheets[sheet.id]!, table.part)
  })
  editor.recordObject(place, {
    before: { text: `${table.name} at ${placeOf(sheet.name, boxName(box))}` },
    after: null,
    objects: [{ kind: 'table', name: table.name }],
    sheet: book.sheets[sheet.id]!,
  })
  return result
}
