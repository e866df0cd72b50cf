import type { Box } from '@filewright/protocol'
import {
  attribute,
  child,
  children,
  encodeAttribute,
  parseXml,
  prefixOf,
  Splices,
  textOf,
  type XmlElement,
} from '../../../opc/index.ts'
import { setAttribute } from '../book/splice-rows.ts'
import { columnName, parseBox } from '../cell/address.ts'
import { type LineShift, mapLine, type ShiftedRun } from '../places/line-shift.ts'
import { type ShiftedTree, setText, shiftTree } from './shift-refs.ts'
import type { ShiftRun } from './shift-run.ts'
import { shiftFilterColumn } from './shift-sheet.ts'

/** The header of a column that a table gained: the cell must hold the same text. */
export interface NewHeader {
  readonly row: number
  readonly column: number
  readonly text: string
}

/** A table with its range, its columns and the formulas it keeps. */
export function shiftTable(
  bytes: Uint8Array,
  run: ShiftRun,
  shift: LineShift | undefined,
): { readonly bytes: Uint8Array; readonly headers: readonly NewHeader[] } | undefined {
  const document = parseXml(bytes)
  if (typeof document === 'string') return undefined
  const { root } = document
  const name = attribute(root, 'displayName') ?? attribute(root, 'name') ?? ''
  run.owner = `the table ${name}`
  const splices = new Splices()
  const box = parseBox(attribute(root, 'ref') ?? '')
  const after = box && run.places.box(box)
  if (!box || !after) return undefined
  const lines = shift && isAmong(box, shift) ? shift : undefined
  const tree: ShiftedTree = { splices, bytes, offset: 0 }
  const headers =
    lines?.axis === 'column' ? shiftTableColumns(tree, root, box.left, after.top, lines) : []
  shiftTree(tree, root, run.places, (element, held) => {
    if (element.local === 'tableColumns') {
      for (const column of element.children) shiftOwnFormulas(tree, column, run, lines)
      return 'done'
    }
    if (element.local === 'filterColumn' && lines?.axis === 'column')
      return shiftFilterColumn(held, element, lines)
    return undefined
  })
  setAttribute(splices, root, 0, 'ref', refOf(after))
  return { bytes: splices.apply(bytes), headers }
}

/** Whether the columns of the table are among those that move: cells below it or above it are none of its own. */
function isAmong({ top, bottom }: Box, { axis, band }: LineShift): boolean {
  return axis === 'row' || !band || (band[0] <= top && band[1] >= bottom)
}

function refOf(box: Box): string {
  return `${columnName(box.left)}${box.top}:${columnName(box.right)}${box.bottom}`
}

function shiftOwnFormulas(
  tree: ShiftedTree,
  column: XmlElement,
  run: ShiftRun,
  lines: LineShift | undefined,
): void {
  if (isDeleted(column, lines)) return
  for (const local of ['calculatedColumnFormula', 'totalsRowFormula']) {
    const element = child(column, local)
    if (!element) continue
    const before = textOf({ bytes: tree.bytes, root: element }, element)
    run.owner = local === 'totalsRowFormula' ? 'the totals of a table' : 'a column of a table'
    const text = run.map(before, run.places.sheet).text
    if (text !== before) setText(tree, element, text)
  }
}

function isDeleted(column: XmlElement, lines: LineShift | undefined): boolean {
  if (lines?.axis !== 'column' || lines.kind !== 'delete') return false
  const table = column.parent?.parent
  const box = parseBox(attribute(table, 'ref') ?? '')
  if (!box || !column.parent) return false
  const at = box.left + children(column.parent, 'tableColumn').indexOf(column)
  return mapLine(lines, at) === undefined
}

function shiftTableColumns(
  { splices }: ShiftedTree,
  root: XmlElement,
  left: number,
  headerRow: number,
  lines: LineShift,
): NewHeader[] {
  const list = child(root, 'tableColumns')
  const columns = children(list, 'tableColumn')
  if (!list) return []
  if (lines.kind === 'delete') {
    const gone = columns.filter(own => isDeleted(own, lines))
    for (const own of gone) splices.remove(own.start, own.end)
    if (gone.length > 0)
      setAttribute(splices, list, 0, 'count', String(columns.length - gone.length))
    return []
  }
  const [{ at, count }] = lines.runs as [ShiftedRun]
  const index = at - left
  if (index <= 0 || index >= columns.length) return []
  const used = new Set(columns.map(own => (attribute(own, 'name') ?? '').toLowerCase()))
  let id = Math.max(...columns.map(own => Number(attribute(own, 'id') ?? 0)))
  const hasHeader = Number(attribute(root, 'headerRowCount') ?? 1) > 0
  const headers: NewHeader[] = []
  const texts: string[] = []
  for (let own = 0, number = 1; own < count; own++) {
    while (used.has(`column${number}`)) number++
    const text = `Column${number}`
    used.add(text.toLowerCase())
    texts.push(`<${prefixOf(list)}tableColumn id="${++id}" name="${encodeAttribute(text)}"/>`)
    if (hasHeader) headers.push({ row: headerRow, column: at + own, text })
  }
  splices.insert(columns[index]!.start, texts.join(''))
  setAttribute(splices, list, 0, 'count', String(columns.length + count))
  return headers
}
