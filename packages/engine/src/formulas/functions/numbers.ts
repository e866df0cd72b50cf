import { round } from '../rounding.ts'
import { toText } from './texts.ts'
import { fail, finite, type Scalar, toNumber, toWhole, Uncertain } from './values.ts'

/** How many steps a value is; a whole number where it is one up to the last digit. */
function stepsOf(value: number, step: number): number {
  const steps = value / step
  const whole = Math.round(steps)
  const off = Math.abs(steps - whole)
  if (whole === 0 || off === 0 || off > 1e-9 * Math.abs(whole)) return steps
  if (off > 4e-15 * Math.abs(whole)) throw new Uncertain('the last digits of a division')
  return whole
}

/** To a step away from zero or towards it, by the sign of the step. */
const toStep =
  (turn: (steps: number) => number, ofNothing: (value: number) => number) =>
  (given: Scalar | undefined, by: Scalar | undefined): number => {
    const [value, step] = [toNumber(given), toNumber(by)]
    if (value === 0) return 0
    if (step === 0) return ofNothing(value)
    if (value > 0 && step < 0) return fail('#NUM!')
    return finite(turn(stepsOf(value, step)) * step)
  }

/** To a step up or down; `mode` turns that around for negative numbers. */
const toStepOf =
  (turn: (steps: number) => number, turnBack: (steps: number) => number) =>
  (given: Scalar | undefined, by: Scalar = 1, mode: Scalar = 0): number => {
    const [value, step] = [toNumber(given), Math.abs(toNumber(by))]
    const isBack = toNumber(mode) !== 0 && value < 0
    if (step === 0 || value === 0) return 0
    return finite((isBack ? turnBack : turn)(stepsOf(value, step)) * step)
  }

const up = toStepOf(Math.ceil, Math.floor)
const down = toStepOf(Math.floor, Math.ceil)

/** To the nearest step, half of one away from zero. */
function toNearest(...given: readonly (Scalar | undefined)[]): number {
  if (given.includes(undefined)) return fail('#N/A')
  if (given.some(own => typeof own === 'boolean')) return fail('#VALUE!')
  const [value = 0, step = 0] = given.map(toNumber)
  if (value === 0 || step === 0) return 0
  if (value * step < 0) return fail('#NUM!')
  const steps = value / step
  const half = Math.abs(steps - Math.floor(steps) - 0.5)
  if (half !== 0 && half < 1e-9) throw new Uncertain('the last digits of a division')
  if (half === 0 && !(Number.isInteger(value * 2) && Number.isInteger(step)))
    throw new Uncertain('the last digits of a division')
  return Math.round(steps) * step
}

const LARGEST = 2 ** 53

/** Whole numbers that are not negative. */
function wholes(given: readonly (Scalar | undefined)[]): number[] {
  return given.map(own => {
    if (typeof own === 'boolean') return fail('#VALUE!')
    if (own === null) throw new Uncertain('an empty cell')
    const value = toWhole(own)
    return value < 0 || value >= LARGEST ? fail('#NUM!') : value
  })
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

function multiple(a: number, b: number): number {
  if (a === 0 || b === 0) return 0
  const found = (a / divisor(a, b)) * b
  return found >= LARGEST ? fail('#NUM!') : found
}

const BITS = 2 ** 48

const bits =
  (join: (a: bigint, b: bigint) => bigint) =>
  (...given: readonly (Scalar | undefined)[]): number => {
    const [a, b] = given.map(own => {
      if (typeof own === 'boolean') return fail('#VALUE!')
      const value = toNumber(own)
      return !Number.isInteger(value) || value < 0 || value >= BITS ? fail('#NUM!') : value
    })
    return Number(join(BigInt(a!), BigInt(b!)))
  }

const NUMERALS: Readonly<Record<string, number>> = {
  I: 1,
  V: 5,
  X: 10,
  L: 50,
  C: 100,
  D: 500,
  M: 1000,
}

/** Each numeral before a larger one is taken away. */
function arabic(given: Scalar | undefined): number {
  if (typeof given === 'number' || typeof given === 'boolean') return fail('#VALUE!')
  const [, sign, numerals] = /^(-?)([IVXLCDM]*)$/.exec(toText(given).trim().toUpperCase()) ?? []
  if (numerals === undefined || numerals.length > 255) return fail('#VALUE!')
  const values = [...numerals].map(own => NUMERALS[own]!)
  const total = values.reduce((sum, own, at) => sum + (own < (values[at + 1] ?? 0) ? -own : own), 0)
  return sign && total !== 0 ? -total : total
}

function angle(across: Scalar | undefined, upward: Scalar | undefined): number {
  const [x, y] = [toNumber(across), toNumber(upward)]
  return x === 0 && y === 0 ? fail('#DIV/0!') : Math.atan2(y, x)
}

const MOST_PLACES = 15 // beyond it no digit of a number is left

/** The same digits as a person would cut off, whatever the number is in binary. */
function truncated(given: Scalar | undefined, digits: Scalar = 0): number {
  const [value, places] = [toNumber(given), toWhole(digits)]
  const size = Math.abs(value)
  if (size >= 1e15 && places >= 0) return value
  if (places > MOST_PLACES + 308 || (size >= 1 && places >= MOST_PLACES)) return value
  if (places < -308) return 0
  const scaled = Number((size * 10 ** places).toPrecision(MOST_PLACES))
  if (!Number.isFinite(scaled)) return value
  return (Math.sign(value) * Math.floor(scaled)) / 10 ** places || 0
}

const ERRORS =
  '#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #GETTING_DATA #SPILL! #CONNECT! #BLOCKED! #UNKNOWN! #FIELD! #CALC!'.split(
    ' ',
  )

/** The number of an error. */
function errorType(value: Scalar | undefined): number {
  const code = typeof value === 'object' && value !== null ? value.error : undefined
  if (code === undefined) return fail('#N/A')
  // files hold newer errors as this one
  if (code === '#VALUE!') throw new Uncertain('an error that stands for others')
  const at = ERRORS.indexOf(code)
  if (at < 0) throw new Uncertain('an unknown error')
  return at + 1
}

export const NUMBERS: Readonly<
  Record<string, (...given: readonly (Scalar | undefined)[]) => number>
> = {
  CEILING: (value, step) => toStep(Math.ceil, () => 0)(value, step),
  FLOOR: (value, step) => toStep(Math.floor, () => fail('#DIV/0!'))(value, step),
  'CEILING.MATH': (value, step, mode) => up(value, step, mode),
  'FLOOR.MATH': (value, step, mode) => down(value, step, mode),
  'CEILING.PRECISE': (value, step) => up(value, step),
  'FLOOR.PRECISE': (value, step) => down(value, step),
  MROUND: toNearest,
  ABS: value => Math.abs(toNumber(value)),
  INT: value => Math.floor(toNumber(value)),
  ROUND: (value, digits) => round(toNumber(value), toNumber(digits)),
  GCD: (...given) => wholes(given).reduce(divisor, 0),
  LCM: (...given) => wholes(given).reduce(multiple, 1),
  BITAND: bits((a, b) => a & b),
  BITOR: bits((a, b) => a | b),
  BITXOR: bits((a, b) => a ^ b),
  ARABIC: value => arabic(value),
  ATAN2: (x, y) => angle(x, y),
  TRUNC: (value, digits) => truncated(value, digits),
  'ERROR.TYPE': value => errorType(value),
}
