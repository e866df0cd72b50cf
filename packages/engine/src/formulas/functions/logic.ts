import {
  type Argument,
  Fault,
  fail,
  isError,
  isMatrix,
  type Scalar,
  toTruth,
  visit,
} from './values.ts'

/** TRUE and FALSE of cells and lists; texts in them do not count, those that the formula says do. */
function truthsOf(given: readonly Argument[]): boolean[] {
  const found: (boolean | number)[] = []
  for (const own of given) {
    if (!isMatrix(own)) found.push(toTruth(own))
    else
      visit(own, value => {
        if (isError(value)) throw new Fault(value.error)
        if (typeof value === 'number' || typeof value === 'boolean') found.push(value)
      })
  }
  return found.length === 0 ? fail('#VALUE!') : found.map(Boolean)
}

export const LOGIC: Readonly<Record<string, (...given: readonly Argument[]) => boolean>> = {
  AND: (...given) => truthsOf(given).every(Boolean),
  OR: (...given) => truthsOf(given).some(Boolean),
  XOR: (...given) => truthsOf(given).filter(Boolean).length % 2 === 1,
}

export const NOT = (value: Scalar | undefined): boolean => !toTruth(value ?? null)
