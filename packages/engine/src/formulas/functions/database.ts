import { AGGREGATES } from './aggregates.ts'
import { sameText } from './comparison.ts'
import { criterionOf, type Test } from './criteria.ts'
import { toText } from './texts.ts'
import {
  type Argument,
  fail,
  isMatrix,
  type Matrix,
  matrixOf,
  one,
  type Scalar,
  Uncertain,
} from './values.ts'

/** A text in a database's criteria means all that begin with it, unless it begins with a sign. */
function criterion(given: Scalar): Test {
  if (typeof given !== 'string') return criterionOf(given)
  const isPlain = !/^[<>=]/.test(given)
  if (!isPlain) return criterionOf(given)
  const asIs = criterionOf(given)
  const starting = criterionOf(`${given}*`)
  return value => asIs(value) || (typeof value === 'string' && starting(value))
}

function headersOf(grid: Matrix): Scalar[] {
  return Array.from({ length: grid.columns }, (_, column) => grid.at(0, column))
}

function columnOf(headers: readonly Scalar[], name: Scalar): number {
  if (name === null) return -1
  return headers.findIndex(own => own !== null && sameText(toText(own), toText(name)))
}

/** The rows that one line of the criteria asks for, or another. */
function rowsOf(database: Matrix, criteria: Matrix): number[] {
  const headers = headersOf(database)
  const asked = headersOf(criteria)
  const tests = Array.from({ length: criteria.rows - 1 }, (_, line) =>
    asked.flatMap((name, at) => {
      const given = criteria.at(line + 1, at)
      if (given === null) return []
      const column = columnOf(headers, name)
      if (column < 0) throw new Uncertain('a criterion for no column')
      return [{ column, accepts: criterion(given) }]
    }),
  )
  if (tests.length === 0) return fail('#VALUE!')
  return Array.from({ length: database.rows - 1 }, (_, at) => at + 1).filter(row =>
    tests.some(line => line.every(({ column, accepts }) => accepts(database.at(row, column)))),
  )
}

interface Found {
  readonly values: readonly Scalar[]
  readonly count: number
}

function found(database: Argument, field: Argument, criteria: Argument): Found {
  if (!isMatrix(database) || !isMatrix(criteria) || database.rows < 2) return fail('#VALUE!')
  const name = one(field)
  if (name === null) return { values: [], count: rowsOf(database, criteria).length }
  const column =
    typeof name === 'number' ? Math.trunc(name) - 1 : columnOf(headersOf(database), name)
  if (column < 0 || column >= database.columns) return fail('#VALUE!')
  const rows = rowsOf(database, criteria)
  return { values: rows.map(row => database.at(row, column)), count: rows.length }
}

type OfValues = (...given: readonly Argument[]) => Scalar

const aggregate =
  (name: string): OfValues =>
  (database, field, criteria) => {
    const { values } = found(database!, field!, criteria!)
    if (one(field) === null) return fail('#VALUE!')
    return AGGREGATES[name]!({ ...matrixOf(values.length, 1, values), isReference: true })
  }

const counted =
  (counts: (value: Scalar) => boolean): OfValues =>
  (database, field, criteria) => {
    const { values, count } = found(database!, field!, criteria!)
    return one(field) === null ? count : values.filter(counts).length
  }

const only: OfValues = (database, field, criteria) => {
  const { values } = found(database!, field!, criteria!)
  if (values.length === 0) return fail('#VALUE!')
  return values.length > 1 ? fail('#NUM!') : values[0]!
}

export const DATABASE: Readonly<Record<string, OfValues>> = {
  DSUM: aggregate('SUM'),
  DAVERAGE: aggregate('AVERAGE'),
  DMIN: aggregate('MIN'),
  DMAX: aggregate('MAX'),
  DPRODUCT: aggregate('PRODUCT'),
  DSTDEV: aggregate('STDEV'),
  DSTDEVP: aggregate('STDEVP'),
  DVAR: aggregate('VAR'),
  DVARP: aggregate('VARP'),
  DCOUNT: counted(value => typeof value === 'number'),
  DCOUNTA: counted(value => value !== null),
  DGET: only,
}
