import { cellName, quoteSheet } from '../cell/address.ts'
import { zooBook } from './zoo.contract.ts'

/** A workbook whose rows and columns have an identity, so that two people's edits can be put together exactly. */
export interface BookModel {
  readonly sheets: SheetModel[]
}

export interface SheetModel {
  readonly id: number
  name: string
  /** Ids, in order. */
  rows: number[]
  columns: number[]
  /** By row and column id. */
  readonly cells: Map<string, ModelValue>
}

export type ModelValue = number | string | boolean | FormulaModel

/** References by identity: rendered where their cells are. */
export type FormulaModel =
  | { readonly kind: 'own-row'; readonly column: number }
  | {
      readonly kind: 'sum'
      readonly sheet: number
      readonly column: number
      readonly first: number
      readonly last: number
    }

export function cellId(row: number, column: number): string {
  return `${row} ${column}`
}

export function copyOf({ sheets }: BookModel): BookModel {
  return {
    sheets: sheets.map(sheet => ({
      ...sheet,
      rows: [...sheet.rows],
      columns: [...sheet.columns],
      cells: new Map(sheet.cells),
    })),
  }
}

export function addressOf(sheet: SheetModel, row: number, column: number): string {
  return cellName(sheet.rows.indexOf(row) + 1, sheet.columns.indexOf(column) + 1)
}

/** Undefined where a reference is gone: no file has such a formula. */
export function formulaText(
  book: BookModel,
  own: SheetModel,
  row: number,
  formula: FormulaModel,
): string | undefined {
  if (formula.kind === 'own-row') {
    if (!own.columns.includes(formula.column)) return undefined
    return `${addressOf(own, row, formula.column)}*2`
  }
  const { column, first, last } = formula
  const sheet = book.sheets.find(({ id }) => id === formula.sheet)
  const isThere =
    sheet?.columns.includes(column) && [first, last].every(id => sheet.rows.includes(id))
  if (!sheet || !isThere) return undefined
  const range = `${addressOf(sheet, first, column)}:${addressOf(sheet, last, column)}`
  return `SUM(${sheet === own ? '' : `${quoteSheet(sheet.name)}!`}${range})`
}

/** The same content in one of two spellings: strings in the cells, or shared ones in the order they are met. */
export function toWorkbook(book: BookModel, isShared: boolean): Uint8Array {
  const strings: string[] = []
  const sheets = Object.fromEntries(
    book.sheets.map(sheet => [sheet.name, rowsOf(book, sheet, isShared ? strings : undefined)]),
  )
  return zooBook({ sheets, strings })
}

function rowsOf(book: BookModel, sheet: SheetModel, strings: string[] | undefined): string {
  return sheet.rows
    .map((row, index) => {
      const cells = sheet.columns.flatMap(column => {
        const value = sheet.cells.get(cellId(row, column))
        if (value === undefined) return []
        return [
          cellXml(addressOf(sheet, row, column), writtenValue(book, sheet, row, value), strings),
        ]
      })
      return cells.length === 0 ? '' : `<row r="${index + 1}">${cells.join('')}</row>`
    })
    .join('')
}

type Written = number | string | boolean | { readonly formula: string }

function writtenValue(book: BookModel, sheet: SheetModel, row: number, value: ModelValue): Written {
  if (typeof value !== 'object') return value
  return { formula: formulaText(book, sheet, row, value) ?? '#REF!' }
}

function cellXml(address: string, value: Written, strings: string[] | undefined): string {
  if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${address}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'object') return `<c r="${address}"><f>${value.formula}</f><v>1</v></c>`
  if (!strings) return `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`
  if (!strings.includes(value)) strings.push(value)
  return `<c r="${address}" t="s"><v>${strings.indexOf(value)}</v></c>`
}
