import type { CellValue } from '@filewright/documents'
import { Uncertain } from './functions/values.ts'

type Given = CellValue | null | undefined

const DIGITS = 15 // that Excel works with
const NOISE = 1e-9
const MOST_STEPS = 1e12

/**
 * A number rounded as a person would round its digits, half away from zero. Throws where the digits that a program sees
 * decide: 28.499999999999996 is 28 in one and 29 in another, so the cell has no value.
 */
export function round(value: number, digits: number): number {
  const places = Math.trunc(digits)
  const whole = roundDigits(value.toExponential(), places)
  const seen = roundDigits(value.toExponential(DIGITS - 1), places)
  if (Math.abs(whole - seen) > 1e-14 * Math.abs(whole) || (whole === 0) !== (seen === 0))
    throw new Uncertain('the last digit of a number')
  return whole
}

/** Of `-1.005e+0`, to so many places after the point. */
function roundDigits(text: string, places: number): number {
  const [, sign, first, rest = '', power] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (first === undefined) return Number(text)
  const digits = first + rest
  const kept = Number(power) + 1 + places
  if (kept >= digits.length) return Number(text)
  if (kept < 0) return 0
  const up = digits[kept]! >= '5' ? 1n : 0n
  return Number(`${sign}${BigInt(digits.slice(0, kept) || '0') + up}e${-places}`) || 0
}

/** `0.00`, `#,##0`, `0.0%` of a number that is not negative. */
export function textOfFixed(value: Given, format: Given): CellValue | undefined {
  const match = typeof format === 'string' && /^(#,##)?(0+)(?:\.(0+))?(%?)$/.exec(format)
  if (!match || typeof value !== 'number' || value < 0) return undefined
  const [, group, whole = '', fraction = '', percent] = match
  const places = fraction.length
  const rounded = round(value, percent ? places + 2 : places)
  const shown = percent ? rounded * 100 : rounded
  if (shown * 10 ** places >= 1e15) throw new Uncertain('more digits than they show')
  const [before = '', after] = shown.toFixed(places).split('.')
  const filled = before.padStart(whole.length, '0')
  const grouped = group ? filled.replace(/\B(?=(\d{3})+$)/g, ',') : filled
  return `${grouped}${after === undefined ? '' : `.${after}`}${percent}`
}

/** Whether a number is a multiple of another, or in the middle between two, only up to its last digits: programs differ. */
export function refuseNoise(value: Given, step: Given, { at }: { at: 0 | 0.5 }): undefined {
  if (typeof value !== 'number' || typeof step !== 'number' || step === 0) return undefined
  const steps = Math.abs(value / step)
  if (steps > MOST_STEPS) throw new Uncertain('so many steps')
  const isWhole = Number.isInteger(value * 2) && Number.isInteger(step)
  const nearest = Math.round(steps - at) + at
  const isExact = isWhole || (at === 0 && nearest * Math.abs(step) === Math.abs(value))
  if (!isExact && Math.abs(steps - nearest) < NOISE)
    throw new Uncertain('the last digits of a division')
  return undefined
}
