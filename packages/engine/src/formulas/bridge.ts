import type { CellValue } from '@filewright/documents'
import * as univer from '@univerjs/engine-formula'
import type { Cells } from './cells.ts'
import {
  type Argument,
  Fault,
  isMatrix,
  type Matrix,
  matrixOf,
  type Scalar,
  Uncertain,
} from './functions/values.ts'

/** The cells of a sheet of the evaluation by the library's name of it. */
export type CellsOf = (sheet: string) => Cells | undefined

/** What the library holds, as plain values. */
export function toArgument(given: univer.FunctionVariantType, cellsOf: CellsOf): Argument {
  if (given.isReferenceObject()) return toCells(given as univer.BaseReferenceObject, cellsOf)
  const value = given as univer.BaseValueObject
  return value.isArray() ? toList(value as univer.ArrayValueObject) : toScalar(value)
}

function toCells(reference: univer.BaseReferenceObject, cellsOf: CellsOf): Matrix {
  const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition()
  const cells = cellsOf(reference.getSheetId())
  if (!cells || startRow < 0 || startColumn < 0) throw new Fault('#REF!')
  const [rows, columns] = [endRow - startRow + 1, endColumn - startColumn + 1]
  const lists = Array.from({ length: columns }, (_, at) => cells.column(startColumn + at))
  const at = (row: number, column: number) => lists[column]![startRow + row] ?? null
  return { rows, columns, at, isReference: true }
}

function toList(array: univer.ArrayValueObject): Matrix {
  const [rows, columns] = [array.getRowCount(), array.getColumnCount()]
  const values: Scalar[] = []
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const own = array.get(row, column)
      values.push(own ? toScalar(own) : null)
    }
  return matrixOf(rows, columns, values)
}

export function toScalar(object: univer.BaseValueObject): Scalar {
  if (object.isNull()) return null
  const value = object.getValue()
  if (object.isError()) return { error: String(value) }
  if (object.isBoolean()) return Boolean(value)
  if (object.isString()) return String(value)
  if (!object.isNumber()) throw new Uncertain('a value of another kind')
  return Number.isFinite(Number(value)) ? Number(value) : { error: '#NUM!' }
}

export function fromScalar(value: Scalar): univer.BaseValueObject {
  if (value === null) return univer.NullValueObject.create()
  if (typeof value === 'object')
    return univer.ErrorValueObject.create(value.error as univer.ErrorType)
  // the factory would make a number of a text such as 5%
  return typeof value === 'string'
    ? univer.StringValueObject.create(value)
    : univer.ValueObjectFactory.create(value)
}

function fromMatrix(grid: Matrix): univer.BaseValueObject {
  const rows = Array.from({ length: grid.rows }, (_, row) =>
    Array.from({ length: grid.columns }, (_, column) => fromScalar(grid.at(row, column))),
  )
  return univer.ArrayValueObject.create({
    calculateValueList: rows,
    rowCount: grid.rows,
    columnCount: grid.columns,
    unitId: '',
    sheetId: '',
    row: -1,
    column: -1,
  })
}

/** An error of a function is its value. */
export function resultOf(compute: () => Scalar): CellValue | null {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { error: error.code }
  }
}

/** What is left out of the formula is undefined, and not an empty cell. */
export type OfScalars = (...given: readonly (Scalar | undefined)[]) => Scalar

/** A function of single values; given several, it is computed for each. */
export function eachOf(given: readonly Argument[], compute: OfScalars): univer.BaseValueObject {
  const grids = given.filter(isMatrix)
  const rows = Math.max(1, ...grids.map(own => own.rows))
  const columns = Math.max(1, ...grids.map(own => own.columns))
  const at = (row: number, column: number) =>
    resultOf(() =>
      compute(...given.map(own => (isMatrix(own) ? spread(own, row, column) : (own ?? undefined)))),
    )
  if (rows === 1 && columns === 1) return fromScalar(at(0, 0))
  const values = Array.from({ length: rows * columns }, (_, index) =>
    at(Math.floor(index / columns), index % columns),
  )
  return fromMatrix(matrixOf(rows, columns, values))
}

/** One row or column counts for all; beyond what is there, there is nothing. */
function spread(grid: Matrix, row: number, column: number): Scalar {
  const [r, c] = [grid.rows === 1 ? 0 : row, grid.columns === 1 ? 0 : column]
  return r < grid.rows && c < grid.columns ? grid.at(r, c) : { error: '#N/A' }
}
