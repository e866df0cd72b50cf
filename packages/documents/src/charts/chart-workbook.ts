import { type LoggedOperation, type Operation, toBytes } from '@filewright/protocol'
import { xlsxFormat } from '../formats/xlsx/format.ts'
import type { LivePackage } from '../opc/index.ts'
import type { Chart } from './chart.ts'

/** Values in one line of a workbook, down or across, and where they begin. */
export interface LineWrite {
  readonly sheet: string
  /** From 1. */
  readonly column: number
  readonly row: number
  readonly isAcross: boolean
  readonly values: readonly (string | number | null)[]
  /** How many cells held values before. */
  readonly before: number
}

export interface CellLine extends Pick<LineWrite, 'sheet' | 'column' | 'row' | 'isAcross'> {
  readonly length: number
}

const RANGE = /^(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?$/

/** `Sheet1!$B$2:$B$5`; undefined for a reference that is not one line of cells. */
export function parseRange(formula: string): CellLine | undefined {
  const [, quoted, plain, first, top, last = first, bottom = top] = RANGE.exec(formula.trim()) ?? []
  if (first === undefined) return undefined
  const sheet = quoted?.replaceAll("''", "'") ?? plain ?? ''
  const [column, row] = [columnNumber(first), Number(top)]
  const [wide, high] = [columnNumber(last!) - column + 1, Number(bottom) - row + 1]
  if (wide < 1 || high < 1 || (wide > 1 && high > 1)) return undefined
  return { sheet, column, row, isAcross: wide > 1, length: Math.max(wide, high) }
}

export function rangeText({ sheet, column, row, isAcross, length }: CellLine): string {
  const name = /^[A-Za-z_][\w.]*$/.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`
  const end = isAcross
    ? `$${columnName(column + length - 1)}$${row}`
    : `$${columnName(column)}$${row + length - 1}`
  const start = `$${columnName(column)}$${row}`
  return length === 1 ? `${name}!${start}` : `${name}!${start}:${end}`
}

function columnNumber(name: string): number {
  let number = 0
  for (const letter of name) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

export function columnName(number: number): string {
  let name = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** The part with the workbook that a chart opens; undefined where it is linked, missing or of another kind. */
export function workbookPart(own: LivePackage, { part }: Chart): string | undefined {
  const link = own.links(part).find(({ kind }) => kind === 'package')
  if (!link || link.isExternal || !own.has(link.target)) return undefined
  return /\.(xlsx|xlsm)$/i.test(link.target) ? link.target : undefined
}

/** The workbook with the values in it; a text says why it cannot be written. */
export function writtenWorkbook(
  bytes: Uint8Array,
  lines: readonly LineWrite[],
): Uint8Array | string {
  const name = { docPath: 'chart.xlsx', path: 'chart.xlsx' } as Parameters<
    typeof xlsxFormat.open
  >[1]
  const opened = xlsxFormat.open(bytes, name)
  if (!opened.ok) return opened.failure.message
  const operations: Operation[] = lines.flatMap(line => {
    const { sheet, column, row, isAcross, values, before } = line
    const cell = (at: number) =>
      isAcross ? `${columnName(column + at)}${row}` : `${columnName(column)}${row + at}`
    const block = isAcross ? [values] : values.map(value => [value])
    const left = { op: 'clear_range', sheet, range: `${cell(values.length)}:${cell(before - 1)}` }
    return [
      { op: 'set_range', sheet, start: cell(0), values: block },
      ...(before > values.length ? [left] : []),
    ]
  })
  const log: LoggedOperation[] = operations.map((operation, index) => ({
    toolCallId: 'chart',
    index,
    operation,
    circumstances: { time: '1980-01-01T00:00:00Z', author: '', seed: 1 },
  }))
  const applied = opened.value.apply(log, { allowProtected: true, allowBreakSignature: true })
  if (!applied.ok) return applied.failure.message
  const content = opened.value.content()
  return content.ok ? toBytes(content.value, bytes) : content.failure.message
}
