import { type Color, colorWords, type Palette } from './color.ts'
import type { Borders, CellLook, Fill, HorizontalAlign, Line, Side, VerticalAlign } from './look.ts'

const ALIGN_WORDS: Readonly<Record<HorizontalAlign, string>> = {
  general: 'general',
  left: 'left',
  center: 'center',
  right: 'right',
  fill: 'repeated',
  justify: 'justified',
  centerContinuous: 'centered across',
  distributed: 'distributed',
}

const VALIGN_WORDS: Readonly<Record<VerticalAlign, string>> = {
  bottom: 'bottom',
  center: 'middle',
  top: 'top',
  justify: 'justified vertically',
  distributed: 'distributed vertically',
}

/**
 * `bold, fill FFFF00, format "0.00"`: how a look differs from the plain one, in words that `set_style` takes back. Empty
 * for a plain cell.
 */
export function describeLook(look: CellLook, plain: CellLook, palette?: Palette): string {
  const words: string[] = []
  if (look.named !== plain.named) words.push(`style ${JSON.stringify(look.named ?? 'Normal')}`)
  words.push(...fontWords(look, plain, palette))
  if (!isSame(look.fill, plain.fill))
    words.push(look.fill ? `fill ${fillWords(look.fill, palette)}` : 'no fill')
  if (!isSame(look.border, plain.border)) words.push(...borderWords(look.border, palette))
  words.push(...placeWords(look, plain))
  if (look.format !== plain.format) words.push(`format ${JSON.stringify(look.format)}`)
  if (look.locked !== plain.locked) words.push(look.locked ? 'locked' : 'unlocked')
  if (look.hidden !== plain.hidden) words.push(look.hidden ? 'formulas hidden' : 'formulas shown')
  return words.join(', ')
}

function fontWords(look: CellLook, plain: CellLook, palette: Palette | undefined): string[] {
  const words: string[] = []
  if (look.font !== plain.font) words.push(`font ${JSON.stringify(look.font)}`)
  if (look.size !== plain.size) words.push(`${look.size} pt`)
  if (look.bold !== plain.bold) words.push(look.bold ? 'bold' : 'not bold')
  if (look.italic !== plain.italic) words.push(look.italic ? 'italic' : 'not italic')
  if (look.underline !== plain.underline) words.push(underlineWords(look))
  if (look.strike !== plain.strike) words.push(look.strike ? 'struck out' : 'not struck out')
  if (look.script !== plain.script) words.push(look.script ?? 'normal script')
  if (!isSame(look.color, plain.color))
    words.push(look.color ? `color ${colorWords(look.color, palette)}` : 'color automatic')
  return words
}

function underlineWords({ underline }: CellLook): string {
  if (underline === undefined) return 'not underlined'
  return underline === 'single' ? 'underlined' : `underlined ${underline}`
}

function placeWords(look: CellLook, plain: CellLook): string[] {
  const words: string[] = []
  if (look.align !== plain.align) words.push(ALIGN_WORDS[look.align])
  if (look.valign !== plain.valign) words.push(VALIGN_WORDS[look.valign])
  if (look.wrap !== plain.wrap) words.push(look.wrap ? 'wrapped' : 'not wrapped')
  if (look.shrink !== plain.shrink) words.push(look.shrink ? 'shrunk to fit' : 'not shrunk')
  if (look.indent !== plain.indent) words.push(`indent ${look.indent}`)
  if (look.rotate !== plain.rotate)
    words.push(look.rotate === 'stacked' ? 'stacked' : `rotated ${look.rotate}`)
  if (look.reading !== plain.reading) words.push(look.reading ?? 'reading by context')
  return words
}

/** `FFFF00`, `gray125 000000 on FFFFFF`, `gradient 90: FFFFFF at 0 to 4F81BD at 1`. */
export function fillWords(fill: Fill, palette?: Palette): string {
  const nameOf = (color: Color | undefined) => (color ? colorWords(color, palette) : 'automatic')
  if ('gradient' in fill) {
    const { kind, degree, stops, inset } = fill.gradient
    const way = kind === 'linear' ? String(degree) : `path ${inset!.join(' ')}`
    return `gradient ${way}: ${stops.map(({ at, color }) => `${nameOf(color)} at ${at}`).join(' to ')}`
  }
  if (fill.pattern === 'solid') return nameOf(fill.color)
  const back = fill.back ? ` on ${nameOf(fill.back)}` : ''
  return `${fill.pattern} ${nameOf(fill.color)}${back}`
}

const SIDE_WORDS: Readonly<Record<Side, string>> = {
  left: 'left',
  right: 'right',
  top: 'top',
  bottom: 'bottom',
  up: 'diagonal up',
  down: 'diagonal down',
}

const AROUND = ['left', 'right', 'top', 'bottom'] as const

/** `border thin`, or each side alone: `border top thin, border bottom double 4F81BD`. */
function borderWords(borders: Borders, palette: Palette | undefined): string[] {
  const lineWords = ({ style, color }: Line) =>
    color ? `${style} ${colorWords(color, palette)}` : style
  const sides = (Object.keys(SIDE_WORDS) as Side[]).flatMap(side => {
    const line = borders[side]
    return line ? [[side, lineWords(line)] as const] : []
  })
  if (sides.length === 0) return ['no border']
  const around = new Set(AROUND.map(side => borders[side] && lineWords(borders[side])))
  const [all] = around
  const isAll = around.size === 1 && all !== undefined
  const alone = isAll ? sides.filter(([side]) => side === 'up' || side === 'down') : sides
  const each = alone.map(([side, words]) => `border ${SIDE_WORDS[side]} ${words}`)
  return isAll ? [`border ${all}`, ...each] : each
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
