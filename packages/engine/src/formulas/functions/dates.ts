import { fail, type Scalar, toNumber, toWhole, Uncertain } from './values.ts'

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)
const AFTER_LEAP = 61 // before it the day numbers are one off, for a leap day that never was
const LAST_DAY = 2_958_465

interface Day {
  readonly serial: number
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
}

/** Throws for days that programs count otherwise. */
export function toDay(value: Scalar | undefined): Day {
  const serial = Math.floor(toNumber(value))
  if (serial < 0 || serial > LAST_DAY) return fail('#NUM!')
  if (serial < AFTER_LEAP) throw new Uncertain('a day before March 1900')
  const date = new Date(FIRST_DAY + serial * DAY_MS)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  return { serial, year, month, day }
}

const serialOf = (year: number, month: number, day: number) =>
  (Date.UTC(year, month - 1, day) - FIRST_DAY) / DAY_MS

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const isEndOfFebruary = ({ year, month, day }: Day) =>
  month === 2 && day === (isLeap(year) ? 29 : 28)

const daysOf30 = (from: Day, to: Day, fromDay: number, tillDay: number) =>
  (to.year - from.year) * 360 + (to.month - from.month) * 30 + tillDay - fromDay

/** Months of 30 days as in the United States. */
export function days360(from: Day, to: Day): number {
  const first = isEndOfFebruary(from) ? 30 : Math.min(from.day, 30)
  return daysOf30(from, to, first, to.day === 31 && first === 30 ? 30 : to.day)
}

/** The same for parts of a year, where a February may end both. */
function days360OfYear(from: Day, to: Day): number {
  const areBothEnds = isEndOfFebruary(from) && isEndOfFebruary(to)
  return areBothEnds ? daysOf30(from, to, 30, 30) : days360(from, to)
}

export const days360InEurope = (from: Day, to: Day) =>
  daysOf30(from, to, Math.min(from.day, 30), Math.min(to.day, 30))

/** The days of a year, for the part of one that two days are apart. */
function daysOfYears(from: Day, to: Day): number {
  const isWithinOne =
    from.year === to.year ||
    (from.year + 1 === to.year &&
      (from.month > to.month || (from.month === to.month && from.day >= to.day)))
  if (!isWithinOne) {
    const days = serialOf(to.year + 1, 1, 1) - serialOf(from.year, 1, 1)
    return days / (to.year - from.year + 1)
  }
  if (from.year === to.year) return isLeap(from.year) ? 366 : 365
  const hasLeapDay = [from.year, to.year].some(year => {
    const leapDay = isLeap(year) ? serialOf(year, 2, 29) : 0
    return from.serial <= leapDay && to.serial >= leapDay
  })
  return hasLeapDay ? 366 : 365
}

/** The part of a year between two days, whichever is first. */
export function partOfYear(
  start: Scalar | undefined,
  end: Scalar | undefined,
  kind: Scalar | undefined,
): number {
  const basis = toWhole(kind)
  if (basis < 0 || basis > 4) return fail('#NUM!')
  if ([start, end].some(own => typeof own === 'boolean')) return fail('#VALUE!')
  const days = [toDay(start), toDay(end)]
  const [from, to] = days[0]!.serial <= days[1]!.serial ? days : days.reverse()
  return yearsBetween(from!, to!, basis)
}

function yearsBetween(from: Day, to: Day, basis: number): number {
  const apart = to.serial - from.serial
  if (apart === 0) return 0
  if (basis === 0) return days360OfYear(from, to) / 360
  if (basis === 1) return apart / daysOfYears(from, to)
  if (basis === 4) return days360InEurope(from, to) / 360
  return apart / (basis === 2 ? 360 : 365)
}

/** The week of the year that has most of its days, from Monday. */
function isoWeek(value: Scalar | undefined): number {
  const { serial } = toDay(value)
  const thursday = serial + 3 - ((serial + 5) % 7)
  const { year } = toDay(thursday)
  return Math.floor((thursday - serialOf(year, 1, 1)) / 7) + 1
}

function dateOf(
  years: Scalar | undefined,
  months: Scalar | undefined,
  days: Scalar | undefined,
): number {
  const [given, month, day] = [years, months, days].map(own => Math.floor(toNumber(own)))
  if (given! < 0 || given! >= 10_000) return fail('#NUM!')
  const year = given! < 1900 ? given! + 1900 : given!
  const first = serialOf(year, month!, 1)
  if (first > LAST_DAY) return fail('#NUM!')
  // Excel counts 29 February 1900
  const serial = first + day! - 1 - (first < AFTER_LEAP ? 1 : 0)
  return serial < 0 || serial > LAST_DAY ? fail('#NUM!') : serial
}

/** The same day some months later, or the last one of a shorter month; `isEnd`: the last one in any case. */
const monthsLater =
  (isEnd: boolean) =>
  (start: Scalar | undefined, months: Scalar | undefined): number => {
    if ([start, months].some(own => typeof own === 'boolean')) return fail('#VALUE!')
    const { year, month, day } = toDay(start)
    const last = serialOf(year, month + toWhole(months) + 1, 0)
    const first = serialOf(year, month + toWhole(months), 1)
    const serial = isEnd ? last : Math.min(first + day - 1, last)
    if (serial < 0 || serial > LAST_DAY) return fail('#NUM!')
    if (serial < AFTER_LEAP) throw new Uncertain('a day before March 1900')
    return serial
  }

/** The parts of a date, also of the days before March 1900 as Excel counts them. */
function partsOf(given: Scalar | undefined): Pick<Day, 'year' | 'month' | 'day'> {
  const serial = Math.floor(toNumber(given))
  if (serial < 0 || serial > LAST_DAY) return fail('#NUM!')
  if (serial >= AFTER_LEAP) return toDay(serial)
  return serial < 32
    ? { year: 1900, month: 1, day: serial }
    : { year: 1900, month: 2, day: serial - 31 }
}

/** The day of the week from 1, and the first of it: of each kind that Excel knows. */
function dayOfWeek(given: Scalar | undefined, kind: Scalar | undefined = 1): number {
  const serial = Math.floor(toNumber(given))
  const type = toWhole(kind)
  if (serial < 0 || serial > LAST_DAY) return fail('#NUM!')
  const fromMonday = (serial + 5) % 7
  if (type === 3) return fromMonday
  const first = type === 1 ? 6 : type === 2 ? 0 : type - 11
  return first < 0 || first > 6 ? fail('#NUM!') : ((fromMonday - first + 7) % 7) + 1
}

export const DATES: Readonly<
  Record<string, (...given: readonly (Scalar | undefined)[]) => Scalar>
> = {
  DATE: (year, month, day) => dateOf(year!, month!, day!),
  YEARFRAC: (start, end, basis = 0) => partOfYear(start!, end!, basis),
  YEAR: value => partsOf(value).year,
  MONTH: value => partsOf(value).month,
  DAY: value => partsOf(value).day,
  WEEKDAY: dayOfWeek,
  ISOWEEKNUM: value => isoWeek(value!),
  EDATE: (start, months) => monthsLater(false)(start!, months!),
  EOMONTH: (start, months) => monthsLater(true)(start!, months!),
}
