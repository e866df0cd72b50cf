import { numbersOf } from './aggregates.ts'
import {
  type Argument,
  fail,
  finite,
  isError,
  isMatrix,
  listOf,
  one,
  type Scalar,
  toNumber,
  Uncertain,
} from './values.ts'

/** What payments at the end of each year are worth today. */
function netPresentValue(rate: number, flows: readonly number[]): number {
  return flows.reduce((total, flow, year) => total + flow / (1 + rate) ** (year + 1), 0)
}

interface Payment {
  readonly amount: number
  /** Years after the first. */
  readonly years: number
}

function worthAt(payments: readonly Payment[], rate: number): number {
  return payments.reduce((total, { amount, years }) => total + amount / (1 + rate) ** years, 0)
}

const LOWEST = -1 + 1e-9
const HIGHEST = 1e6

/**
 * The rate at which payments are worth nothing. Only where there is one: between several, programs choose by the steps
 * they take, so the cell has no value.
 */
function rateOf(payments: readonly Payment[]): number {
  if (!payments.some(own => own.amount > 0) || !payments.some(own => own.amount < 0))
    return fail('#NUM!')
  const roots = rootsOf(rate => worthAt(payments, rate))
  if (roots.length !== 1) throw new Uncertain('several rates, or none')
  return roots[0]!
}

const STEPS = 400

/** By sign changes between places that lie closer where rates usually are. */
function rootsOf(worth: (rate: number) => number): number[] {
  const places = Array.from({ length: STEPS + 1 }, (_, at) => {
    const part = at / STEPS
    return (1 + LOWEST) ** (1 - part) * (1 + HIGHEST) ** part - 1
  })
  const roots: number[] = []
  for (let at = 0; at < STEPS; at++) {
    const [a, b] = [worth(places[at]!), worth(places[at + 1]!)]
    if (a === 0) roots.push(places[at]!)
    else if (a * b < 0) roots.push(rootBetween(worth, places[at]!, places[at + 1]!))
  }
  return roots
}

function rootBetween(worth: (rate: number) => number, from: number, to: number): number {
  let [low, high] = [from, to]
  const sign = Math.sign(worth(low))
  for (let step = 0; step < 200 && high > low; step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (Math.sign(worth(middle)) === sign) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const SMALLEST = 1e-7 // Excel stops when a rate is as near as that: its last digits are not known

function rate(payments: readonly Payment[], guess: Argument | undefined): number {
  const start = toNumber(one(guess ?? 0.1))
  if (start <= -1) return fail('#VALUE!')
  const found = rateOf(payments)
  if (Math.abs(found) < SMALLEST) throw new Uncertain('a rate near zero')
  return found
}

function internalRate(values: Argument, guess?: Argument): number {
  const flows = numbersOf([values])
  return rate(
    flows.map((amount, years) => ({ amount, years })),
    guess,
  )
}

function datedPayments(values: Argument, dates: Argument): Payment[] {
  const [amounts, days] = [listOf(values), listOf(dates)]
  if (amounts.length !== days.length) return fail('#NUM!')
  if ([...amounts, ...days].some(own => typeof own === 'boolean')) return fail('#VALUE!')
  const first = Math.trunc(toNumber(days[0]!))
  return amounts.map((amount, at) => {
    const day = Math.trunc(toNumber(days[at]!))
    if (day < first || day < 0) return fail('#NUM!')
    return { amount: toNumber(amount), years: (day - first) / 365 }
  })
}

function datedWorth(discount: Argument, values: Argument, dates: Argument): number {
  const by = toNumber(one(discount))
  if (by < 0 || listOf(values).some(own => typeof own !== 'number' && !isError(own)))
    return fail('#NUM!')
  if (by === 0) throw new Uncertain('no rate')
  return worthAt(datedPayments(values, dates), by)
}

/** Costs are paid at one rate, and what comes in earns another. */
function modifiedRate(values: Argument, finance: Argument, reinvest: Argument): number {
  const flows = numbersOf([values])
  const [pays, earns] = [toNumber(one(finance)), toNumber(one(reinvest))]
  const count = flows.length
  const gains = flows.map(own => Math.max(own, 0))
  const costs = flows.map(own => Math.min(own, 0))
  const cost = costs.reduce(
    (total, own, year) => (own === 0 ? total : total + own / (1 + pays) ** year),
    0,
  )
  if (cost === 0 || count < 2) return fail('#DIV/0!')
  const future = gains.reduce(
    (total, own, year) => total + own * (1 + earns) ** (count - 1 - year),
    0,
  )
  return (future / -cost) ** (1 / (count - 1)) - 1
}

const worth = (discount: Argument, ...flows: readonly Argument[]): number => {
  const by = toNumber(one(discount))
  if (by === -1) return fail('#DIV/0!')
  return netPresentValue(by, numbersOf(flows))
}

function periods(...given: readonly (Scalar | undefined)[]): number {
  const [by, from, to] = given.map(own => toNumber(own))
  if (by! <= 0 || from! <= 0 || to! <= 0) return fail('#NUM!')
  return (Math.log(to!) - Math.log(from!)) / Math.log(1 + by!)
}

type OfValues = (...given: readonly Argument[]) => Scalar

const certain =
  (of: (...given: Argument[]) => number): OfValues =>
  (...given) =>
    finite(of(...given))

export const CASHFLOWS: Readonly<Record<string, OfValues>> = {
  IRR: certain(internalRate as (...given: Argument[]) => number),
  MIRR: certain(modifiedRate as (...given: Argument[]) => number),
  NPV: certain(worth as (...given: Argument[]) => number),
  XNPV: certain(datedWorth as (...given: Argument[]) => number),
  XIRR: certain((values, dates, guess) => {
    const list = isMatrix(values) ? values : fail('#NUM!')
    return rate(datedPayments(list, dates!), guess)
  }),
}

export const PDURATION = periods
