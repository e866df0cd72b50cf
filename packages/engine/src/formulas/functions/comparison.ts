import { Fault, isError, type Scalar, Uncertain } from './values.ts'

/** Numbers come before texts, texts before FALSE, and that before TRUE. */
function rankOf(value: Scalar): number {
  if (typeof value === 'number') return 0
  return typeof value === 'string' ? 1 : 2
}

/** What an empty cell stands for beside another value. */
function filledFor(value: Scalar, other: Scalar): Scalar {
  if (value !== null) return value
  if (typeof other === 'string') return ''
  return typeof other === 'boolean' ? false : 0
}

/** Both, with what an empty cell stands for. */
function filled(left: Scalar, right: Scalar): readonly [Scalar, Scalar] {
  if (isError(left)) throw new Fault(left.error)
  if (isError(right)) throw new Fault(right.error)
  return [filledFor(left, right), filledFor(right, left)]
}

export function areEqual(left: Scalar, right: Scalar): boolean {
  const [a, b] = filled(left, right)
  if (typeof a === 'string' && typeof b === 'string') return sameText(a, b)
  return rankOf(a) === rankOf(b) && compareNumbers(Number(a), Number(b)) === 0
}

/** Below 0, 0 or above 0. */
export function compare(left: Scalar, right: Scalar): number {
  const [a, b] = filled(left, right)
  const ranks = rankOf(a) - rankOf(b)
  if (ranks !== 0) return ranks
  if (typeof a === 'string') return compareTexts(a, b as string)
  return compareNumbers(Number(a), Number(b))
}

const DIGITS = 15 // that Excel compares

function compareNumbers(a: number, b: number): number {
  if (a === b) return 0
  const isNear = Math.abs(a - b) <= 1e-14 * Math.max(Math.abs(a), Math.abs(b))
  if (isNear && a.toPrecision(DIGITS) === b.toPrecision(DIGITS)) return 0
  return a < b ? -1 : 1
}

export function sameText(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase()
}

const SIMPLE = /^[a-z0-9 ]*$/

/** In the order of the alphabet, whatever the case. Throws where languages differ. */
export function compareTexts(left: string, right: string): number {
  if (sameText(left, right)) return 0
  const [a, b] = [left.toLowerCase(), right.toLowerCase()]
  if (a === '' || b === '') return a === '' ? -1 : 1
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  // a letter or digit decides where no sign before it is ordered otherwise in some language
  const isSure = [a, b].every(own => SIMPLE.test(own.slice(0, at + 1)))
  if (!isSure || (!SIMPLE.test(a + b) && at >= Math.min(a.length, b.length)))
    throw new Uncertain('the order of texts')
  return a < b ? -1 : 1
}

/** The pattern that a text with `?` and `*` stands for; `~` takes the meaning of what follows away. */
export function wildcards(text: string): string {
  return text.replace(/~(.?)|./gs, (own, escaped: string | undefined) => {
    if (own === '?') return '[^]'
    if (own === '*') return '[^]*?'
    return (escaped ?? own).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
  })
}

/** Whether a text is the one with wildcards; undefined without any. */
export function wildcardPattern(text: string): RegExp | undefined {
  return /[?*~]/.test(text) ? new RegExp(`^${wildcards(text)}$`, 'i') : undefined
}
