import type { CellValue } from '@filewright/documents'
import { toText } from './functions/texts.ts'
import { Uncertain } from './functions/values.ts'
import { refuseNoise, round, textOfFixed } from './rounding.ts'

/** Functions that the library computes wrongly, for single values; undefined leaves the call to the library. */
export const OVERRIDES: Readonly<
  Record<string, (...given: readonly (CellValue | null)[]) => CellValue | undefined>
> = {
  /** The library takes any text for true. */
  IF: condition => truthOfText(condition),
  IFS: (...given) =>
    given
      .filter((_, index) => index % 2 === 0)
      .map(truthOfText)
      .find(Boolean),
  /** The library takes 0 to the power of 0 for 1, as LibreOffice does, and a division by zero for a number too large. */
  POWER: powerOfZero,
  /** The library shows all digits of a number. */
  CONCATENATE: joined,
  CONCAT: joined,
  /** The library, and each program, has its own way with the last digits of a number. */
  TEXT: textOfFixed,
  FIXED: (value, digits = 2) => {
    if (typeof value === 'number' && typeof digits === 'number') round(value, digits)
    if (typeof value === 'number' && Math.abs(value) * 10 ** Number(digits) >= 1e15)
      throw new Uncertain('more digits than they show')
    return undefined
  },
  MOD: (value, by) => refuseNoise(value, by, { at: 0 }),
  QUOTIENT: (value, by) => refuseNoise(value, by, { at: 0 }),
}

const VALUE_ERROR = { error: '#VALUE!' }

/** Functions that read some of their arguments as text: there a number counts as Excel would show it. */
export const TEXT_PLACES: Readonly<Record<string, readonly number[]>> = {
  CLEAN: [0],
  FIND: [0, 1],
  REPLACE: [0, 3],
  SUBSTITUTE: [0, 1, 2],
}

function joined(...given: readonly (CellValue | null)[]): CellValue | undefined {
  if (given.some(own => typeof own === 'object' && own !== null)) return undefined
  return given.map(toText).join('')
}

function powerOfZero(
  base: CellValue | null | undefined,
  exponent: CellValue | null | undefined,
): CellValue | undefined {
  if (base !== null && base !== 0 && base !== false) return undefined
  const by = exponent === null ? 0 : Number(exponent)
  if (by < 0) return { error: '#DIV/0!' }
  return by === 0 ? { error: '#NUM!' } : undefined
}

function truthOfText(condition: CellValue | null | undefined): CellValue | undefined {
  return typeof condition === 'string' && !/^(true|false)$/i.test(condition)
    ? VALUE_ERROR
    : undefined
}
