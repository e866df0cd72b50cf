import { isError, type Scalar, toTruth } from './values.ts'

type Given = Scalar | undefined

/** Of single values: what they are, and one of two. What is left out is undefined. */
export const CHOICES: Readonly<Record<string, (...given: readonly Given[]) => Scalar>> = {
  IF: (condition, yes, no) => (toTruth(condition) ? (yes ?? 0) : (no ?? 0)),
  IFERROR: (value = null, other) => (isError(value) ? (other ?? 0) : value),
  IFNA: (value = null, other) => (isError(value) && value.error === '#N/A' ? (other ?? 0) : value),
  ISNUMBER: value => typeof value === 'number',
  ISTEXT: value => typeof value === 'string',
  ISNONTEXT: value => typeof value !== 'string',
  ISLOGICAL: value => typeof value === 'boolean',
  ISBLANK: value => value === null,
  ISERROR: (value = null) => isError(value),
  ISERR: (value = null) => isError(value) && value.error !== '#N/A',
  ISNA: (value = null) => isError(value) && value.error === '#N/A',
}
