import { type Box, counted } from '@filewright/protocol'
import type { OperationResult } from '../../../../../format.ts'
import { attribute, children } from '../../../../../opc/index.ts'
import { Refusal } from '../../../../../refusal.ts'
import { arraysOf } from '../../../book/arrays.ts'
import { type Book, treeOf } from '../../../book/book.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { boxName, intersects, parseBox, placeOf } from '../../../cell/address.ts'
import type { WorkbookArgs } from '../../../declared/operations.ts'
import type { LiveBook } from '../../../objects/live-book.ts'
import { freeObjectName, ownerOfName } from '../../../objects/object-names.ts'
import {
  addTablePart,
  DEFAULT_TABLE_STYLE,
  setTableRange,
  setTotalsRow,
} from '../../../objects/table-part.ts'
import { boxField, gridField } from '../../arguments.ts'
import type { Editor } from '../../editor.ts'
import { changeParts, settledBook } from '../change-parts.ts'
import { refuseTaken, wrong } from '../object-fields.ts'
import { tableStyleField, totalsField, wantsTotals } from './table-fields.ts'
import {
  type Header,
  headersOf,
  refuseName,
  refuseRow,
  writeHeaders,
  writeTotals,
} from './table-rows.ts'

/** Makes a table of a range: its headers become text, each of its own. */
export function addTable(editor: Editor, args: WorkbookArgs<'add_table'>): OperationResult {
  const book = settledBook(editor)
  const sheet = gridField(book, args)
  const box = boxField(sheet, args)
  const hasHeader = args.header ?? true
  refuseUnfit(book, sheet, box, hasHeader, args)
  const asked = args.name
  const name =
    asked ??
    editor.resolve('name', () =>
      freeObjectName('Table', own => ownerOfName(book, own) !== undefined),
    )
  refuseName(book, args, name)
  const columns = hasHeader ? headersOf(editor, sheet, box) : numbered(box)
  const texts = columns.map(({ text }) => text)
  const hasTotals = wantsTotals(args) ?? false
  if (hasTotals) refuseRow(book, sheet, box.bottom + 1, box, args)
  const style = tableStyleField(book, args) ?? { style: DEFAULT_TABLE_STYLE }
  const place = `${placeOf(sheet.name, boxName(box))} table`
  const whole = hasTotals ? { ...box, bottom: box.bottom + 1 } : box
  const result = {
    op: 'add_table',
    sheet: sheet.name,
    table: name,
    range: boxName(whole),
    columns: texts,
    message: `Made ${placeOf(sheet.name, boxName(whole))} the table ${name}${describeHeaders(columns)}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const headers = { ...box, bottom: box.top }
  const below = { ...box, top: box.bottom + 1, bottom: box.bottom + 1 }
  const dependsOn = [
    ...(hasHeader ? editor.writersOfCells(sheet, headers) : []),
    ...(hasTotals ? editor.writersOfCells(sheet, below) : []),
    ...editor.writersOfFreed(sheet),
    ...editor.writersOfPart(sheet, 'autoFilter'),
  ]
  changeParts(editor, live => {
    takeOverFilter(live, book, sheet, box)
    addTablePart(live, book, sheet, { name, box, columns: texts, hasHeader, ...style })
    if (hasTotals) growTable(live, sheet, whole, hasHeader)
  })
  const made = book.sheets[sheet.id]!
  writeHeaders(editor, made, box.top, hasHeader ? columns : [], place)
  if (hasTotals)
    writeTotals(editor, made, whole, totalsField(book, args, { name, columns: texts }), place)
  editor.recordObject(place, {
    before: null,
    after: { text: `${name}: ${texts.join(', ')}` },
    objects: [{ kind: 'table', name }],
    sheet: made,
    dependsOn,
  })
  return result
}

function numbered({ left, right }: Box): readonly Header[] {
  return Array.from({ length: right - left + 1 }, (_, index) => ({
    column: left + index,
    text: `Column${index + 1}`,
    isNew: false,
  }))
}

function describeHeaders(columns: readonly Header[]): string {
  const fresh = columns.filter(({ isNew }) => isNew).map(({ text }) => JSON.stringify(text))
  return fresh.length === 0
    ? ` with ${counted(columns.length, 'column')}`
    : `; headers must be text and differ, so these were written: ${fresh.join(', ')}`
}

function growTable(live: LiveBook, sheet: Sheet, box: Box, hasHeader: boolean): void {
  const links = live.package.links(live.sheet(sheet).part).filter(({ kind }) => kind === 'table')
  const tree = live.tree(links.at(-1)!.target)
  setTotalsRow(tree, true)
  setTableRange(tree, box, { hasHeader, hasTotals: true })
}

function refuseUnfit(
  book: Book,
  sheet: Sheet,
  box: Box,
  hasHeader: boolean,
  args: WorkbookArgs<'add_table'>,
) {
  if (hasHeader && box.bottom === box.top)
    throw wrong(args, `${boxName(box)} is one row; a table has a header and a row of data`)
  refuseTaken(book, sheet, box)
  const xml = sheet.xml()
  const array = xml.ok ? arraysOf(xml.value).find(own => intersects(own, box)) : undefined
  if (array)
    throw new Refusal(
      'CONFLICT',
      `${boxName(array)} is filled by one formula, which a table cannot have`,
    )
  const filter = xml.ok ? treeOf(xml.value, 'autoFilter') : undefined
  const over = parseBox(attribute(filter, 'ref') ?? '')
  if (over && intersects(over, box) && children(filter, 'filterColumn').length > 0)
    throw new Refusal(
      'CONFLICT',
      `the sheet has a filter with conditions on ${boxName(over)}, and a table has its own; clear that filter first`,
    )
}

/** A filter of the sheet on these cells becomes the table's own, as in Excel. */
function takeOverFilter(live: LiveBook, book: Book, sheet: Sheet, box: Box): void {
  const frame = live.sheet(sheet)
  const filter = frame.find('autoFilter')
  const over = parseBox(frame.tree.attribute(filter, 'ref') ?? '')
  if (!filter || !over || !intersects(over, box)) return
  frame.tree.remove(filter)
  const { workbook } = live
  const names = workbook.root.child('x:definedNames')
  const position = String(book.sheets.indexOf(sheet))
  for (const own of [...(names?.children ?? [])])
    if (
      workbook.attribute(own, 'name') === '_xlnm._FilterDatabase' &&
      workbook.attribute(own, 'localSheetId') === position
    )
      workbook.remove(own)
  if (names && !names.children.some(({ isText }) => !isText)) workbook.remove(names)
}
