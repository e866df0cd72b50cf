import { format, getFormatFromId, isDateFormat } from 'numfmt'
import {
  attribute,
  child,
  children,
  encodeAttribute,
  parseXml,
  prefixOf,
  type XmlDocument,
  type XmlElement,
  type XmlEncoding,
} from '../../../opc/index.ts'
import { type Palette, readPalette } from '../looks/color.ts'
import { withFixedColors } from '../looks/fixed-colors.ts'
import { type CellLook, readLook } from '../looks/look.ts'
import type { LookEdit } from '../looks/look-edit.ts'
import { describeLook } from '../looks/look-words.ts'
import { serialise } from '../looks/serialise.ts'
import { StyleList } from '../looks/style-list.ts'
import { isPlainFormat, showPlain } from './plain-format.ts'

export type StylesDocument = XmlDocument & { readonly encoding: XmlEncoding }

/** How far each list of the styles has grown. */
export type StylesMark = readonly number[]

/** What a new cell format has in place of what its origin has. */
export interface FormatEdit {
  readonly numFmtId?: number
  /** Indexes in the lists of fonts, fills and borders. */
  readonly font?: number
  readonly fill?: number
  readonly border?: number
  /** The elements as XML, without a prefix's declaration; empty: none. */
  readonly alignment?: string
  readonly protection?: string
  /** The index in the list of cell style formats. */
  readonly base?: number
}

/** The meaning of a workbook's cell styles: number formats to show values, and words for a reader who asks. */
export class Styles {
  readonly #document: StylesDocument | undefined
  readonly #custom = new Map<number, string>()
  readonly #ownFormats: number
  readonly #palette: () => Palette
  readonly #theme: (() => XmlElement | undefined) | undefined
  readonly formats: StyleList
  readonly fonts: StyleList
  readonly fills: StyleList
  readonly borders: StyleList
  /** Formats of named cell styles, and the names that point at them. */
  readonly bases: StyleList
  readonly names: StyleList
  /** Looks of conditional formats and tables. */
  readonly differences: StyleList
  readonly #patterns: string[] = []
  readonly #dates: boolean[] = []
  readonly #words: string[] = []
  readonly #looks: CellLook[] = []

  constructor(document: StylesDocument | undefined, theme?: () => XmlElement | undefined) {
    this.#document = document
    const root = document?.root
    this.formats = new StyleList(document, 'cellXfs', 'xf')
    this.fonts = new StyleList(document, 'fonts', 'font')
    this.fills = new StyleList(document, 'fills', 'fill')
    this.borders = new StyleList(document, 'borders', 'border')
    this.bases = new StyleList(document, 'cellStyleXfs', 'xf')
    this.names = new StyleList(document, 'cellStyles', 'cellStyle')
    this.differences = new StyleList(document, 'dxfs', 'dxf')
    for (const element of children(child(root, 'numFmts'), 'numFmt'))
      this.#custom.set(
        Number(attribute(element, 'numFmtId')),
        attribute(element, 'formatCode') ?? 'General',
      )
    this.#ownFormats = this.#custom.size
    this.#theme = theme
    let palette: Palette | undefined
    this.#palette = () => {
      palette ??= readPalette(theme?.(), root)
      return palette
    }
  }

  get document(): StylesDocument | undefined {
    return this.#document
  }

  /** `x:` or nothing. */
  get prefix(): string {
    return this.#document ? prefixOf(this.#document.root) : ''
  }

  /** The edit as this workbook can show it. */
  shown(edit: LookEdit): LookEdit {
    return this.#theme?.() ? edit : withFixedColors(edit, this.palette)
  }

  /** Absent where a theme says what its colours are. */
  get fixedPalette(): Palette | undefined {
    return this.#theme?.() ? undefined : this.palette
  }

  get palette(): Palette {
    return this.#palette()
  }

  get lists(): readonly StyleList[] {
    return [
      ...[this.fonts, this.fills, this.borders, this.bases],
      ...[this.formats, this.names, this.differences],
    ]
  }

  /** How many cell formats are in the file. */
  get count(): number {
    return this.formats.count
  }

  /** Unreadable styles cannot be extended. */
  get isReadable(): boolean {
    return this.count > 0
  }

  /**
   * A copy of that style with another number format; the same arguments give the same style. Undefined when there are
   * too many.
   */
  derive(from: number, pattern: string): number | undefined {
    return this.isReadable ? this.deriveFormat(from, { numFmtId: this.formatId(pattern) }) : from
  }

  /** A copy of that style with some parts replaced. Undefined when there are too many. */
  deriveFormat(from: number, edit: FormatEdit): number | undefined {
    if (!this.isReadable) return from
    const text = this.#formatXml(this.formats.at(from), edit)
    const before = this.formats.size
    const index = this.formats.add(text)
    if (index < before || before < MAX_STYLES) return index
    this.formats.forget(before)
    return undefined
  }

  #formatXml(origin: XmlElement | undefined, edit: FormatEdit): string {
    const { prefix } = this
    const attributes = new Map(
      origin?.attributes.map(({ name, value }) => [name, value]) ??
        Object.entries({ numFmtId: '0', fontId: '0', fillId: '0', borderId: '0', xfId: '0' }),
    )
    const set = (name: string, apply: string, value: number | undefined) => {
      if (value === undefined) return
      attributes.set(name, String(value))
      attributes.set(apply, '1')
    }
    set('numFmtId', 'applyNumberFormat', edit.numFmtId)
    set('fontId', 'applyFont', edit.font)
    set('fillId', 'applyFill', edit.fill)
    set('borderId', 'applyBorder', edit.border)
    if (edit.base !== undefined) attributes.set('xfId', String(edit.base))
    const inner = { alignment: edit.alignment, protection: edit.protection }
    for (const [local, text] of Object.entries(inner))
      if (text !== undefined)
        attributes.set(`apply${local[0]!.toUpperCase()}${local.slice(1)}`, '1')
    const kept = (local: 'alignment' | 'protection') =>
      inner[local] ?? serialise(child(origin, local))
    const rest = origin?.children.filter(({ local }) => !Object.hasOwn(inner, local)) ?? []
    const body = [kept('alignment'), kept('protection'), ...rest.map(serialise)].join('')
    const shown = [...attributes].map(([name, value]) => ` ${name}="${encodeAttribute(value)}"`)
    const open = `<${prefix}xf${shown.join('')}`
    return body === '' ? `${open}/>` : `${open}>${body}</${prefix}xf>`
  }

  /** The number of a number format, a new one unless the file has it. */
  formatId(pattern: string): number {
    const known = PLAIN_FORMATS.get(pattern)
    if (known !== undefined) return known
    for (const [id, own] of this.#custom) if (own === pattern) return id
    const id = Math.max(FIRST_CUSTOM_FORMAT - 1, ...this.#custom.keys()) + 1
    this.#custom.set(id, pattern)
    return id
  }

  /** The number formats that edits added. */
  get addedFormats(): readonly (readonly [number, string])[] {
    return [...this.#custom].slice(this.#ownFormats)
  }

  /** How far the lists have grown, to go back to. */
  mark(): StylesMark {
    return [this.#custom.size, ...this.lists.map(({ size }) => size)]
  }

  /** Drops what was added since: the styles of a refused call. */
  forget([custom = 0, ...sizes]: StylesMark): void {
    for (const id of [...this.#custom.keys()].slice(custom)) this.#custom.delete(id)
    for (const [index, list] of this.lists.entries()) list.forget(sizes[index]!)
    for (const known of [this.#patterns, this.#dates, this.#words, this.#looks])
      known.length = Math.min(known.length, this.count)
  }

  get isGrown(): boolean {
    return (
      this.#custom.size > this.#ownFormats || this.lists.some(({ count, size }) => size > count)
    )
  }

  element(style: number): XmlElement | undefined {
    return this.formats.at(style)
  }

  /** The number format's code; `General` where there is none. */
  pattern(style: number): string {
    const known = this.#patterns[style]
    if (known !== undefined) return known
    const pattern = this.patternOf(Number(attribute(this.formats.at(style), 'numFmtId') ?? 0))
    if (style < MAX_KEPT) this.#patterns[style] = pattern
    return pattern
  }

  patternOf(id: number): string {
    return this.#custom.get(id) ?? (id === 0 ? 'General' : (getFormatFromId(id) ?? 'General'))
  }

  /** A date, or a time of day; a duration such as `[h]:mm` is a number. */
  isDate(style: number): boolean {
    const known = this.#dates[style]
    if (known !== undefined) return known
    const isDate = isDatePattern(this.pattern(style))
    if (style < MAX_KEPT) this.#dates[style] = isDate
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
    return this.look(style).locked
  }

  /** How cells of that style look. */
  look(style: number): CellLook {
    const known = this.#looks[style]
    if (known) return known
    const own = this.formats.at(style)
    const look = this.lookOf(own, this.pattern(style))
    if (style < MAX_KEPT) this.#looks[style] = look
    return look
  }

  /** The look of a cell format, or of a named style's. */
  lookOf(own: XmlElement | undefined, format: string): CellLook {
    const indexOf = (name: string) => Number(attribute(own, name) ?? 0)
    return readLook({
      font: this.fonts.at(indexOf('fontId')),
      fill: this.fills.at(indexOf('fillId')),
      border: this.borders.at(indexOf('borderId')),
      alignment: child(own, 'alignment'),
      protection: child(own, 'protection'),
      format,
      named: this.#nameOf(indexOf('xfId')),
    })
  }

  /** A plain cell once it has that named style; it still counts as unnamed, so that words name it. */
  #namedLook(base: number): CellLook {
    const document = parseXml(Buffer.from(this.#formatXml(this.formats.at(0), this.baseEdit(base))))
    if (typeof document === 'string') return this.look(0)
    const format = this.patternOf(Number(attribute(document.root, 'numFmtId') ?? 0))
    return { ...this.lookOf(document.root, format), named: undefined }
  }

  /** What a cell takes from a named style: all that the style includes. */
  baseEdit(base: number): FormatEdit {
    const own = this.bases.at(base)
    const has = (name: string) => !['0', 'false'].includes(attribute(own, name) ?? '1')
    const indexOf = (name: string) => Number(attribute(own, name) ?? 0)
    return {
      base,
      ...(has('applyNumberFormat') && { numFmtId: indexOf('numFmtId') }),
      ...(has('applyFont') && { font: indexOf('fontId') }),
      ...(has('applyFill') && { fill: indexOf('fillId') }),
      ...(has('applyBorder') && { border: indexOf('borderId') }),
      ...(has('applyAlignment') && { alignment: serialise(child(own, 'alignment')) }),
      ...(has('applyProtection') && { protection: serialise(child(own, 'protection')) }),
    }
  }

  #nameOf(base: number): string | undefined {
    if (base === 0) return undefined
    for (let index = 0; index < this.names.size; index++) {
      const own = this.names.at(index)
      if (Number(attribute(own, 'xfId')) === base) return attribute(own, 'name')
    }
    return undefined
  }

  /** `bold, fill FFFF00, "0.00"`: how it differs from plain; empty for a plain cell. */
  describe(style: number): string {
    const known = this.#words[style]
    if (known !== undefined) return known
    if (!this.formats.at(style)) return ''
    const base = Number(attribute(this.formats.at(style), 'xfId') ?? 0)
    const plain = base === 0 ? this.look(0) : this.#namedLook(base)
    const words = describeLook(this.look(style), plain, this.palette)
    if (style < MAX_KEPT) this.#words[style] = words
    return words
  }
}

const MAX_KEPT = 100_000 // a hostile file may name any style
const FIRST_CUSTOM_FORMAT = 164

/** Number formats that every reader has by number, and that no locale changes (ECMA-376 18.8.30). */
const PLAIN_FORMATS: ReadonlyMap<string, number> = new Map([
  ['General', 0],
  ['0', 1],
  ['0.00', 2],
  ['#,##0', 3],
  ['#,##0.00', 4],
  ['0%', 9],
  ['0.00%', 10],
  ['0.00E+00', 11],
  ['@', 49],
])

export const MAX_STYLES = 65_490 // Excel specifications and limits, "Unique cell formats/cell styles": with more it calls a file damaged

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
