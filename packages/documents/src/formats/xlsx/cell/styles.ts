import { format, getFormatFromId, isDateFormat } from 'numfmt'
import {
  attribute,
  child,
  children,
  type XmlDocument,
  type XmlElement,
  type XmlEncoding,
} from '../../../opc/index.ts'
import { isPlainFormat, showPlain } from './plain-format.ts'

export type StylesDocument = XmlDocument & { readonly encoding: XmlEncoding }

/** The meaning of a workbook's cell styles: number formats to show values, and words for a reader who asks. */
export class Styles {
  readonly #document: StylesDocument | undefined
  readonly #formats: readonly XmlElement[]
  readonly #custom = new Map<number, string>()
  /** Styles made for edits: a copy of `from` with another number format. */
  readonly added: { readonly from: number; readonly pattern: string }[] = []
  readonly #patterns: string[] = []
  readonly #dates: boolean[] = []

  constructor(document: StylesDocument | undefined) {
    this.#document = document
    const root = document?.root
    this.#formats = children(child(root, 'cellXfs'), 'xf')
    for (const element of children(child(root, 'numFmts'), 'numFmt'))
      this.#custom.set(
        Number(attribute(element, 'numFmtId')),
        attribute(element, 'formatCode') ?? 'General',
      )
  }

  get document(): StylesDocument | undefined {
    return this.#document
  }

  /** How many are in the file. */
  get count(): number {
    return this.#formats.length
  }

  /**
   * A copy of that style with another number format; the same arguments give the same style. Undefined when there are
   * too many.
   */
  derive(from: number, pattern: string): number | undefined {
    if (this.#formats.length === 0) return from // unreadable styles cannot be extended
    const origin = this.added[from - this.count]?.from ?? from
    const known = this.added.findIndex(own => own.from === origin && own.pattern === pattern)
    if (known >= 0) return this.count + known
    if (this.count + this.added.length >= MAX_STYLES) return undefined
    this.added.push({ from: origin, pattern })
    return this.count + this.added.length - 1
  }

  /** Drops added styles beyond that count: those of a refused call. */
  forget(count: number): void {
    this.added.length = count
    this.#patterns.length = Math.min(this.#patterns.length, this.count)
    this.#dates.length = Math.min(this.#dates.length, this.count)
  }

  get customFormats(): ReadonlyMap<number, string> {
    return this.#custom
  }

  element(style: number): XmlElement | undefined {
    return this.#formats[style]
  }

  /** The number format's code; `General` where there is none. */
  pattern(style: number): string {
    const known = this.#patterns[style]
    if (known !== undefined) return known
    const id = Number(attribute(this.#formats[style], 'numFmtId') ?? 0)
    const made = this.added[style - this.count]?.pattern
    const pattern =
      made ?? this.#custom.get(id) ?? (id === 0 ? 'General' : (getFormatFromId(id) ?? 'General'))
    if (style < 100_000) this.#patterns[style] = pattern
    return pattern
  }

  /** A date, or a time of day; a duration such as `[h]:mm` is a number. */
  isDate(style: number): boolean {
    const known = this.#dates[style]
    if (known !== undefined) return known
    const isDate = isDatePattern(this.pattern(style))
    if (style < 100_000) this.#dates[style] = isDate
    return isDate
  }

  /** Shows a time of day and no date. */
  isTime(style: number): boolean {
    return this.isDate(style) && !/[yd]/i.test(bare(this.pattern(style)).replace(/\[[^\]]*\]/g, ''))
  }

  /** Shows hours, minutes or seconds that do not start again each day. */
  isDuration(style: number): boolean {
    return isDurationPattern(this.pattern(style))
  }

  isLocked(style: number): boolean {
    return (
      attribute(
        child(this.#formats[this.added[style - this.count]?.from ?? style], 'protection'),
        'locked',
      ) !== '0'
    )
  }

  /** `bold, fill FFFF00, "0.00"`: how it differs from plain; empty for a plain cell. */
  describe(style: number): string {
    const own = this.#formats[this.added[style - this.count]?.from ?? style]
    const root = this.#document?.root
    if (!own || !root) return ''
    const words: string[] = []
    const font = children(child(root, 'fonts'), 'font')[Number(attribute(own, 'fontId') ?? 0)]
    const plain = children(child(root, 'fonts'), 'font')[0]
    for (const [local, word] of FONT_WORDS) if (isOn(child(font, local))) words.push(word)
    const color = colorOf(child(font, 'color'))
    if (color && color !== colorOf(child(plain, 'color'))) words.push(`color ${color}`)
    const size = attribute(child(font, 'sz'), 'val')
    if (size && size !== attribute(child(plain, 'sz'), 'val')) words.push(`${size} pt`)
    const fill = child(
      children(child(root, 'fills'), 'fill')[Number(attribute(own, 'fillId') ?? 0)],
      'patternFill',
    )
    const fillColor = colorOf(child(fill, 'fgColor'))
    if (fillColor && attribute(fill, 'patternType') !== 'none') words.push(`fill ${fillColor}`)
    if (Number(attribute(own, 'borderId') ?? 0) > 0) words.push('border')
    const alignment = attribute(child(own, 'alignment'), 'horizontal')
    if (alignment && alignment !== 'general') words.push(alignment)
    if (attribute(child(own, 'alignment'), 'wrapText') === '1') words.push('wrapped')
    const pattern = this.pattern(style)
    if (pattern !== 'General') words.push(`format "${pattern}"`)
    return words.join(', ')
  }
}

export const MAX_STYLES = 65_490 // Excel specifications and limits, "Unique cell formats/cell styles": with more it calls a file damaged

const FONT_WORDS = [
  ['b', 'bold'],
  ['i', 'italic'],
  ['u', 'underlined'],
  ['strike', 'struck out'],
] as const

function isOn(element: XmlElement | undefined): boolean {
  return element !== undefined && !['0', 'false', 'none'].includes(attribute(element, 'val') ?? '1')
}

function colorOf(element: XmlElement | undefined): string | undefined {
  const rgb = attribute(element, 'rgb')
  if (rgb) return rgb.length === 8 ? rgb.slice(2) : rgb
  const theme = attribute(element, 'theme')
  return theme === undefined ? undefined : `theme ${theme}`
}

/** `[h]:mm`, `[mm]:ss`, but not quoted letters or the colour `[magenta]`. */
function isDurationPattern(pattern: string): boolean {
  return /\[(h+|m+|s+)\]/i.test(bare(pattern))
}

/** Without its quoted strings. */
function bare(pattern: string): string {
  return pattern.replace(/"[^"]*"|\\./g, '')
}

function isDatePattern(pattern: string): boolean {
  if (pattern === 'General' || isPlainFormat(pattern) || isDurationPattern(pattern)) return false
  try {
    return isDateFormat(pattern)
  } catch {
    return false
  }
}

/** A number as a person sees it. `General` shows all digits: Excel cuts them by column width. */
export function showNumber(value: number, pattern: string, is1904: boolean): string {
  if (pattern === 'General' || pattern === '@') return plainNumber(value)
  const plain = showPlain(value, pattern)
  if (plain !== undefined) return plain
  try {
    const serial = is1904 && isDatePattern(pattern) ? value + DAYS_1904 : value
    return format(pattern, serial)
  } catch {
    return plainNumber(value)
  }
}

export const DAYS_1904 = 1462 // from 1900-01-00 to 1904-01-01

/** 15 significant digits, as Excel computes. */
export function plainNumber(value: number): string {
  const text = String(value)
  // Up to 15 digits, with or without a point: already in that form.
  const most = text.includes('.') ? 16 : 15
  if (text.length <= most && !text.includes('e')) return text
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : text
}
