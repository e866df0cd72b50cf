import type { OfValues } from './aggregates.ts'
import {
  type Argument,
  Fault,
  fail,
  finite,
  isError,
  isMatrix,
  matrixOf,
  one,
  toNumber,
  Uncertain,
} from './values.ts'

interface Pairs {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

/** The places where both lists have a number. */
function pairsOf(first: Argument | undefined, second: Argument | undefined): Pairs {
  const [a, b] = [cellsOf(first), cellsOf(second)]
  if (a.length !== b.length) return fail('#N/A')
  const xs: number[] = []
  const ys: number[] = []
  for (const [at, x] of a.entries()) {
    const y = b[at]!
    if (isError(x)) throw new Fault(x.error)
    if (isError(y)) throw new Fault(y.error)
    if (typeof x !== 'number' || typeof y !== 'number') continue
    xs.push(x)
    ys.push(y)
  }
  return { xs, ys }
}

function cellsOf(argument: Argument | undefined) {
  if (!isMatrix(argument)) return [argument ?? null]
  return Array.from({ length: argument.rows * argument.columns }, (_, at) =>
    argument.at(Math.floor(at / argument.columns), at % argument.columns),
  )
}

interface Moments {
  readonly count: number
  readonly meanX: number
  readonly meanY: number
  /** Sums of squares and of products of the distances from the means. */
  readonly xx: number
  readonly yy: number
  readonly xy: number
}

function momentsOf({ xs, ys }: Pairs): Moments {
  const count = xs.length
  if (count === 0) return fail('#DIV/0!')
  const meanX = xs.reduce((a, b) => a + b, 0) / count
  const meanY = ys.reduce((a, b) => a + b, 0) / count
  let [xx, yy, xy] = [0, 0, 0]
  for (const [at, x] of xs.entries()) {
    const [dx, dy] = [x - meanX, ys[at]! - meanY]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  return { count, meanX, meanY, xx, yy, xy }
}

const divide = (a: number, b: number) => (b === 0 ? fail('#DIV/0!') : a / b)

const correlation = ({ xx, yy, xy }: Moments) => divide(xy, Math.sqrt(xx * yy))
const slope = ({ xx, xy }: Moments) => divide(xy, xx)
const intercept = (own: Moments) => own.meanY - slope(own) * own.meanX

function standardError({ count, xx, yy, xy }: Moments): number {
  if (count < 3) return fail('#DIV/0!')
  return Math.sqrt(Math.max(0, yy - divide(xy * xy, xx)) / (count - 2))
}

const of =
  (compute: (own: Moments) => number): OfValues =>
  (first, second) =>
    finite(compute(momentsOf(pairsOf(first, second))))

/** The known values stand before those that they depend on. */
const line =
  (compute: (own: Moments) => number): OfValues =>
  (ys, xs) =>
    of(compute)(xs!, ys!)

const forecast: OfValues = (x, ys, xs) => {
  const at = toNumber(one(x))
  return line(own => intercept(own) + slope(own) * at)(ys!, xs!)
}

const correlated = of(correlation)
const covariance = of(({ xy, count }) => xy / count)

const sumOf =
  (term: (x: number, y: number) => number): OfValues =>
  (first, second) => {
    const { xs, ys } = pairsOf(first, second)
    if (xs.length === 0) return fail('#DIV/0!')
    return finite(xs.reduce((total, x, at) => total + term(x, ys[at]!), 0))
  }

/** What is no number counts as zero. */
const sumOfProducts: OfValues = (...given) => {
  const lists = given.map(own => (isMatrix(own) ? own : matrixOf(1, 1, [own])))
  if (given.some(own => typeof own === 'boolean' || typeof own === 'string'))
    throw new Uncertain('a single value that is no number')
  const { rows = 0, columns = 0 } = lists[0] ?? {}
  if (lists.some(own => own.rows !== rows || own.columns !== columns)) return fail('#VALUE!')
  let total = 0
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      let product = 1
      for (const own of lists) {
        const value = own.at(row, column)
        if (isError(value)) throw new Fault(value.error)
        product *= typeof value === 'number' ? value : 0
      }
      total += product
    }
  return finite(total)
}

export const PAIRS: Readonly<Record<string, OfValues>> = {
  SUMPRODUCT: sumOfProducts,
  CORREL: correlated,
  PEARSON: correlated,
  RSQ: line(own => correlation(own) ** 2),
  SLOPE: line(slope),
  INTERCEPT: line(intercept),
  STEYX: line(standardError),
  FORECAST: forecast,
  'FORECAST.LINEAR': forecast,
  COVAR: covariance,
  'COVARIANCE.P': covariance,
  'COVARIANCE.S': of(({ xy, count }) => (count < 2 ? fail('#DIV/0!') : xy / (count - 1))),
  SUMX2MY2: sumOf((x, y) => x * x - y * y),
  SUMX2PY2: sumOf((x, y) => x * x + y * y),
  SUMXMY2: sumOf((x, y) => (x - y) ** 2),
}
