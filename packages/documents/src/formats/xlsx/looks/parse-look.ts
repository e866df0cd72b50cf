import { isFields } from '@filewright/protocol'
import { type Color, parseColor } from './color.ts'
import {
  type Fill,
  type Gradient,
  HORIZONTAL,
  LINES,
  type Line,
  PATTERNS,
  SIDES,
  type Side,
  UNDERLINES,
  VERTICAL,
} from './look.ts'
import type { BorderEdit, LookEdit } from './look-edit.ts'
import { parseLookWords } from './parse-look-words.ts'
import { UnknownLook } from './unknown-look.ts'
import { whyNotFormat } from './valid-format.ts'

type Mutable = { -readonly [Key in keyof LookEdit]: LookEdit[Key] }
type Reader = (edit: Mutable, value: unknown, name: string) => void

/** A look as words (`bold, fill FFFF00`) or as an object (`{bold: true, fill: "FFFF00"}`). Throws `UnknownLook`. */
export function parseLook(given: unknown): LookEdit {
  if (typeof given === 'string') return readFields(parseLookWords(given))
  if (isFields(given)) return readFields(given)
  throw new UnknownLook(
    `a style is words such as "bold, fill FFFF00" or an object such as {"bold": true}, not ${JSON.stringify(given)}`,
  )
}

function readFields(fields: Readonly<Record<string, unknown>>): LookEdit {
  const edit: Mutable = {}
  for (const [name, value] of Object.entries(fields)) {
    const key = SYNONYMS[name] ?? name
    const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined
    if (!reader)
      throw new UnknownLook(
        `a style has no ${JSON.stringify(name)}; it has ${Object.keys(READERS).join(', ')}`,
      )
    reader(edit, value, name)
  }
  return edit
}

const SYNONYMS: Readonly<Record<string, string>> = {
  b: 'bold',
  i: 'italic',
  u: 'underline',
  underlined: 'underline',
  strikethrough: 'strike',
  struck: 'strike',
  font_name: 'font',
  font_family: 'font',
  fontName: 'font',
  font_size: 'size',
  fontSize: 'size',
  font_color: 'color',
  text_color: 'color',
  fontColor: 'color',
  colour: 'color',
  background: 'fill',
  background_color: 'fill',
  backgroundColor: 'fill',
  bg_color: 'fill',
  fill_color: 'fill',
  fillColor: 'fill',
  borders: 'border',
  horizontal: 'align',
  horizontal_alignment: 'align',
  alignment: 'align',
  vertical: 'valign',
  vertical_alignment: 'valign',
  wrap_text: 'wrap',
  wrapText: 'wrap',
  shrink_to_fit: 'shrink',
  rotation: 'rotate',
  text_rotation: 'rotate',
  numberFormat: 'number_format',
  num_format: 'number_format',
  format: 'number_format',
  style: 'named',
  name: 'named',
  cell_style: 'named',
}

const flag =
  (key: 'bold' | 'italic' | 'strike' | 'wrap' | 'shrink' | 'locked' | 'hidden'): Reader =>
  (edit, value, name) => {
    if (typeof value !== 'boolean')
      throw new UnknownLook(`${name} is true or false, not ${JSON.stringify(value)}`)
    edit[key] = value
  }

const READERS: Readonly<Record<string, Reader>> = {
  bold: flag('bold'),
  italic: flag('italic'),
  underline(edit, value, name) {
    const found = value === true ? 'single' : UNDERLINES.find(own => own === value)
    if (!found && value !== false && value !== null && value !== 'none')
      throw new UnknownLook(`${name} is true, false or one of ${UNDERLINES.join(', ')}`)
    edit.underline = found ?? null
  },
  strike: flag('strike'),
  script(edit, value, name) {
    if (value !== null && value !== 'superscript' && value !== 'subscript')
      throw new UnknownLook(`${name} is superscript, subscript or null`)
    edit.script = value
  },
  font(edit, value, name) {
    if (isFields(value)) {
      Object.assign(edit, readFields(renamed(value, 'name', 'font')))
      return
    }
    if (typeof value !== 'string' || value.trim() === '' || value.length > 31)
      throw new UnknownLook(`${name} is a font's name of at most 31 characters`)
    edit.font = value
  },
  size: number('size', 1, 409, 'points'),
  color(edit, value, name) {
    edit.color = colorOrNone(value, name)
  },
  fill(edit, value, name) {
    edit.fill = readFill(value, name)
  },
  border(edit, value, name) {
    readBorder(edit, value, name)
  },
  align(edit, value, name) {
    if (isFields(value)) {
      Object.assign(edit, readFields(value))
      return
    }
    const word = String(value)
    const found = HORIZONTAL.find(own => own === word || ALIGN_NAMES[word] === own)
    if (!found) throw new UnknownLook(`${name} is one of ${HORIZONTAL.join(', ')}`)
    edit.align = found
  },
  valign(edit, value, name) {
    const word = value === 'middle' ? 'center' : value
    const found = VERTICAL.find(own => own === word)
    if (!found) throw new UnknownLook(`${name} is one of ${VERTICAL.join(', ')}`)
    edit.valign = found
  },
  wrap: flag('wrap'),
  shrink: flag('shrink'),
  indent: number('indent', 0, 250, 'steps'),
  rotate(edit, value, name) {
    if (value === 'stacked' || value === 255) edit.rotate = 'stacked'
    else number('rotate', -90, 90, 'degrees')(edit, value, name)
  },
  reading(edit, value, name) {
    if (value !== null && value !== 'left to right' && value !== 'right to left')
      throw new UnknownLook(`${name} is "left to right", "right to left" or null`)
    edit.reading = value
  },
  number_format(edit, value, name) {
    const why = typeof value === 'string' ? whyNotFormat(value) : 'it is no text'
    if (why) throw new UnknownLook(`${name} ${JSON.stringify(value)} is no number format: ${why}`)
    edit.format = value as string
  },
  locked: flag('locked'),
  hidden: flag('hidden'),
  named(edit, value, name) {
    if (typeof value !== 'string' || value.trim() === '' || value.length > 255)
      throw new UnknownLook(`${name} is the name of a cell style, such as "Good" or "Normal"`)
    edit.named = value
  },
}

const ALIGN_NAMES: Readonly<Record<string, string>> = {
  middle: 'center',
  centre: 'center',
  start: 'left',
  end: 'right',
}

function renamed(fields: Readonly<Record<string, unknown>>, from: string, to: string) {
  const { [from]: value, ...rest } = fields
  return value === undefined ? rest : { ...rest, [to]: value }
}

function number(
  key: 'size' | 'indent' | 'rotate',
  least: number,
  most: number,
  unit: string,
): Reader {
  return (edit, value, name) => {
    const isRight = typeof value === 'number' && value >= least && value <= most
    if (!isRight || (key !== 'size' && !Number.isInteger(value)))
      throw new UnknownLook(`${name} is a number of ${unit} from ${least} to ${most}`)
    edit[key] = value
  }
}

export function readColorOf(value: unknown, name: string): Color {
  const color = typeof value === 'string' ? parseColor(value) : undefined
  if (color) return color
  throw new UnknownLook(
    `${name} is a colour such as "FF0000", "red" or "theme 4 +40%", not ${JSON.stringify(value)}`,
  )
}

function colorOrNone(value: unknown, name: string): Color | null {
  return isNone(value) || value === 'automatic' ? null : readColorOf(value, name)
}

function isNone(value: unknown): boolean {
  return value === null || value === false || value === 'none' || value === ''
}

function readFill(value: unknown, name: string): Fill | null {
  if (isNone(value)) return null
  if (isFields(value)) {
    const { pattern = 'solid', color, back, gradient } = value
    if (gradient !== undefined) return { gradient: readGradient(gradient, name) }
    if (pattern === 'none') return null
    const found = PATTERNS.find(own => own === pattern)
    if (!found) throw new UnknownLook(`the pattern of ${name} is one of ${PATTERNS.join(', ')}`)
    const [front, behind] = [color, back].map(own =>
      own === undefined ? undefined : (colorOrNone(own, name) ?? undefined),
    )
    return { pattern: found, ...(front && { color: front }), ...(behind && { back: behind }) }
  }
  return { pattern: 'solid', color: readColorOf(value, name) }
}

function readGradient(value: unknown, name: string): Gradient {
  const { stops, degree = 0, path } = isFields(value) ? value : { stops: value }
  const list = Array.isArray(stops) ? stops : []
  const colors = list.map((own, index) => {
    const at = isFields(own) ? Number(own.at) : index / Math.max(1, list.length - 1)
    return { at, color: readColorOf(isFields(own) ? own.color : own, name) }
  })
  if (colors.length < 2 || colors.some(({ at }) => !(at >= 0 && at <= 1)))
    throw new UnknownLook(`a gradient of ${name} is a list of two colours or more, from 0 to 1`)
  const inset = Array.isArray(path) ? path.map(Number) : undefined
  if (inset && inset.length === 4 && inset.every(own => own >= 0 && own <= 1))
    return { kind: 'path', degree: 0, stops: colors, inset }
  if (!Number.isFinite(Number(degree))) throw new UnknownLook(`the degree of ${name} is a number`)
  return { kind: 'linear', degree: Number(degree), stops: colors }
}

/** `thin`, `thin FF0000`, `{style, color}` for every side, or a line for each side. */
function readBorder(edit: Mutable, value: unknown, name: string): void {
  const isSides = isFields(value) && !('style' in value)
  if (!isSides) {
    const line = readLine(value, name)
    edit.border = {
      ...edit.border,
      left: line,
      right: line,
      top: line,
      bottom: line,
      ...(line === null && { up: null, down: null }),
    }
    return
  }
  const found: Partial<Record<Side, Line | null>> = {}
  for (const [side, own] of Object.entries(value)) {
    const line = readLine(own, `${name} ${side}`)
    if (side === 'outline' || side === 'around' || side === 'outside') edit.outline = line
    else if (side === 'inside' || side === 'inner') edit.inside = line
    else if (side === 'all')
      for (const each of ['left', 'right', 'top', 'bottom'] as const) found[each] = line
    else if (SIDES.some(each => each === side)) found[side as Side] = line
    else
      throw new UnknownLook(
        `${name} has the sides ${SIDES.join(', ')} of each cell, and outline and inside of the range, not ${JSON.stringify(side)}`,
      )
  }
  if (Object.keys(found).length > 0) edit.border = { ...edit.border, ...(found as BorderEdit) }
}

function readLine(value: unknown, name: string): Line | null {
  if (isNone(value)) return null
  const [style, color] = isFields(value)
    ? [value.style, value.color]
    : typeof value === 'string'
      ? splitLine(value)
      : [value === true ? 'thin' : undefined, undefined]
  if (style === 'none') return null
  const found = LINES.find(own => own.toLowerCase() === String(style).toLowerCase())
  if (!found)
    throw new UnknownLook(
      `${name} is a line such as "thin" or "medium FF0000"; the lines are ${LINES.join(', ')}`,
    )
  const own = color === undefined ? undefined : (colorOrNone(color, name) ?? undefined)
  return { style: found, color: own }
}

function splitLine(value: string): [string, string | undefined] {
  const [style = '', ...rest] = value.trim().split(/\s+/)
  return [style, rest.length > 0 ? rest.join(' ') : undefined]
}
