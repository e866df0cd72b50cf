import { parse, tokenize } from '@borgar/fx/xlsx'
import type { Box } from '@filewright/protocol'
import type { Sheet } from '../book/sheet.ts'
import { cellKey, columnOfKey, MAX_COLUMN, MAX_ROW, parseBox, rowOfKey } from '../cell/address.ts'
import { CellScan } from '../cell/cell-scan.ts'
import type { CellFormula } from '../cell/cells.ts'
import type { SheetXml } from '../cell/sheet-xml.ts'
import { arrayNeed } from './array-formula.ts'

/** An area of a sheet by its id. */
export interface PlacedBox extends Box {
  readonly sheet: number
}

/** The cells that an array formula or a data table gives a value. */
export interface Filled {
  /** Those that have one in the file, besides its own. */
  readonly keys: readonly number[]
  /** All that it fills, and all that it may come to fill if it spills. */
  readonly boxes: readonly Box[]
}

/** Undefined for a formula that gives no other cell a value. */
export function fillOf(
  xml: SheetXml,
  { kind, ref = '', metadata, text }: CellFormula,
  row: number,
  column: number,
): Filled | undefined {
  if (kind !== 'array' && kind !== 'dataTable') return undefined
  const box = parseBox(ref) ?? { top: row, left: column, bottom: row, right: column }
  const isOne = box.top === box.bottom && box.left === box.right
  const spills = kind === 'array' && metadata !== undefined && (!isOne || givesSeveral(text))
  if (isOne && !spills && kind === 'array') return undefined
  const keys: number[] = []
  if (!isOne)
    visitIn(xml, box, own => {
      const isOwn = own.row === row && own.column === column
      if (own.valueStart >= 0 && !isOwn) keys.push(cellKey(own.row, own.column))
    })
  return { keys, boxes: spills ? [box, ...roomAround(xml, box)] : [box] }
}

/** What a formula of a cell gives a value besides that cell. */
export function filledBy(sheet: Sheet, formula: CellFormula, key: number): readonly Box[] {
  if (formula.kind !== 'array' && formula.kind !== 'dataTable') return []
  const xml = sheet.xml()
  return (xml.ok && fillOf(xml.value, formula, rowOfKey(key), columnOfKey(key))?.boxes) || []
}

function givesSeveral(text: string): boolean {
  try {
    return arrayNeed(parse(tokenize(text, { mergeRefs: true }))) === 'many'
  } catch {
    return true
  }
}

/** The empty cells below a spill, beside it, and below and beside it: it grows up to the first that holds something. */
function roomAround(xml: SheetXml, box: Box): Box[] {
  const below = { ...box, top: box.bottom + 1, bottom: MAX_ROW }
  const beside = { ...box, left: box.right + 1, right: MAX_COLUMN }
  visitIn(xml, below, own => {
    if (own.hasContent) below.bottom = Math.min(below.bottom, own.row - 1)
  })
  visitIn(xml, beside, own => {
    if (own.hasContent) beside.right = Math.min(beside.right, own.column - 1)
  })
  const corner = { ...below, left: beside.left, right: beside.right }
  visitIn(xml, corner, own => {
    if (own.hasContent) corner.bottom = Math.min(corner.bottom, own.row - 1)
  })
  return [below, beside, corner].filter(
    ({ top, bottom, left, right }) => bottom >= top && right >= left,
  )
}

function visitIn(xml: SheetXml, box: Box, visit: (cell: CellScan) => void): void {
  const cell = new CellScan()
  const { count, numbers } = xml.rows
  for (let index = xml.findRow(box.top); index < count && numbers[index]! <= box.bottom; index++)
    xml.scanRow(index, cell, own => {
      if (own.column >= box.left && own.column <= box.right) visit(own)
    })
}
