import {
  type Argument,
  Fault,
  fail,
  finite,
  isError,
  isMatrix,
  one,
  toNumber,
  toWhole,
  Uncertain,
  visit,
} from './values.ts'

/** What is in cells and lists, by its kind; errors are faults. */
export function numbersOf(given: readonly Argument[]): number[] {
  const found: number[] = []
  for (const own of given) {
    if (!isMatrix(own)) found.push(toNumber(own))
    else
      visit(own, value => {
        if (typeof value === 'number') found.push(value)
        else if (isError(value)) throw new Fault(value.error)
      })
  }
  return found
}

/** TRUE counts as 1, a text as 0. */
function valuesOf(given: readonly Argument[]): number[] {
  const found: number[] = []
  for (const own of given) {
    if (!isMatrix(own)) found.push(toNumber(own))
    else
      visit(own, value => {
        if (isError(value)) throw new Fault(value.error)
        if (value !== null) found.push(typeof value === 'string' ? 0 : Number(value))
      })
  }
  return found
}

const sum = (values: readonly number[]) => {
  let total = 0
  for (const value of values) total += value
  return total
}

const mean = (values: readonly number[]) =>
  values.length === 0 ? fail('#DIV/0!') : sum(values) / values.length

function squares(values: readonly number[]): number {
  const middle = mean(values)
  return sum(values.map(value => (value - middle) ** 2))
}

const variance = (values: readonly number[]) =>
  values.length < 2 ? fail('#DIV/0!') : squares(values) / (values.length - 1)
const varianceOfAll = (values: readonly number[]) =>
  values.length < 1 ? fail('#DIV/0!') : squares(values) / values.length

/** A list and one value that chooses in it. */
type Choosing = (values: readonly number[], by: number) => number

const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b)

function median(values: readonly number[]): number {
  if (values.length === 0) return fail('#NUM!')
  const sorted = ascending(values)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function mode(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 1] as [number, number])
  return (counts.get(best) ?? 0) > 1 ? best : fail('#N/A')
}

const positive = (values: readonly number[]) =>
  values.some(value => value <= 0) ? fail('#NUM!') : values

function geometricMean(values: readonly number[]): number {
  if (values.length === 0) return fail('#NUM!')
  return Math.exp(sum(positive(values).map(Math.log)) / values.length)
}

function harmonicMean(values: readonly number[]): number {
  if (values.length === 0) return fail('#N/A')
  return values.length / sum(positive(values).map(value => 1 / value))
}

function skewness(values: readonly number[]): number {
  const count = values.length
  if (count < 3) return fail('#DIV/0!')
  const [middle, deviation] = [mean(values), Math.sqrt(variance(values))]
  if (deviation === 0) return fail('#DIV/0!')
  const cubes = sum(values.map(value => ((value - middle) / deviation) ** 3))
  return (count / ((count - 1) * (count - 2))) * cubes
}

function kurtosis(values: readonly number[]): number {
  const n = values.length
  if (n < 4) return fail('#DIV/0!')
  const [middle, deviation] = [mean(values), Math.sqrt(variance(values))]
  if (deviation === 0) return fail('#DIV/0!')
  const fourth = sum(values.map(value => ((value - middle) / deviation) ** 4))
  return (
    ((n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3))) * fourth -
    (3 * (n - 1) ** 2) / ((n - 2) * (n - 3))
  )
}

/** The value at a place between the sorted ones, counted from 0. */
function between(sorted: readonly number[], place: number): number {
  const low = Math.floor(place)
  const [a, b] = [sorted[low]!, sorted[Math.min(low + 1, sorted.length - 1)]!]
  return a + (b - a) * (place - low)
}

const percentile: Choosing = (values, part) => {
  if (values.length === 0 || part < 0 || part > 1) return fail('#NUM!')
  return between(ascending(values), part * (values.length - 1))
}

const percentileWithin: Choosing = (values, part) => {
  const place = part * (values.length + 1) - 1
  if (values.length === 0 || part <= 0 || part >= 1) return fail('#NUM!')
  if (place < 0 || place > values.length - 1) return fail('#NUM!')
  return between(ascending(values), place)
}

const quarter =
  (of: Choosing): Choosing =>
  (values, by) => {
    const quart = Math.trunc(by)
    return quart < 0 || quart > 4 ? fail('#NUM!') : of(values, quart / 4)
  }

const nth =
  (isFromTop: boolean): Choosing =>
  (values, by) => {
    if (!Number.isInteger(by)) throw new Uncertain('a place between two values')
    if (by < 1 || by > values.length) return fail('#NUM!')
    const sorted = ascending(values)
    return sorted[isFromTop ? values.length - by : by - 1]!
  }

const trimmedMean: Choosing = (values, part) => {
  if (values.length === 0 || part < 0 || part >= 1) return fail('#NUM!')
  const cut = Math.floor(Number(((values.length * part) / 2).toPrecision(15)))
  return mean(ascending(values).slice(cut, values.length - cut))
}

type Of = (values: readonly number[]) => number
export type OfValues = (...given: readonly Argument[]) => number

const over =
  (of: Of): OfValues =>
  (...given) =>
    finite(of(numbersOf(given)))
const overAll =
  (of: Of): OfValues =>
  (...given) =>
    finite(of(valuesOf(given)))
const chosen =
  (choose: Choosing): OfValues =>
  (list, by) =>
    finite(choose(numbersOf([list!]), toNumber(one(by))))

const ranked =
  (isAverage: boolean): OfValues =>
  (number, list, order = 0) => {
    const value = toNumber(one(number))
    const isAscending = toNumber(one(order)) !== 0
    const values = numbersOf([list!])
    const before = values.filter(own => (isAscending ? own < value : own > value)).length
    const same = values.filter(own => own === value).length
    if (same === 0) return fail('#N/A')
    return before + 1 + (isAverage ? (same - 1) / 2 : 0)
  }

const least: Of = values => (values.length === 0 ? 0 : values.reduce((a, b) => Math.min(a, b)))
const most: Of = values => (values.length === 0 ? 0 : values.reduce((a, b) => Math.max(a, b)))
const deviations: Of = values => (values.length === 0 ? fail('#NUM!') : squares(values))

function averageDeviation(values: readonly number[]): number {
  if (values.length === 0) return fail('#NUM!')
  const middle = mean(values)
  return mean(values.map(value => Math.abs(value - middle)))
}

/** Excel cuts digits off, and does not round them. */
const percentRank =
  (isWithin: boolean): OfValues =>
  (list, number, digits) => {
    const values = ascending(numbersOf([list!]))
    const value = toNumber(one(number))
    const places = digits === undefined || digits === null ? 3 : toWhole(one(digits))
    if (values.length === 0 || places < 1) return fail('#NUM!')
    if (value < values[0]! || value > values.at(-1)!) return fail('#N/A')
    const below = values.filter(own => own < value).length
    const next = values[below]!
    const last = values[below - 1] ?? next
    const at = next === value ? below : below - 1 + (value - last) / (next - last)
    const steps = values.length - 1
    const part = isWithin ? (at + 1) / (values.length + 1) : steps === 0 ? 1 : at / steps
    return Math.floor(Number((part * 10 ** places).toPrecision(15))) / 10 ** places
  }

const product: Of = values => (values.length === 0 ? 0 : values.reduce((a, b) => a * b, 1))
const root =
  (of: Of): Of =>
  values =>
    Math.sqrt(of(values))

export const AGGREGATES: Readonly<Record<string, OfValues>> = {
  SUM: over(sum),
  AVERAGE: over(mean),
  MIN: over(least),
  MAX: over(most),
  PRODUCT: over(product),
  SUMSQ: over(values => sum(values.map(value => value * value))),
  MEDIAN: over(median),
  MODE: over(mode),
  'MODE.SNGL': over(mode),
  GEOMEAN: over(geometricMean),
  HARMEAN: over(harmonicMean),
  DEVSQ: over(deviations),
  AVEDEV: over(averageDeviation),
  SKEW: over(skewness),
  KURT: over(kurtosis),
  VAR: over(variance),
  'VAR.S': over(variance),
  VARP: over(varianceOfAll),
  'VAR.P': over(varianceOfAll),
  STDEV: over(root(variance)),
  'STDEV.S': over(root(variance)),
  STDEVP: over(root(varianceOfAll)),
  'STDEV.P': over(root(varianceOfAll)),
  AVERAGEA: overAll(mean),
  MINA: overAll(least),
  MAXA: overAll(most),
  VARA: overAll(variance),
  VARPA: overAll(varianceOfAll),
  STDEVA: overAll(root(variance)),
  STDEVPA: overAll(root(varianceOfAll)),
  LARGE: chosen(nth(true)),
  SMALL: chosen(nth(false)),
  PERCENTILE: chosen(percentile),
  'PERCENTILE.INC': chosen(percentile),
  'PERCENTILE.EXC': chosen(percentileWithin),
  QUARTILE: chosen(quarter(percentile)),
  'QUARTILE.INC': chosen(quarter(percentile)),
  'QUARTILE.EXC': chosen(quarter(percentileWithin)),
  TRIMMEAN: chosen(trimmedMean),
  RANK: ranked(false),
  'RANK.EQ': ranked(false),
  'RANK.AVG': ranked(true),
  PERCENTRANK: percentRank(false),
  'PERCENTRANK.INC': percentRank(false),
  'PERCENTRANK.EXC': percentRank(true),
}
