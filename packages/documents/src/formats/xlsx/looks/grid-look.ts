import type { GridLook } from '@filewright/protocol'
import { type Palette, toRgb } from './color.ts'
import type { Borders, CellLook, Fill } from './look.ts'

/** A look as a page draws it: colours in full, and only what differs from the plain look of the workbook. */
export function gridLook(look: CellLook, plain: CellLook | undefined, palette: Palette): GridLook {
  const color = toRgb(look.color, palette)
  const { underline, script } = look
  const isNew = <Name extends keyof CellLook>(name: Name) => look[name] !== plain?.[name]
  return {
    ...(isNew('font') && { font: look.font }),
    ...(isNew('size') && { size: look.size }),
    ...(isNew('bold') && { bold: look.bold }),
    ...(isNew('italic') && { italic: look.italic }),
    ...(look.strike && { strike: true }),
    ...(underline && { underline: /double/i.test(underline) ? 'double' : 'single' }),
    ...(script && { script }),
    ...(color && { color }),
    ...(look.fill && gridFill(look.fill, palette)),
    ...gridBorders(look.border, palette),
    ...(isNew('align') && { align: look.align }),
    ...(isNew('valign') && { valign: look.valign }),
    ...(look.wrap && { wrap: true }),
    ...(look.shrink && { shrink: true }),
    ...(look.indent > 0 && { indent: look.indent }),
    ...(look.rotate !== 0 && { rotate: look.rotate }),
  }
}

export function gridFill(fill: Fill, palette: Palette): Pick<GridLook, 'fill' | 'pattern'> {
  if ('gradient' in fill) {
    const { stops } = fill.gradient
    const [first, last] = [stops[0], stops.at(-1)]
    const back = toRgb(last?.color, palette) ?? 'FFFFFF'
    return {
      fill: toRgb(first?.color, palette) ?? 'FFFFFF',
      pattern: { name: `gradient ${fill.gradient.degree}`, back },
    }
  }
  const color = toRgb(fill.color, palette)
  if (fill.pattern === 'solid') return { fill: color ?? 'FFFFFF' }
  const back = toRgb(fill.back, palette) ?? 'FFFFFF'
  return { fill: color ?? '000000', pattern: { name: fill.pattern, back } }
}

export function gridBorders(borders: Borders, palette: Palette): Pick<GridLook, 'border'> {
  const sides = Object.entries(borders).map(
    ([side, { style, color }]) =>
      [side, { style, color: toRgb(color, palette) ?? '000000' }] as const,
  )
  return sides.length > 0 ? { border: Object.fromEntries(sides) } : {}
}
