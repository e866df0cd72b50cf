import {
  child,
  type Splices,
  textOf,
  type XmlDocument,
  type XmlElement,
} from '../../../opc/index.ts'
import { type LineShift, lineLeft, mapLine } from '../places/line-shift.ts'

interface Ends {
  readonly from: number
  readonly to: number
}

/**
 * The first and the last line under an object, counted from 0. One whose cells are all deleted keeps its size and
 * stands where they were.
 */
export function moveEnds(shift: LineShift, { from, to }: Ends, keepsSize: boolean): Ends {
  const first = mapLine(shift, from + 1)
  const last = mapLine(shift, to + 1)
  const start = lineLeft(shift, from + 1) - 1
  if (first === undefined && last === undefined) return { from: start, to: start + (to - from) }
  const end = lineLeft(shift, to + 1) - 1
  return { from: start, to: keepsSize ? start + (to - from) : Math.max(start, end) }
}

/** A picture, chart or control: `from` and perhaps `to`, each with a line of the sheet. Whether it lost all its cells. */
export function shiftAnchor(
  splices: Splices,
  document: XmlDocument,
  anchor: XmlElement,
  shift: LineShift,
  options: { readonly offset?: number; readonly editAs?: string | undefined } = {},
): void {
  if (options.editAs === 'absolute') return
  const local = shift.axis === 'row' ? 'row' : 'col'
  const from = child(child(anchor, 'from'), local)
  const to = child(child(anchor, 'to'), local)
  if (!from) return
  const lineOf = (element: XmlElement) => Number(textOf(document, element))
  const before = { from: lineOf(from), to: to ? lineOf(to) : lineOf(from) }
  const after = moveEnds(shift, before, options.editAs === 'oneCell' || !to)
  const offset = options.offset ?? 0
  const write = (element: XmlElement, line: number) =>
    splices.replace(offset + element.openEnd, offset + element.closeStart, String(line))
  if (after.from !== before.from) write(from, after.from)
  if (to && after.to !== before.to) write(to, after.to)
}

const SHAPE = /<((?:[\w.-]+:)?shape)\b[^>]*>[\s\S]*?<\/\1\s*>/g

/** The shapes of an old drawing: notes and controls. A note goes with its cell. */
export function shiftOldDrawing(text: string, shift: LineShift): string {
  return text.replace(SHAPE, shape => {
    const place = shift.axis === 'row' ? 'Row' : 'Column'
    const isNote = /ObjectType\s*=\s*["']Note["']/.test(shape)
    const line = new RegExp(`(<(?:[\\w.-]+:)?${place}>\\s*)(\\d+)`).exec(shape)
    const to = line && isNote ? mapLine(shift, Number(line[2]) + 1) : undefined
    if (isNote && line && to === undefined) return ''
    const moved = shape.replace(
      /(<(?:[\w.-]+:)?Anchor>)([^<]*)/,
      (whole, tag: string, anchor: string) => {
        const numbers = anchor.split(',').map(Number)
        if (numbers.length !== 8 || numbers.some(Number.isNaN)) return whole
        const [first, last] = shift.axis === 'row' ? [2, 6] : [0, 4]
        const { from, to: end } = moveEnds(
          shift,
          { from: numbers[first]!, to: numbers[last]! },
          isNote,
        )
        numbers[first] = from
        numbers[last] = end
        return `${tag}${numbers.join(', ')}`
      },
    )
    if (!line || to === undefined) return moved
    return moved.replace(line[0], `${line[1]}${to - 1}`)
  })
}
