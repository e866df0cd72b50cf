import { days360, days360InEurope, partOfYear, toDay } from './dates.ts'
import { fail, finite, type Scalar, toNumber, toTruth, Uncertain } from './values.ts'

/** What 1 grows to. */
function growth(rate: number, periods: number): number {
  if (rate === -1 && periods < 0) return fail('#DIV/0!')
  return finite((1 + rate) ** periods)
}

interface Loan {
  readonly rate: number
  readonly periods: number
  readonly payment: number
  readonly worth: number
  readonly future: number
  /** 1: paid at the start of each period. */
  readonly due: 0 | 1
}

const dueOf = (given: Scalar = 0): 0 | 1 => (toNumber(given ?? 0) === 0 ? 0 : 1)

/** What payments of 1 grow to. */
function savings(rate: number, periods: number, due: 0 | 1): number {
  return rate === 0 ? periods : ((growth(rate, periods) - 1) / rate) * (1 + rate * due)
}

function futureValue({ rate, periods, payment, worth, due }: Omit<Loan, 'future'>): number {
  return -(worth * growth(rate, periods) + payment * savings(rate, periods, due))
}

function paymentOf({ rate, periods, worth, future, due }: Omit<Loan, 'payment'>): number {
  if (periods === 0 || rate <= -1) return fail('#NUM!')
  return -(worth * growth(rate, periods) + future) / savings(rate, periods, due)
}

function periodsOf({ rate, payment, worth, future, due }: Omit<Loan, 'periods'>): number {
  if (rate <= -1) return fail('#NUM!')
  if (rate === 0) return payment === 0 ? fail('#DIV/0!') : -(worth + future) / payment
  const full = payment * (1 + rate * due)
  const ratio = (full - future * rate) / (worth * rate + full)
  return ratio > 0 ? Math.log(ratio) / Math.log(1 + rate) : fail('#NUM!')
}

const NEAR = 1e-7 // as Excel stops
const MOST_STEPS = 20

/** By Newton's steps as in Excel; where they do not arrive, programs differ. */
function rateOf(
  { periods, payment, worth, future, due }: Omit<Loan, 'rate'>,
  guess: number,
): number {
  const value = (rate: number) =>
    worth * (1 + rate) ** periods + payment * savings(rate, periods, due) + future
  let rate = guess
  for (let step = 0; step < MOST_STEPS; step++) {
    const width = Math.max(1e-7, Math.abs(rate) * 1e-6)
    const slope = (value(rate + width) - value(rate - width)) / (2 * width)
    const next = rate - value(rate) / slope
    if (!Number.isFinite(next) || next <= -1) break
    if (Math.abs(next - rate) < NEAR * 1e-5) return next
    rate = next
  }
  throw new Uncertain('a rate that is not found')
}

/** Of the period's payment, what is interest. */
function interestOf(loan: Omit<Loan, 'payment'>, period: number): number {
  const { rate, periods, worth, due } = loan
  if (period < 1 || period >= periods + 1) return fail('#NUM!')
  if (due === 1 && period === 1) return 0
  const payment = paymentOf(loan)
  const before = { rate, periods: period - 1, payment, worth, due }
  const interest = futureValue(before) * rate
  return due === 1 ? interest / (1 + rate) : interest
}

function partOfPayment(isInterest: boolean) {
  return (...given: readonly (Scalar | undefined)[]): number => {
    const [rate = 0, period = 0, periods = 0, worth = 0, future = 0] = numbers(given)
    const loan = { rate, periods, worth, future, due: dueOf(given[5]) }
    const interest = interestOf(loan, period)
    return finite(isInterest ? interest : paymentOf(loan) - interest)
  }
}

/** The interest, or what is paid back, of several periods. */
function cumulated(isInterest: boolean) {
  return (...given: readonly (Scalar | undefined)[]): number => {
    if (given.some(own => typeof own === 'boolean')) return fail('#VALUE!')
    const [rate = 0, count = 0, worth = 0, from = 0, to = 0, kind = 0] = numbers(given)
    const [periods, first, last] = [Math.trunc(count), Math.trunc(from), Math.trunc(to)]
    if (rate <= 0 || periods <= 0 || worth <= 0 || first < 1 || last < first || last > periods)
      return fail('#NUM!')
    if (kind !== 0 && kind !== 1) return fail('#NUM!')
    if (!Number.isInteger(count) || !Number.isInteger(from) || !Number.isInteger(to))
      throw new Uncertain('a part of a period')
    const loan = { rate, periods, worth, future: 0, due: kind }
    let total = 0
    for (let period = first; period <= last; period++) {
      const interest = interestOf(loan as Omit<Loan, 'payment'>, period)
      total += isInterest ? interest : paymentOf(loan as Omit<Loan, 'payment'>) - interest
    }
    return finite(total)
  }
}

const numbers = (given: readonly (Scalar | undefined)[]) => given.map(own => toNumber(own ?? 0))

function yearsDigits(...given: readonly (Scalar | undefined)[]): number {
  const [cost = 0, salvage = 0, life = 0, period = 0] = numbers(given)
  if (salvage < 0 || life <= 0 || period < 1 || period > life) return fail('#NUM!')
  return ((cost - salvage) * (life - period + 1) * 2) / (life * (life + 1))
}

function accrued(...given: readonly (Scalar | undefined)[]): number {
  const [issue, settlement, rate, par, basis] = given
  const [percent, amount] = [toNumber(rate), toNumber(par ?? 1000)]
  const [from, to] = [toDay(issue), toDay(settlement)]
  if (percent <= 0 || amount <= 0 || from.serial >= to.serial) return fail('#NUM!')
  return amount * percent * partOfYear(issue, settlement, basis ?? 0)
}

function daysOf360(
  start: Scalar | undefined,
  end: Scalar | undefined,
  european: Scalar = false,
): number {
  const [from, to] = [toDay(start), toDay(end)]
  return toTruth(european) ? days360InEurope(from, to) : days360(from, to)
}

export const ANNUITIES: Readonly<
  Record<string, (...given: readonly (Scalar | undefined)[]) => Scalar>
> = {
  FV: (...given) => {
    const [rate = 0, periods = 0, payment = 0, worth = 0] = numbers(given)
    return finite(futureValue({ rate, periods, payment, worth, due: dueOf(given[4]) }))
  },
  PV: (...given) => {
    const [rate = 0, periods = 0, payment = 0, future = 0] = numbers(given)
    const due = dueOf(given[4])
    return finite(-(future + payment * savings(rate, periods, due)) / growth(rate, periods))
  },
  PMT: (...given) => {
    const [rate = 0, periods = 0, worth = 0, future = 0] = numbers(given)
    return finite(paymentOf({ rate, periods, worth, future, due: dueOf(given[4]) }))
  },
  NPER: (...given) => {
    const [rate = 0, payment = 0, worth = 0, future = 0] = numbers(given)
    return finite(periodsOf({ rate, payment, worth, future, due: dueOf(given[4]) }))
  },
  RATE: (...given) => {
    const [periods = 0, payment = 0, worth = 0, future = 0] = numbers(given)
    const guess = given[5] === undefined || given[5] === null ? 0.1 : toNumber(given[5])
    if (periods <= 0) return fail('#NUM!')
    return rateOf({ periods, payment, worth, future, due: dueOf(given[4]) }, guess)
  },
  IPMT: partOfPayment(true),
  PPMT: partOfPayment(false),
  CUMIPMT: cumulated(true),
  CUMPRINC: cumulated(false),
  SYD: yearsDigits,
  ACCRINTM: accrued,
  DAYS360: (start, end, european) => daysOf360(start, end, european),
}
