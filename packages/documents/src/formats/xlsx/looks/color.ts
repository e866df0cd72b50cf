import { attribute, child, children, type XmlElement } from '../../../opc/index.ts'

/** A colour as a file names it: fixed, of the theme, or of the old palette. */
export type Color =
  | { readonly rgb: string }
  | { readonly theme: number; readonly tint: number }
  | { readonly indexed: number }

/** What colour names mean in one workbook. */
export interface Palette {
  /** By the number that styles use: light 1, dark 1, light 2, dark 2, accents 1 to 6, link, followed link. */
  readonly theme: readonly string[]
  readonly indexed: readonly string[]
}

export function readColor(element: XmlElement | undefined): Color | undefined {
  const rgb = attribute(element, 'rgb')
  if (rgb && /^[0-9a-f]{6}([0-9a-f]{2})?$/i.test(rgb)) return { rgb: rgb.slice(-6).toUpperCase() }
  const theme = numberOf(attribute(element, 'theme'))
  if (theme !== undefined) return { theme, tint: numberOf(attribute(element, 'tint')) ?? 0 }
  const indexed = numberOf(attribute(element, 'indexed'))
  // 64 and 65 are the system's own text and background
  return indexed === undefined || indexed > 63 ? undefined : { indexed }
}

function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** ` rgb="FFFF0000"` */
export function colorAttributes(color: Color): string {
  if ('rgb' in color) return ` rgb="FF${color.rgb}"`
  if ('indexed' in color) return ` indexed="${color.indexed}"`
  return ` theme="${color.theme}"${color.tint === 0 ? '' : ` tint="${color.tint}"`}`
}

/** `FF0000`; undefined for a theme or palette that has no such colour. */
export function toRgb(color: Color | undefined, { theme, indexed }: Palette): string | undefined {
  if (!color) return undefined
  if ('rgb' in color) return color.rgb
  if ('indexed' in color) return indexed[color.indexed]
  const base = theme[color.theme]
  return base && tinted(base, color.tint)
}

/** Lighter or darker by its luminance, as ECMA-376 18.8.19 computes it. */
function tinted(rgb: string, tint: number): string {
  if (tint === 0) return rgb
  const [hue, saturation, light] = toHsl(rgb)
  const moved = tint < 0 ? light * (1 + tint) : light * (1 - tint) + tint
  return fromHsl(hue, saturation, Math.min(Math.max(moved, 0), 1))
}

function toHsl(rgb: string): [number, number, number] {
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map(
    at => Number.parseInt(rgb.slice(at, at + 2), 16) / 255,
  )
  const most = Math.max(r, g, b)
  const least = Math.min(r, g, b)
  const light = (most + least) / 2
  const span = most - least
  if (span === 0) return [0, 0, light]
  const saturation = light > 0.5 ? span / (2 - most - least) : span / (most + least)
  const sector =
    most === r
      ? (g - b) / span + (g < b ? 6 : 0)
      : most === g
        ? (b - r) / span + 2
        : (r - g) / span + 4
  return [sector / 6, saturation, light]
}

function fromHsl(hue: number, saturation: number, light: number): string {
  const high = light < 0.5 ? light * (1 + saturation) : light + saturation - light * saturation
  const low = 2 * light - high
  const part = (shift: number) => {
    const at = (hue + shift + 1) % 1
    const value =
      at < 1 / 6
        ? low + (high - low) * 6 * at
        : at < 1 / 2
          ? high
          : at < 2 / 3
            ? low + (high - low) * (2 / 3 - at) * 6
            : low
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return [1 / 3, 0, -1 / 3].map(part).join('').toUpperCase()
}

/** `FF0000`, `theme 4 +40%`, `indexed 12`; with a palette also what that is: `theme 4 +40% (95B3D7)`. */
export function colorWords(color: Color, palette?: Palette): string {
  if ('rgb' in color) return color.rgb
  const name =
    'indexed' in color ? `indexed ${color.indexed}` : `theme ${color.theme}${tintWords(color.tint)}`
  const rgb = palette && toRgb(color, palette)
  return rgb ? `${name} (${rgb})` : name
}

function tintWords(tint: number): string {
  if (tint === 0) return ''
  const percent = Math.round(Math.abs(tint) * 100)
  const sign = tint < 0 ? '-' : '+'
  return Math.abs(asStored(percent) - Math.abs(tint)) < 1e-9
    ? ` ${sign}${percent}%`
    : ` tint ${tint}`
}

/** Excel keeps a tint as a part of 32,767. */
function asStored(percent: number): number {
  return Math.floor((percent / 100) * 32_767) / 32_767
}

const NAMED: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'FFFFFF',
  red: 'FF0000',
  green: '008000',
  lime: '00FF00',
  blue: '0000FF',
  yellow: 'FFFF00',
  orange: 'FFA500',
  gray: '808080',
  grey: '808080',
  lightgray: 'D3D3D3',
  lightgrey: 'D3D3D3',
  darkgray: 'A9A9A9',
  silver: 'C0C0C0',
  navy: '000080',
  purple: '800080',
  teal: '008080',
  maroon: '800000',
  olive: '808000',
  pink: 'FFC0CB',
  brown: 'A52A2A',
  cyan: '00FFFF',
  magenta: 'FF00FF',
  gold: 'FFD700',
  lightblue: 'ADD8E6',
  darkblue: '00008B',
  lightgreen: '90EE90',
  darkgreen: '006400',
  lightyellow: 'FFFFE0',
  darkred: '8B0000',
}

/** The words of `colorWords`, `#F00`, `FFFF0000` or a plain name; undefined: no colour. */
export function parseColor(words: string): Color | undefined {
  const text = words
    .replace(/\s*\([0-9a-f]{6}\)$/i, '')
    .trim()
    .toLowerCase()
  const hex = /^#?(?:[0-9a-f]{2})?([0-9a-f]{6})$/.exec(text)?.[1]
  if (hex) return { rgb: hex.toUpperCase() }
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text)
  if (short)
    return {
      rgb: short
        .slice(1)
        .map(digit => digit + digit)
        .join('')
        .toUpperCase(),
    }
  const name = NAMED[text.replace(/[\s_-]/g, '')]
  if (name && Object.hasOwn(NAMED, text.replace(/[\s_-]/g, ''))) return { rgb: name }
  const indexed = /^indexed (\d{1,2})$/.exec(text)
  if (indexed && Number(indexed[1]) < 64) return { indexed: Number(indexed[1]) }
  const theme = /^theme (\d{1,2})(?: ([+-])(\d{1,3})%| tint (-?[\d.e-]+))?$/.exec(text)
  if (!theme || Number(theme[1]) > 11) return undefined
  const stored = theme[3] === undefined ? 0 : asStored(Number(theme[3]))
  const tint = theme[4] === undefined ? (theme[2] === '-' ? -stored : stored) : Number(theme[4])
  return Math.abs(tint) <= 1 ? { theme: Number(theme[1]), tint } : undefined
}

const FIRST_EIGHT = '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF'
const REST =
  '800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 003366 339966 003300 333300 993300 993366 333399 333333'

/** The palette of old workbooks, ECMA-376 18.8.27; the first eight are there twice. */
const OLD_PALETTE = `${FIRST_EIGHT} ${FIRST_EIGHT} ${REST}`.split(' ')

const OFFICE_THEME =
  'FFFFFF 000000 EEECE1 1F497D 4F81BD C0504D 9BBB59 8064A2 4BACC6 F79646 0000FF 800080'.split(' ')

const THEME_ORDER = [
  ...['lt1', 'dk1', 'lt2', 'dk2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5'],
  ...['accent6', 'hlink', 'folHlink'],
]

/** Of a workbook's theme and styles; a workbook without a theme has the one of Office 2007. */
export function readPalette(
  theme: XmlElement | undefined,
  styles: XmlElement | undefined,
): Palette {
  const scheme = child(child(theme, 'themeElements'), 'clrScheme')
  const own = children(child(child(styles, 'colors'), 'indexedColors'), 'rgbColor').map(
    element => attribute(element, 'rgb')?.slice(-6).toUpperCase() ?? '000000',
  )
  return {
    theme: THEME_ORDER.map(
      (local, index) => schemeColor(child(scheme, local)) ?? OFFICE_THEME[index]!,
    ),
    indexed: OLD_PALETTE.map((color, index) => own[index] ?? color),
  }
}

function schemeColor(element: XmlElement | undefined): string | undefined {
  const rgb =
    attribute(child(element, 'srgbClr'), 'val') ?? attribute(child(element, 'sysClr'), 'lastClr')
  return rgb && /^[0-9a-f]{6}$/i.test(rgb) ? rgb.toUpperCase() : undefined
}
