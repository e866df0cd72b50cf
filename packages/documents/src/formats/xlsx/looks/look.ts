import { attribute, child, children, type XmlElement } from '../../../opc/index.ts'
import { type Color, readColor } from './color.ts'

/** How a cell looks, resolved: every property has its value, whatever style it comes from. */
export interface CellLook {
  readonly font: string
  readonly size: number
  readonly bold: boolean
  readonly italic: boolean
  readonly strike: boolean
  readonly underline: Underline | undefined
  readonly script: 'superscript' | 'subscript' | undefined
  readonly color: Color | undefined
  readonly fill: Fill | undefined
  readonly border: Borders
  readonly align: HorizontalAlign
  readonly valign: VerticalAlign
  readonly wrap: boolean
  readonly shrink: boolean
  readonly indent: number
  /** Degrees, -90 to 90; `stacked`: letters below each other. */
  readonly rotate: number | 'stacked'
  readonly reading: 'left to right' | 'right to left' | undefined
  readonly format: string
  readonly locked: boolean
  readonly hidden: boolean
  /** The cell style that it belongs to; undefined: the plain one. */
  readonly named: string | undefined
}

export type Underline = 'single' | 'double' | 'singleAccounting' | 'doubleAccounting'
export type HorizontalAlign = (typeof HORIZONTAL)[number]
export type VerticalAlign = (typeof VERTICAL)[number]

export const HORIZONTAL = [
  ...(['general', 'left', 'center', 'right', 'fill', 'justify', 'centerContinuous'] as const),
  'distributed',
] as const
export const VERTICAL = ['bottom', 'center', 'top', 'justify', 'distributed'] as const
export const UNDERLINES = ['single', 'double', 'singleAccounting', 'doubleAccounting'] as const

export type Fill =
  | { readonly pattern: string; readonly color?: Color; readonly back?: Color }
  | { readonly gradient: Gradient }

export interface Gradient {
  readonly kind: 'linear' | 'path'
  readonly degree: number
  readonly stops: readonly { readonly at: number; readonly color: Color }[]
  /** Of a path: left, right, top, bottom. */
  readonly inset?: readonly number[]
}

export const PATTERNS = [
  ...['solid', 'mediumGray', 'darkGray', 'lightGray', 'gray125', 'gray0625'],
  ...['darkHorizontal', 'darkVertical', 'darkDown', 'darkUp', 'darkGrid', 'darkTrellis'],
  ...['lightHorizontal', 'lightVertical', 'lightDown', 'lightUp', 'lightGrid', 'lightTrellis'],
]

export const SIDES = ['left', 'right', 'top', 'bottom', 'up', 'down'] as const
/** `up` and `down` are the diagonals. */
export type Side = (typeof SIDES)[number]

export const LINES = [
  ...['thin', 'medium', 'thick', 'dashed', 'dotted', 'double', 'hair'],
  ...['mediumDashed', 'dashDot', 'mediumDashDot', 'dashDotDot', 'mediumDashDotDot'],
  'slantDashDot',
]

export interface Line {
  readonly style: string
  readonly color: Color | undefined
}

export type Borders = Readonly<Partial<Record<Side, Line>>>

/** The elements that make up a style. */
export interface StyleElements {
  readonly font: XmlElement | undefined
  readonly fill: XmlElement | undefined
  readonly border: XmlElement | undefined
  readonly alignment: XmlElement | undefined
  readonly protection: XmlElement | undefined
  readonly format: string
  readonly named: string | undefined
}

export function readLook(own: StyleElements): CellLook {
  return {
    ...fontLook(own.font),
    fill: readFill(own.fill),
    border: readBorders(own.border),
    ...alignmentLook(own.alignment),
    format: own.format,
    locked: !isOff(attribute(own.protection, 'locked')),
    hidden: isOn(attribute(own.protection, 'hidden')),
    named: own.named,
  }
}

export type FontLook = Pick<
  CellLook,
  'font' | 'size' | 'bold' | 'italic' | 'strike' | 'underline' | 'script' | 'color'
>

export function fontLook(font: XmlElement | undefined): FontLook {
  const has = (local: string) => {
    const own = child(font, local)
    return own !== undefined && !isOff(attribute(own, 'val'))
  }
  const line = child(font, 'u')
  const underline = line && (attribute(line, 'val') ?? 'single')
  const script = attribute(child(font, 'vertAlign'), 'val')
  return {
    font: attribute(child(font, 'name'), 'val') ?? 'Calibri',
    size: Number(attribute(child(font, 'sz'), 'val') ?? 11) || 11,
    bold: has('b'),
    italic: has('i'),
    strike: has('strike'),
    underline: UNDERLINES.find(own => own === underline),
    script: script === 'superscript' || script === 'subscript' ? script : undefined,
    color: readColor(child(font, 'color')),
  }
}

export function readFill(element: XmlElement | undefined): Fill | undefined {
  const gradient = child(element, 'gradientFill')
  if (gradient) return { gradient: readGradient(gradient) }
  const own = child(element, 'patternFill')
  const pattern = attribute(own, 'patternType') ?? 'none'
  if (pattern === 'none') return undefined
  const color = readColor(child(own, 'fgColor'))
  const back = readColor(child(own, 'bgColor'))
  // a solid fill shows its foreground alone
  if (pattern === 'solid') return { pattern, ...(color && { color }) }
  return { pattern, ...(color && { color }), ...(back && { back }) }
}

function readGradient(element: XmlElement): Gradient {
  const stops = children(element, 'stop').map(stop => ({
    at: Number(attribute(stop, 'position') ?? 0),
    color: readColor(child(stop, 'color')) ?? { rgb: '000000' },
  }))
  const degree = Number(attribute(element, 'degree') ?? 0)
  if (attribute(element, 'type') !== 'path') return { kind: 'linear', degree, stops }
  const inset = ['left', 'right', 'top', 'bottom'].map(side =>
    Number(attribute(element, side) ?? 0),
  )
  return { kind: 'path', degree, stops, inset }
}

export function readBorders(element: XmlElement | undefined): Borders {
  const found: Partial<Record<Side, Line>> = {}
  const lineOf = (local: string) => {
    const own = child(element, local)
    const style = attribute(own, 'style') ?? 'none'
    return style === 'none' ? undefined : { style, color: readColor(child(own, 'color')) }
  }
  for (const [side, other] of [
    ['left', 'start'],
    ['right', 'end'],
    ['top', 'top'],
    ['bottom', 'bottom'],
  ] as const) {
    const line = lineOf(side) ?? lineOf(other)
    if (line) found[side] = line
  }
  const diagonal = lineOf('diagonal')
  if (diagonal && isOn(attribute(element, 'diagonalUp'))) found.up = diagonal
  if (diagonal && isOn(attribute(element, 'diagonalDown'))) found.down = diagonal
  return found
}

type AlignmentLook = Pick<
  CellLook,
  'align' | 'valign' | 'wrap' | 'shrink' | 'indent' | 'rotate' | 'reading'
>

function alignmentLook(own: XmlElement | undefined): AlignmentLook {
  const rotation = Number(attribute(own, 'textRotation') ?? 0) || 0
  const reading = attribute(own, 'readingOrder')
  return {
    align: HORIZONTAL.find(word => word === attribute(own, 'horizontal')) ?? 'general',
    valign: VERTICAL.find(word => word === attribute(own, 'vertical')) ?? 'bottom',
    wrap: isOn(attribute(own, 'wrapText')),
    shrink: isOn(attribute(own, 'shrinkToFit')),
    indent: Number(attribute(own, 'indent') ?? 0) || 0,
    rotate: rotation === 255 ? 'stacked' : rotation > 90 ? 90 - rotation : rotation,
    reading: reading === '1' ? 'left to right' : reading === '2' ? 'right to left' : undefined,
  }
}

function isOn(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'on'
}

function isOff(text: string | undefined): boolean {
  return text === '0' || text === 'false' || text === 'off'
}
