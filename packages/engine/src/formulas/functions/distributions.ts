import { numbersOf } from './aggregates.ts'
import { type Argument, fail, one, toNumber, toTruth, toWhole } from './values.ts'

const COEFFICIENTS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
]

/** The logarithm of the product of 1 to a number. */
function logFactorial(count: number): number {
  if (count < 20) {
    let product = 1
    for (let own = 2; own <= count; own++) product *= own
    return Math.log(product)
  }
  const sum = COEFFICIENTS.reduce(
    (total, own, at) => total + (at === 0 ? own : own / (count + at)),
    0,
  )
  const base = count + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (count + 0.5) * Math.log(base) - base + Math.log(sum)
}

const MOST_TERMS = 1_000_000

function poisson(count: Argument, average: Argument, isCumulative: Argument): number {
  const [events, mean] = [toWhole(one(count)), toNumber(one(average))]
  if (events < 0 || mean < 0) return fail('#NUM!')
  const chanceOf = (own: number) =>
    mean === 0 ? Number(own === 0) : Math.exp(own * Math.log(mean) - mean - logFactorial(own))
  if (!toTruth(one(isCumulative))) return chanceOf(events)
  let total = 0
  // beyond these nothing is left to add
  const last = Math.min(events, Math.ceil(mean + 40 * Math.sqrt(mean) + 100), MOST_TERMS)
  for (let own = 0; own <= last; own++) total += chanceOf(own)
  return Math.min(total, 1)
}

/** The chance of values between two bounds. */
function chance(values: Argument, chances: Argument, from: Argument, till?: Argument): number {
  const [xs, parts] = [numbersOf([values]), numbersOf([chances])]
  if (xs.length !== parts.length) return fail('#N/A')
  if (xs.length === 0) return fail('#DIV/0!')
  const total = parts.reduce((a, b) => a + b, 0)
  if (parts.some(own => own < 0 || own > 1) || Math.abs(total - 1) > 1e-12) return fail('#NUM!')
  const low = toNumber(one(from))
  const high = till === undefined || till === null ? low : toNumber(one(till))
  return parts.reduce((sum, own, at) => (xs[at]! >= low && xs[at]! <= high ? sum + own : sum), 0)
}

type OfValues = (...given: readonly Argument[]) => number

export const DISTRIBUTIONS: Readonly<Record<string, OfValues>> = {
  'POISSON.DIST': poisson as OfValues,
  POISSON: poisson as OfValues,
  PROB: chance as OfValues,
}
