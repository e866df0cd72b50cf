import type { Box } from '@filewright/protocol'
import type { OperationResult } from '../../../../../format.ts'
import type { LiveNode, LiveTree } from '../../../../../opc/index.ts'
import type { Book } from '../../../book/book.ts'
import type { Sheet } from '../../../book/sheet.ts'
import { boxName, cellKey, placeOf } from '../../../cell/address.ts'
import { decodeEscapes } from '../../../cell/strings.ts'
import type { WorkbookArgs } from '../../../declared/operations.ts'
import type { LiveBook } from '../../../objects/live-book.ts'
import { cachesOfTable } from '../../../objects/pivot-sources.ts'
import {
  columnsOf,
  encodedName,
  recount,
  setTableRange,
  setTotalsRow,
  styleXml,
} from '../../../objects/table-part.ts'
import { boxField } from '../../arguments.ts'
import type { Editor } from '../../editor.ts'
import { styleAt } from '../../rows/settle.ts'
import { changeParts, settledBook } from '../change-parts.ts'
import { unsettleReaders } from '../name-readers.ts'
import { refuseTaken, tableField, type WorkbookTable, wrong } from '../object-fields.ts'
import { tableStyleField, totalsField, wantsTotals } from './table-fields.ts'
import { refuseNamedColumns, renameInFormulas } from './table-formulas.ts'
import {
  type Header,
  headersOf,
  refuseName,
  refuseRow,
  writeHeaders,
  writeTotals,
} from './table-rows.ts'

type Args = WorkbookArgs<'edit_table'>

/** What a table is to be. */
interface TablePlan {
  readonly name: string
  /** With its header and its totals. */
  readonly box: Box
  readonly columns: readonly Header[]
  readonly hasHeader: boolean
  readonly hasTotals: boolean
  readonly style?: { readonly style: string | undefined } | undefined
}

/** Another name, range, style, header or row of totals. */
export function editTable(editor: Editor, args: Args): OperationResult {
  const book = settledBook(editor)
  const found = tableField(book, args)
  const { sheet, table, box } = found
  editor.guard(sheet)
  const now = planNow(found)
  const plan = planOf(editor, found, args)
  const place = `table ${table.name}`
  const after = describe(sheet.name, plan)
  const result = {
    op: 'edit_table',
    sheet: sheet.name,
    table: plan.name,
    range: boxName(plan.box),
    message: `The table ${table.name} is now ${after}.`,
  }
  if (!editor.accepts(place)) return { ...result, message: 'Left out.' }
  const lost = table.columns.slice(plan.columns.length).map(decodeEscapes)
  if (lost.length > 0) refuseNamedColumns(editor, table.name, lost)
  if (plan.name !== table.name) renameInFormulas(editor, table.name, plan.name)
  changeParts(editor, live => writePart(live, found, plan))
  const isSame = boxName(plan.box) === boxName(box) && plan.hasHeader === now.hasHeader
  if (!isSame || plan.hasTotals !== now.hasTotals) unsettleReaders(editor, plan.name)
  const made = book.sheets[sheet.id]!
  if (plan.hasHeader) writeHeaders(editor, made, plan.box.top, plan.columns, place)
  if (now.hasHeader && !plan.hasHeader) clearRow(editor, made, box.top, box, place)
  if (now.hasTotals && !plan.hasTotals) clearRow(editor, made, box.bottom, box, place)
  if (wantsTotals(args)) {
    const columns = plan.columns.map(({ text }) => text)
    const totals = totalsField(book, args, { name: plan.name, columns })
    writeTotals(editor, made, plan.box, totals, place)
  }
  editor.recordObject(place, {
    before: { text: describe(sheet.name, now) },
    after: { text: after },
    objects: [
      { kind: 'table', name: table.name },
      { kind: 'table', name: plan.name },
    ],
    sheet: made,
    dependsOn: [
      ...editor.writersOfCells(made, grown(box, plan.box)),
      ...editor.writersOfFreed(made),
    ],
  })
  return result
}

/** The cells that the table had or has. */
function grown(one: Box, other: Box): Box {
  return {
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
    left: Math.min(one.left, other.left),
    right: Math.max(one.right, other.right),
  }
}

function planNow({ table, box }: WorkbookTable): TablePlan {
  const columns = table.columns.map((name, index) => ({
    column: box.left + index,
    text: decodeEscapes(name),
    isNew: false,
  }))
  const hasHeader = table.headerRows > 0
  return { name: table.name, box, columns, hasHeader, hasTotals: table.hasTotals }
}

function describe(sheet: string, plan: TablePlan): string {
  const { name, box, hasHeader, hasTotals, style, columns } = plan
  const words = [
    `${name} at ${placeOf(sheet, boxName(box))} (${columns.map(({ text }) => text).join(', ')})`,
    ...(hasHeader ? [] : ['without a header']),
    ...(hasTotals ? ['with totals'] : []),
    ...(style ? [`in ${style.style ?? 'no style'}`] : []),
  ]
  return words.join(', ')
}

function planOf(editor: Editor, found: WorkbookTable, args: Args): TablePlan {
  const { book } = editor
  const { sheet, table, box } = found
  const now = planNow(found)
  const name = args.new_name ?? table.name
  if (name.toLowerCase() !== table.name.toLowerCase()) refuseName(book, args, name)
  const asked = args.range === undefined ? box : boxField(sheet, args)
  refuseRange(found, asked, args)
  const columns = columnsIn(editor, found, asked)
  const hasHeader = args.header ?? now.hasHeader
  const hasTotals = wantsTotals(args) ?? now.hasTotals
  const ranged = {
    ...asked,
    top: asked.top + Number(now.hasHeader) - Number(hasHeader),
    bottom: asked.bottom + Number(hasTotals) - Number(now.hasTotals),
  }
  refuseRows(book, found, { box: ranged, hasHeader, hasTotals }, args)
  return {
    name,
    box: ranged,
    columns: now.hasHeader === hasHeader ? columns : columns.map(own => ({ ...own, isNew: true })),
    hasHeader,
    hasTotals,
    style: tableStyleField(book, args),
  }
}

/** A table grows and shrinks at its right and at its end. */
function refuseRange({ table, box }: WorkbookTable, asked: Box, args: Args): void {
  if (asked.top !== box.top || asked.left !== box.left)
    throw wrong(
      args,
      `the range of ${table.name} is ${boxName(box)}, and a new one begins at the same cell; ${boxName(asked)} does not`,
    )
  if (table.hasTotals && asked.bottom !== box.bottom)
    throw wrong(
      args,
      'the table has a row of totals at its end; take it off first with totals: false',
    )
}

function columnsIn(editor: Editor, found: WorkbookTable, asked: Box): readonly Header[] {
  const { sheet, table, box } = found
  const { columns } = planNow(found)
  if (asked.right <= box.right) return columns.slice(0, asked.right - asked.left + 1)
  if (table.headerRows > 0) return headersOf(editor, sheet, asked)
  const used = new Set(columns.map(({ text }) => text.toLowerCase()))
  const added: Header[] = []
  for (let column = box.right + 1, number = 1; column <= asked.right; column++) {
    while (used.has(`column${number}`)) number++
    added.push({ column, text: `Column${number++}`, isNew: false })
  }
  return [...columns, ...added]
}

function refuseRows(
  book: Book,
  { sheet, table }: WorkbookTable,
  { box, hasHeader, hasTotals }: Pick<TablePlan, 'box' | 'hasHeader' | 'hasTotals'>,
  args: Args,
): void {
  if (box.top < 1) throw wrong(args, 'there is no row above the table for a header')
  const rows = box.bottom - box.top + 1 - Number(hasHeader) - Number(hasTotals)
  if (rows < 1) throw wrong(args, `${boxName(box)} leaves the table no row of data`)
  refuseTaken(book, sheet, box, table.name)
  if (hasHeader && table.headerRows === 0) refuseRow(book, sheet, box.top, box, args)
  if (hasTotals && !table.hasTotals) refuseRow(book, sheet, box.bottom, box, args)
}

function writePart(live: LiveBook, { table }: WorkbookTable, plan: TablePlan): void {
  const tree = live.tree(table.part)
  const { root } = tree
  tree.setAttribute(root, 'name', plan.name)
  tree.setAttribute(root, 'displayName', plan.name)
  writeColumns(tree, plan.columns)
  if (plan.hasTotals !== table.hasTotals) setTotalsRow(tree, plan.hasTotals)
  setTableRange(tree, plan.box, plan)
  if (plan.style) setStyle(tree, plan.style.style)
  if (plan.name !== table.name)
    for (const { tree: cache, source } of cachesOfTable(live, table.name))
      cache.setAttribute(source, 'name', plan.name)
}

function setStyle(tree: LiveTree, style: string | undefined): void {
  const info = tree.root.child('x:tableStyleInfo')
  const list = tree.root.child('x:tableColumns')
  if (info) tree.setAttribute(info, 'name', style)
  else if (list) tree.after(list, tree.fragment(styleXml(style, 'x:')))
}

/** Columns that stay keep what they have; the others go, and new ones come. */
function writeColumns(tree: LiveTree, columns: readonly Header[]): void {
  const list = tree.root.child('x:tableColumns')
  const known = columnsOf(tree.root)
  if (!list || known.length === columns.length) return
  let id = Math.max(0, ...known.map(own => Number(tree.attribute(own, 'id')) || 0))
  const nodes: LiveNode[] = columns.map(
    ({ text }, index) =>
      known[index] ??
      tree.fragment(`<x:tableColumn id="${++id}" name="${encodedName(text)}"/>`)[0]!,
  )
  tree.setChildren(list, nodes)
  recount(tree, list)
  const filter = tree.root.child('x:autoFilter')
  for (const own of filter?.children.filter(({ name }) => name === 'x:filterColumn') ?? [])
    if (Number(tree.attribute(own, 'colId')) >= columns.length) tree.remove(own)
}

/** What a header or a row of totals held goes with it. */
function clearRow(editor: Editor, sheet: Sheet, row: number, { left, right }: Box, place: string) {
  for (let column = left; column <= right; column++) {
    const style = styleAt(editor.book, sheet, row, column)
    editor.writeOwnCell(sheet, cellKey(row, column), { content: null, style }, place)
  }
}
