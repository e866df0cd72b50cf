import type { Box } from '@filewright/protocol'

/** Rows and columns are 1-based, as people count them; boxes are inclusive. */
export const MAX_ROW = 1_048_576
export const MAX_COLUMN = 16_384
export const WHOLE_SHEET: Box = { top: 1, left: 1, bottom: MAX_ROW, right: MAX_COLUMN }

export interface CellAddress {
  readonly row: number
  readonly column: number
}

/** Unique within a sheet, ordered by row, then column. */
export function cellKey(row: number, column: number): number {
  return row * MAX_COLUMN + column - 1
}

export function rowOfKey(key: number): number {
  return Math.floor(key / MAX_COLUMN)
}

export function columnOfKey(key: number): number {
  return (key % MAX_COLUMN) + 1
}

/** Called for every cell. */
const columnNames: string[] = []

export function columnName(column: number): string {
  columnNames[column] ??= makeColumnName(column)
  return columnNames[column]
}

function makeColumnName(column: number): string {
  let name = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** 0 when it is not a column. */
export function columnNumber(name: string): number {
  let column = 0
  for (let i = 0; i < name.length; i++) column = column * 26 + (name.charCodeAt(i) & 31)
  return column <= MAX_COLUMN ? column : 0
}

export function cellName(row: number, column: number): string {
  return `${columnName(column)}${row}`
}

/** `B2`, `$B$2`, `b2`. */
export function parseCell(text: string): CellAddress | undefined {
  const match = /^\s*\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})\s*$/.exec(text)
  if (!match) return undefined
  const column = columnNumber(match[1]!)
  const row = Number(match[2])
  return column > 0 && row <= MAX_ROW ? { row, column } : undefined
}

/** `A1:E50`, `B2`, `A:C`, `3:7`, in any corner order. */
export function parseBox(text: string): Box | undefined {
  const [first, second, ...rest] = text.split(':')
  if (first === undefined || rest.length > 0) return undefined
  const a = parseCorner(first)
  const b = second === undefined ? a : parseCorner(second)
  if (!a || !b || (second === undefined && (!a.row || !a.column))) return undefined
  if (Boolean(a.row) !== Boolean(b.row) || Boolean(a.column) !== Boolean(b.column)) return undefined
  return {
    top: a.row ? Math.min(a.row, b.row!) : 1,
    bottom: a.row ? Math.max(a.row, b.row!) : MAX_ROW,
    left: a.column ? Math.min(a.column, b.column!) : 1,
    right: a.column ? Math.max(a.column, b.column!) : MAX_COLUMN,
  }
}

/** `A2:C` and `A2:5`, which some programs take as open at one side: down to the last row, or to the last column. */
export function parseOpenBox(text: string): Box | undefined {
  const [first = '', second = '', ...rest] = text.split(':')
  const from = parseCell(first)
  const to = parseCorner(second)
  if (!from || !to || rest.length > 0) return undefined
  return {
    top: Math.min(from.row, to.row ?? from.row),
    left: Math.min(from.column, to.column ?? from.column),
    bottom: to.row === undefined ? MAX_ROW : Math.max(from.row, to.row),
    right: to.column === undefined ? MAX_COLUMN : Math.max(from.column, to.column),
  }
}

/** An open box closed where the cells with content end. */
export function closedBox(box: Box, used: Box | undefined): Box {
  const end = (open: number, most: number, first: number, last = first) =>
    open === most ? Math.max(first, last) : open
  return {
    ...box,
    bottom: end(box.bottom, MAX_ROW, box.top, used?.bottom),
    right: end(box.right, MAX_COLUMN, box.left, used?.right),
  }
}

/** `A1:A5,C2` by its ranges; a quoted sheet name may hold a comma. */
export function splitRanges(text: string): string[] {
  const parts = text.match(/(?:'(?:[^']|'')*'|[^',;\n])+/g) ?? []
  return parts.map(part => part.trim()).filter(part => part !== '')
}

function parseCorner(text: string): { row?: number; column?: number } | undefined {
  const cell = parseCell(text)
  if (cell) return cell
  const column = /^\s*\$?([A-Za-z]{1,3})\s*$/.exec(text)?.[1]
  if (column) return columnNumber(column) > 0 ? { column: columnNumber(column) } : undefined
  const row = Number(/^\s*\$?([1-9][0-9]{0,6})\s*$/.exec(text)?.[1])
  return row <= MAX_ROW ? { row } : undefined
}

export function boxName(box: Box): string {
  if (box.top === 1 && box.bottom === MAX_ROW && box.right < MAX_COLUMN)
    return `${columnName(box.left)}:${columnName(box.right)}`
  if (box.left === 1 && box.right === MAX_COLUMN && box.bottom < MAX_ROW)
    return `${box.top}:${box.bottom}`
  return refName(box)
}

/** As files write a box: by its corners even for whole columns, since not every program reads `A:C` there. */
export function refName(box: Box): string {
  const first = cellName(box.top, box.left)
  return isOneCell(box) ? first : `${first}:${cellName(box.bottom, box.right)}`
}

export function isOneCell(box: Box): boolean {
  return box.top === box.bottom && box.left === box.right
}

export function contains(box: Box, row: number, column: number): boolean {
  return row >= box.top && row <= box.bottom && column >= box.left && column <= box.right
}

export function covers(outer: Box, inner: Box): boolean {
  return contains(outer, inner.top, inner.left) && contains(outer, inner.bottom, inner.right)
}

export function intersects(a: Box, b: Box): boolean {
  return a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right
}

/** `Sales!B2`; a name with characters other than letters and digits is quoted as in Excel. */
export function placeOf(sheet: string, address: string): string {
  return `${quoteSheet(sheet)}!${address}`
}

export function quoteSheet(name: string): string {
  const plain =
    /^[\p{L}_\\][\p{L}\p{N}_.]*$/u.test(name) &&
    !parseCell(name) &&
    !/^(r|c|rc|r\d*c\d*|true|false)$/i.test(name)
  return plain ? name : `'${name.replaceAll("'", "''")}'`
}

/** Splits `'My Sheet'!A1` and `Sales!A1`; without a sheet the whole is the address. */
export function splitSheet(text: string): { sheet?: string; address: string } {
  const quoted = /^\s*'((?:[^']|'')+)'!(.+)$/.exec(text)
  if (quoted) return { sheet: quoted[1]!.replaceAll("''", "'"), address: quoted[2]! }
  const mark = text.lastIndexOf('!')
  return mark > 0
    ? { sheet: text.slice(0, mark).trim(), address: text.slice(mark + 1) }
    : { address: text }
}
