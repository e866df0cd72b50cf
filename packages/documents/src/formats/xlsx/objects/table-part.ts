import type { Box } from '@filewright/protocol'
import { encodeAttribute, type LiveNode, type LiveTree } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import { mainNamespace, XML_DECLARATION } from '../book/new-sheet.ts'
import type { Sheet } from '../book/sheet.ts'
import { refName } from '../cell/address.ts'
import { encodeAllEscapes } from '../cell/strings.ts'
import { tablesOf } from '../parts/sheet-parts.ts'
import type { LiveBook } from './live-book.ts'

export const TABLE_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml'
export const DEFAULT_TABLE_STYLE = 'TableStyleMedium2'

/** Functions of a totals row, by the words people use, and their number in SUBTOTAL. */
export const TOTAL_FUNCTIONS: Readonly<Record<string, readonly [name: string, code: number]>> = {
  average: ['average', 101],
  count_numbers: ['countNums', 102],
  count: ['count', 103],
  max: ['max', 104],
  min: ['min', 105],
  stddev: ['stdDev', 107],
  sum: ['sum', 109],
  var: ['var', 110],
}

export interface NewTable {
  readonly name: string
  readonly box: Box
  readonly columns: readonly string[]
  readonly hasHeader: boolean
  /** Undefined: none. */
  readonly style: string | undefined
}

/** Adds a table without a row of totals, with its part and its link. */
export function addTablePart(live: LiveBook, book: Book, sheet: Sheet, table: NewTable): void {
  const frame = live.sheet(sheet)
  const part = live.package.freeName(`${live.folder}tables/table`, '.xml')
  live.package.addPart(part, TABLE_TYPE, tableXml(book, table))
  const id = live.package.addLink(frame.part, 'table', part)
  const list = frame.ensure('tableParts')
  frame.tree.append(list, frame.tree.fragment(`<x:tablePart r:id="${id}"/>`))
  recount(frame.tree, list)
}

function tableXml(book: Book, { name, box, columns, hasHeader, style }: NewTable): string {
  const ref = refName(box)
  const filter = hasHeader ? `<autoFilter ref="${ref}"/>` : ''
  const list = columns
    .map((column, index) => `<tableColumn id="${index + 1}" name="${encodedName(column)}"/>`)
    .join('')
  return `${XML_DECLARATION}<table xmlns="${mainNamespace(book.part.isStrict)}" id="${nextTableId(book)}" name="${encodeAttribute(name)}" displayName="${encodeAttribute(name)}" ref="${ref}"${hasHeader ? '' : ' headerRowCount="0"'} totalsRowShown="0">${filter}<tableColumns count="${columns.length}">${list}</tableColumns>${styleXml(style)}</table>`
}

export function encodedName(column: string): string {
  return encodeAttribute(encodeAllEscapes(column))
}

export function styleXml(style: string | undefined, prefix = ''): string {
  const name = style === undefined ? '' : ` name="${encodeAttribute(style)}"`
  return `<${prefix}tableStyleInfo${name} showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/>`
}

function nextTableId(book: Book): number {
  const own = book.part.package
  let highest = 0
  for (const sheet of book.sheets)
    for (const { part } of tablesOf(book.part, sheet)) {
      const table = own.xml(part)
      const id = table.ok
        ? table.value.root.attributes.find(({ name }) => name === 'id')
        : undefined
      highest = Math.max(highest, Number(id?.value) || 0)
    }
  return highest + 1
}

/** Takes a table out of the package, and its entry out of the sheet. Its cells stay. */
export function removeTablePart(live: LiveBook, sheet: Sheet, part: string): void {
  const frame = live.sheet(sheet)
  const link = live.package
    .links(frame.part)
    .find(own => own.kind === 'table' && own.target.toLowerCase() === part.toLowerCase())
  const list = frame.find('tableParts')
  for (const entry of [...(list?.children ?? [])])
    if (frame.tree.attribute(entry, 'r:id') === link?.id) frame.tree.remove(entry)
  if (list) recount(frame.tree, list)
  if (list && !list.children.some(({ isText }) => !isText)) frame.tree.remove(list)
  if (link) live.package.removeLink(frame.part, link.id)
  live.package.removePart(link?.target ?? part)
}

/** `count` says how many elements the list holds. */
export function recount(tree: LiveTree, list: LiveNode): void {
  const held = list.children.filter(({ isText }) => !isText).length
  tree.setAttribute(list, 'count', String(held))
}

/** Whether the table has a row of totals; what its cells hold goes into its columns when they are written. */
export function setTotalsRow(tree: LiveTree, hasTotals: boolean): void {
  const { root } = tree
  tree.setAttribute(root, 'totalsRowCount', hasTotals ? '1' : undefined)
  tree.setAttribute(root, 'totalsRowShown', hasTotals ? undefined : '0')
  if (hasTotals) return
  for (const column of columnsOf(root)) {
    tree.setAttribute(column, 'totalsRowFunction', undefined)
    tree.setAttribute(column, 'totalsRowLabel', undefined)
    const formula = column.child('x:totalsRowFormula')
    if (formula) tree.remove(formula)
  }
}

export function columnsOf(root: LiveNode): readonly LiveNode[] {
  return root.child('x:tableColumns')?.children.filter(({ name }) => name === 'x:tableColumn') ?? []
}

/** The range of a table and of its filter, which leaves the totals out; a new header has the buttons of one. */
export function setTableRange(
  tree: LiveTree,
  box: Box,
  { hasHeader, hasTotals }: { readonly hasHeader: boolean; readonly hasTotals: boolean },
): void {
  const { root } = tree
  const hadHeader = tree.attribute(root, 'headerRowCount') !== '0'
  tree.setAttribute(root, 'headerRowCount', hasHeader ? undefined : '0')
  tree.setAttribute(root, 'ref', refName(box))
  const filter = root.child('x:autoFilter')
  const ref = refName({ ...box, bottom: box.bottom - (hasTotals ? 1 : 0) })
  if (!hasHeader) {
    if (filter) tree.remove(filter)
    return
  }
  if (filter) tree.setAttribute(filter, 'ref', ref)
  else if (!hadHeader) tree.insert(root, 0, tree.fragment(`<x:autoFilter ref="${ref}"/>`))
}
