import { compare, sameText, wildcardPattern } from './comparison.ts'
import {
  type Argument,
  fail,
  isError,
  isMatrix,
  listOf,
  type Matrix,
  matrixOf,
  one,
  type Scalar,
  toNumber,
  toTruth,
  toWhole,
  Uncertain,
} from './values.ts'

const kindOf = (value: Scalar) => (value === null ? 'none' : typeof value)

/** The place of what is equal, from the first; -1: none is. */
function equalAt(wanted: Scalar, list: readonly Scalar[]): number {
  if (wanted === null) throw new Uncertain('a search for an empty cell')
  const pattern = typeof wanted === 'string' ? wildcardPattern(wanted) : undefined
  return list.findIndex(value => {
    if (kindOf(value) !== kindOf(wanted) || isError(value)) return false
    if (typeof wanted !== 'string') return value === wanted
    return pattern ? pattern.test(value as string) : sameText(value as string, wanted)
  })
}

/**
 * The place of the last value that is not beyond the wanted one, found by halves as Excel does: where values are not in
 * order, that is any of them. Values of other kinds are passed over.
 */
function nearestAt(wanted: Scalar, list: readonly Scalar[], sign: 1 | -1): number {
  if (wanted === null) throw new Uncertain('a search for an empty cell')
  const places = [...list.keys()].filter(at => kindOf(list[at]!) === kindOf(wanted))
  const orders = places.map(at => sign * compare(list[at]!, wanted))
  const isMixed = places.length < list.length - list.filter(own => own === null).length
  let [low, high] = [0, orders.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (orders[middle]! <= 0) low = middle + 1
    else high = middle - 1
  }
  const isOrdered = orders.every(
    (order, at) => at === 0 || Math.sign(order) >= Math.sign(orders[at - 1]!),
  )
  // with others between them, and with several equal ones, the halves are not known to be these
  const isKnown = isOrdered || (!isMixed && !list.includes(null) && !orders.includes(0))
  if (!isKnown) throw new Uncertain('a search in values without order')
  return high < 0 ? -1 : places[high]!
}

/** Of one row or one column. */
function line(grid: Matrix, at: number, isRow: boolean): Scalar[] {
  return Array.from({ length: isRow ? grid.columns : grid.rows }, (_, index) =>
    isRow ? grid.at(at, index) : grid.at(index, at),
  )
}

function match(wanted: Argument, among: Argument, kind: Argument = 1): Scalar {
  const list = isMatrix(among) ? among : matrixOf(1, 1, [among])
  if (list.rows !== 1 && list.columns !== 1) return fail('#N/A')
  const value = one(wanted)
  const type = Math.sign(toNumber(one(kind)))
  if (isError(value)) return value
  const values = listOf(list)
  const at = type === 0 ? equalAt(value, values) : nearestAt(value, values, type > 0 ? 1 : -1)
  return at < 0 ? fail('#N/A') : at + 1
}

/** VLOOKUP and HLOOKUP. */
const lookUp =
  (isRow: boolean) =>
  (wanted: Argument, table: Argument, place: Argument, near: Argument = true): Scalar => {
    if (typeof table === 'string') return fail('#VALUE!')
    const grid = isMatrix(table) ? table : matrixOf(1, 1, [table])
    const value = one(wanted)
    const index = toWhole(one(place))
    if (isError(value)) return value
    const isNear = toTruth(one(near))
    if (index < 1) return fail('#VALUE!')
    if (index > (isRow ? grid.rows : grid.columns)) return fail('#REF!')
    const values = line(grid, 0, isRow)
    const at = isNear ? nearestAt(value, values, 1) : equalAt(value, values)
    if (at < 0) return fail('#N/A')
    return isRow ? grid.at(index - 1, at) : grid.at(at, index - 1)
  }

function lookup(wanted: Argument, among: Argument, results?: Argument): Scalar {
  const grid = isMatrix(among) ? among : matrixOf(1, 1, [among])
  const value = one(wanted)
  if (isError(value)) return value
  const isWide = grid.columns > grid.rows
  const values = line(grid, 0, isWide)
  const at = nearestAt(value, values, 1)
  if (at < 0) return fail('#N/A')
  if (results === undefined)
    return isWide ? grid.at(grid.rows - 1, at) : grid.at(at, grid.columns - 1)
  const found = listOf(results)
  if (found.length !== values.length) throw new Uncertain('lists of different lengths')
  return found[at]!
}

type Lookup = (...given: readonly Argument[]) => Scalar

export const LOOKUPS: Readonly<Record<string, Lookup>> = {
  MATCH: match as Lookup,
  VLOOKUP: lookUp(false) as Lookup,
  HLOOKUP: lookUp(true) as Lookup,
  LOOKUP: lookup as Lookup,
}
