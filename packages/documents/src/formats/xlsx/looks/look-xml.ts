import { attribute, child, encodeAttribute, type XmlElement } from '../../../opc/index.ts'
import { type Color, colorAttributes } from './color.ts'
import type { Fill, Line } from './look.ts'
import type { BorderEdit, LookEdit } from './look-edit.ts'
import { serialise } from './serialise.ts'

/** The order in which Excel writes the properties of a font. */
const FONT_ORDER = [
  ...['b', 'i', 'strike', 'condense', 'extend', 'outline', 'shadow', 'u', 'vertAlign', 'sz'],
  ...['color', 'name', 'family', 'charset', 'scheme'],
]

/** A font with what the edit changes; undefined where it changes nothing. */
export function fontXml(
  prefix: string,
  origin: XmlElement | undefined,
  edit: LookEdit,
): string | undefined {
  const changed = new Map<string, string>()
  const set = (local: string, attributes: string | undefined) =>
    changed.set(local, attributes === undefined ? '' : `<${prefix}${local}${attributes}/>`)
  const flag = (local: string, on: boolean | undefined) => {
    if (on !== undefined) set(local, on ? '' : undefined)
  }
  flag('b', edit.bold)
  flag('i', edit.italic)
  flag('strike', edit.strike)
  if (edit.underline !== undefined) set('u', valueOfUnderline(edit.underline))
  if (edit.script !== undefined) set('vertAlign', edit.script ? ` val="${edit.script}"` : undefined)
  if (edit.size !== undefined) set('sz', ` val="${edit.size}"`)
  if (edit.color !== undefined) set('color', edit.color ? colorAttributes(edit.color) : undefined)
  if (edit.font !== undefined && edit.font !== attribute(child(origin, 'name'), 'val')) {
    set('name', ` val="${encodeAttribute(edit.font)}"`)
    // they belong to the old font, and the theme's would replace the new one
    for (const local of ['family', 'charset', 'scheme']) set(local, undefined)
  }
  if (changed.size === 0) return undefined
  const kept = (origin?.children ?? []).filter(({ local }) => !changed.has(local))
  const rank = (local: string) => (FONT_ORDER.indexOf(local) + 1 || FONT_ORDER.length + 1) - 1
  const parts = [
    ...kept.map(own => [rank(own.local), serialise(own)] as const),
    ...[...changed].map(([local, text]) => [rank(local), text] as const),
  ].sort(([a], [b]) => a - b)
  return `<${prefix}font>${parts.map(([, text]) => text).join('')}</${prefix}font>`
}

function valueOfUnderline(underline: LookEdit['underline']): string | undefined {
  if (!underline) return undefined
  return underline === 'single' ? '' : ` val="${underline}"`
}

export function fillXml(prefix: string, fill: Fill | null): string {
  const colored = (local: string, color: Color | undefined) =>
    color ? `<${prefix}${local}${colorAttributes(color)}/>` : ''
  const open = `<${prefix}fill>`
  const close = `</${prefix}fill>`
  if (!fill) return `${open}<${prefix}patternFill patternType="none"/>${close}`
  if ('gradient' in fill) {
    const { kind, degree, stops, inset } = fill.gradient
    const sides = ['left', 'right', 'top', 'bottom']
    const way =
      kind === 'linear'
        ? ` degree="${degree}"`
        : ` type="path"${sides.map((side, index) => ` ${side}="${inset?.[index] ?? 0}"`).join('')}`
    const list = stops.map(
      ({ at, color }) =>
        `<${prefix}stop position="${at}">${colored('color', color)}</${prefix}stop>`,
    )
    return `${open}<${prefix}gradientFill${way}>${list.join('')}</${prefix}gradientFill>${close}`
  }
  const { pattern, color, back } = fill
  const under = pattern === 'solid' ? `<${prefix}bgColor indexed="64"/>` : colored('bgColor', back)
  return `${open}<${prefix}patternFill patternType="${pattern}">${colored('fgColor', color)}${under}</${prefix}patternFill>${close}`
}

const OTHER_NAMES: Readonly<Record<string, string>> = { left: 'start', right: 'end' }

/** A border with what the edit changes. */
export function borderXml(
  prefix: string,
  origin: XmlElement | undefined,
  edit: BorderEdit,
): string {
  const lineXml = (local: string, line: Line | null) =>
    line
      ? `<${prefix}${local} style="${line.style}"><${prefix}color${line.color ? colorAttributes(line.color) : ' auto="1"'}/></${prefix}${local}>`
      : `<${prefix}${local}/>`
  const sides = (['left', 'right', 'top', 'bottom'] as const).map(side => {
    const line = edit[side]
    if (line !== undefined) return lineXml(side, line)
    const own = child(origin, side) ?? child(origin, OTHER_NAMES[side] ?? side)
    return own ? serialise(own) : `<${prefix}${side}/>`
  })
  const { up, down } = edit
  const isOn = (name: string) => ['1', 'true'].includes(attribute(origin, name) ?? '')
  const [rises, falls] = [
    up === undefined ? isOn('diagonalUp') : up !== null,
    down === undefined ? isOn('diagonalDown') : down !== null,
  ]
  const line = up ?? down
  const diagonal = line
    ? lineXml('diagonal', line)
    : rises || falls
      ? serialise(child(origin, 'diagonal'))
      : `<${prefix}diagonal/>`
  const inner = ['vertical', 'horizontal'].map(local => serialise(child(origin, local))).join('')
  const flags = `${rises ? ' diagonalUp="1"' : ''}${falls ? ' diagonalDown="1"' : ''}`
  return `<${prefix}border${flags}>${sides.join('')}${diagonal}${inner}</${prefix}border>`
}

/** The alignment with what the edit changes, empty where nothing is left; undefined where it changes nothing. */
export function alignmentXml(
  prefix: string,
  origin: XmlElement | undefined,
  edit: LookEdit,
): string | undefined {
  const { align, valign, wrap, shrink, indent, rotate, reading } = edit
  const changed: [string, string | undefined][] = []
  if (align !== undefined) changed.push(['horizontal', align === 'general' ? undefined : align])
  if (valign !== undefined) changed.push(['vertical', valign === 'bottom' ? undefined : valign])
  if (wrap !== undefined) changed.push(['wrapText', wrap ? '1' : undefined])
  if (shrink !== undefined) changed.push(['shrinkToFit', shrink ? '1' : undefined])
  if (indent !== undefined) changed.push(['indent', indent > 0 ? String(indent) : undefined])
  if (rotate !== undefined) changed.push(['textRotation', rotation(rotate)])
  if (reading !== undefined) {
    const order = reading === 'left to right' ? '1' : '2'
    changed.push(['readingOrder', reading === null ? undefined : order])
  }
  return withAttributes(`${prefix}alignment`, origin, changed)
}

function rotation(rotate: number | 'stacked'): string | undefined {
  if (rotate === 'stacked') return '255'
  if (rotate === 0) return undefined
  return String(rotate < 0 ? 90 - rotate : rotate)
}

export function protectionXml(
  prefix: string,
  origin: XmlElement | undefined,
  { locked, hidden }: LookEdit,
): string | undefined {
  const changed: [string, string | undefined][] = []
  if (locked !== undefined) changed.push(['locked', locked ? undefined : '0'])
  if (hidden !== undefined) changed.push(['hidden', hidden ? '1' : undefined])
  return withAttributes(`${prefix}protection`, origin, changed)
}

function withAttributes(
  name: string,
  origin: XmlElement | undefined,
  changed: readonly (readonly [string, string | undefined])[],
): string | undefined {
  if (changed.length === 0) return undefined
  const all = new Map(origin?.attributes.map(own => [own.name, own.value]))
  for (const [key, value] of changed)
    if (value === undefined) all.delete(key)
    else all.set(key, value)
  if (all.size === 0) return ''
  const shown = [...all].map(([key, value]) => ` ${key}="${encodeAttribute(value)}"`)
  return `<${name}${shown.join('')}/>`
}
