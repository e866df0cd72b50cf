import { type Color, type Palette, toRgb } from './color.ts'
import type { Fill, Line } from './look.ts'
import type { BorderEdit, LookEdit } from './look-edit.ts'

/** Colours of a theme as fixed ones: a workbook without a theme shows none of them in some programs. */
export function withFixedColors(edit: LookEdit, palette: Palette): LookEdit {
  const { color, fill, border, outline, inside } = edit
  return {
    ...edit,
    ...(color && { color: fixedColor(color, palette) }),
    ...(fill && { fill: fixedFill(fill, palette) }),
    ...(border && { border: fixedBorder(border, palette) }),
    ...(outline && { outline: fixedLine(outline, palette) }),
    ...(inside && { inside: fixedLine(inside, palette) }),
  }
}

export function fixedColor(color: Color, palette: Palette): Color {
  const rgb = 'theme' in color ? toRgb(color, palette) : undefined
  return rgb ? { rgb } : color
}

function fixedFill(fill: Fill, palette: Palette): Fill {
  if ('gradient' in fill) {
    const stops = fill.gradient.stops.map(({ at, color }) => ({
      at,
      color: fixedColor(color, palette),
    }))
    return { gradient: { ...fill.gradient, stops } }
  }
  const { pattern, color, back } = fill
  return {
    pattern,
    ...(color && { color: fixedColor(color, palette) }),
    ...(back && { back: fixedColor(back, palette) }),
  }
}

function fixedLine(line: Line, palette: Palette): Line {
  return { ...line, color: line.color && fixedColor(line.color, palette) }
}

function fixedBorder(border: BorderEdit, palette: Palette): BorderEdit {
  return Object.fromEntries(
    Object.entries(border).map(([side, line]) => [side, line && fixedLine(line, palette)]),
  )
}
