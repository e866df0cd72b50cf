import { encodeAttribute } from '../../../opc/index.ts'
import { colorAttributes } from './color.ts'
import type { LookEdit } from './look-edit.ts'
import { borderXml, fillXml, fontXml } from './look-xml.ts'
import { UnknownLook } from './unknown-look.ts'

const CAN: ReadonlySet<string> = new Set([
  ...['bold', 'italic', 'underline', 'strike', 'color', 'fill', 'border', 'format'],
])

/** The look of a conditional format, as Excel writes it: only what it changes. */
export function differenceXml(
  prefix: string,
  edit: LookEdit,
  formatId: (pattern: string) => number,
): string {
  const cannot = Object.keys(edit).filter(key => !CAN.has(key))
  if (cannot.length > 0)
    throw new UnknownLook(
      `a conditional format sets bold, italic, underline, strike, color, fill, border and number_format, not ${cannot.join(', ')}`,
    )
  const number =
    edit.format === undefined
      ? ''
      : `<${prefix}numFmt numFmtId="${formatId(edit.format)}" formatCode="${encodeAttribute(edit.format)}"/>`
  const border = edit.border ? borderXml(prefix, undefined, edit.border) : ''
  return `<${prefix}dxf>${fontOf(prefix, edit)}${number}${fillOf(prefix, edit)}${border}</${prefix}dxf>`
}

function fontOf(prefix: string, edit: LookEdit): string {
  const off = [
    edit.bold === false && 'b',
    edit.italic === false && 'i',
    edit.strike === false && 'strike',
  ].filter(local => typeof local === 'string')
  const font = fontXml(prefix, undefined, edit)
  if (font === undefined) return ''
  const flags = off.map(local => `<${prefix}${local} val="0"/>`).join('')
  return font.replace(`<${prefix}font>`, `<${prefix}font>${flags}`)
}

/** A solid fill of a difference has its colour as the background. */
function fillOf(prefix: string, { fill }: LookEdit): string {
  if (fill === undefined) return ''
  if (!fill || 'gradient' in fill || fill.pattern !== 'solid' || !fill.color)
    return fillXml(prefix, fill)
  return `<${prefix}fill><${prefix}patternFill><${prefix}bgColor${colorAttributes(fill.color)}/></${prefix}patternFill></${prefix}fill>`
}
