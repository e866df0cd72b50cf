import { wildcards } from './comparison.ts'
import { Fault, fail, type Scalar, toNumber, toWhole, Uncertain } from './values.ts'

const DIGITS = 15 // that Excel shows

/** A number as Excel joins it to a text. Throws where programs differ: the cell then has no value. */
export function textOfNumber(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) throw new Uncertain('a number shown by exponent')
  return String(Number(value.toPrecision(DIGITS)))
}

/** As a single value where a text is expected. */
export function toText(value: Scalar | undefined): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return textOfNumber(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  throw new Fault(value.error)
}

/** Windows-1252 from 128 on, as far as it differs from Unicode. */
const SIGNS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

function signOf(value: Scalar | undefined): string {
  const code = toWhole(value)
  if (code < 1 || code > 255) return fail('#VALUE!')
  if (code < 32 && code !== 9 && code !== 10 && code !== 13)
    throw new Uncertain('a control character')
  return code >= 128 && code < 160 ? SIGNS[code - 128]! : String.fromCharCode(code)
}

function codeOf(value: Scalar | undefined): number {
  const [sign] = toText(value)
  if (sign === undefined) return fail('#VALUE!')
  const at = SIGNS.indexOf(sign)
  if (at >= 0) return at + 128
  const code = sign.codePointAt(0)!
  if (code > 255) throw new Uncertain('a sign that is not in every code page')
  return code
}

function search(wanted: Scalar | undefined, text: Scalar | undefined, from: Scalar = 1): number {
  const [pattern, own, start] = [toText(wanted), toText(text), toWhole(from)]
  if (start < 1 || start > own.length + 1) return fail('#VALUE!')
  if (pattern === '') return start
  const at = own.slice(start - 1).search(new RegExp(wildcards(pattern), 'i'))
  return at < 0 ? fail('#VALUE!') : at + start
}

/** Each letter that follows no letter is a capital. */
function proper(value: Scalar | undefined): string {
  return toText(value)
    .toLowerCase()
    .replace(/(^|[^\p{L}\p{M}])(\p{L})/gu, (_, before: string, letter: string) => {
      const large = letter.toUpperCase()
      return before + (large.length === 1 ? large : letter)
    })
}

function codePoint(value: Scalar | undefined): number {
  const text = toText(value)
  return text === '' ? fail('#VALUE!') : text.codePointAt(0)!
}

/** Only the space counts, not its relatives from web pages. */
const trim = (value: Scalar | undefined) =>
  toText(value)
    .replace(/^ +| +$/g, '')
    .replace(/ +/g, ' ')

export const TEXTS: Readonly<
  Record<string, (...given: readonly (Scalar | undefined)[]) => Scalar>
> = {
  CHAR: value => signOf(value),
  CODE: value => codeOf(value),
  UNICODE: value => codePoint(value),
  PROPER: value => proper(value),
  TRIM: value => trim(value),
  SEARCH: (wanted, text, from) => search(wanted, text, from),
  LOWER: value => toText(value).toLowerCase(),
  UPPER: value => toText(value).toUpperCase(),
  LEN: value => toText(value).length,
  LEFT: (text, count = 1) => toText(text).slice(0, countOf(count)),
  RIGHT: (text, count = 1) => {
    const [own, most] = [toText(text), countOf(count)]
    return most === 0 ? '' : own.slice(-most)
  },
  MID: (text, from, count) => {
    const [own, start, most] = [toText(text), toWhole(from), toWhole(count)]
    return start < 1 || most < 0 ? fail('#VALUE!') : own.slice(start - 1, start - 1 + most)
  },
  EXACT: (a, b) => toText(a) === toText(b),
  REPT: (text, times) => {
    const [own, count] = [toText(text), Math.trunc(toNumber(times))]
    return count < 0 || own.length * count > 32_767 ? fail('#VALUE!') : own.repeat(count)
  },
}

function countOf(value: Scalar | undefined): number {
  const count = toWhole(value)
  return count < 0 ? fail('#VALUE!') : count
}
