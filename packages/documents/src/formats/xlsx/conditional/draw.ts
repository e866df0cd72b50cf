import type { Box, GridLook } from '@filewright/protocol'
import { child } from '../../../opc/index.ts'
import type { Book } from '../book/book.ts'
import type { Sheet } from '../book/sheet.ts'
import { usedBox } from '../book/used.ts'
import { cellKey, intersects } from '../cell/address.ts'
import type { Styles } from '../cell/styles.ts'
import { toRgb } from '../looks/color.ts'
import { gridBorders, gridFill } from '../looks/grid-look.ts'
import { fontLook, readBorders } from '../looks/look.ts'
import { Conditions } from './conditions.ts'
import type { Drawn } from './drawn.ts'
import { type CellRule, rulesOf } from './rule.ts'
import { overlap, RuleCells } from './rule-cells.ts'
import { describeRule, differenceFill } from './rule-words.ts'
import { ScaleValues } from './scale-values.ts'

export interface DrawnRules {
  at(row: number, column: number): Drawn | undefined
  /** In words: rules that cannot be worked out here. */
  readonly undrawn: readonly string[]
}

export function drawRules(book: Book, sheet: Sheet, box: Box): DrawnRules {
  const used = usedBox(sheet)
  const area = used.ok ? used.value : undefined
  const rules = rulesOf(book, sheet).filter(({ boxes }) => boxes.some(own => intersects(own, box)))
  if (rules.length === 0) return { at: () => undefined, undrawn: [] }
  const styles = book.part.styles()
  const drawn = new Map<number, Drawn>()
  const settled = new Set<number>()
  const unknown = new Set<CellRule>()
  const cells = new RuleCells(book, sheet, area)
  for (const rule of rules) {
    const painted = cells.isSmall(rule) ? paintOf(rule, cells, styles) : undefined
    if (!painted) {
      unknown.add(rule)
      continue
    }
    for (const [row, column] of placesOf(rule, box, cells)) {
      const key = cellKey(row, column)
      if (settled.has(key)) continue
      const own = painted(row, column)
      if (own === 'unknown') {
        unknown.add(rule)
        continue
      }
      if (!own) continue
      drawn.set(key, under(drawn.get(key), own))
      if (rule.isLast) settled.add(key)
    }
  }
  const undrawn = [...unknown].map(rule => describeRule(rule, styles))
  return { at: (row, column) => drawn.get(cellKey(row, column)), undrawn }
}

/** A rule in front keeps what it set. */
function under(first: Drawn | undefined, next: Drawn): Drawn {
  if (!first) return next
  const over = next.over || first.over ? { ...next.over, ...first.over } : undefined
  return { ...next, ...first, ...(over && { over }) }
}

type Paint = (row: number, column: number) => Drawn | 'unknown' | undefined

function paintOf(rule: CellRule, cells: RuleCells, styles: Styles): Paint | undefined {
  const { palette } = styles
  if (rule.scale || rule.bar || rule.icons) {
    const scale = new ScaleValues(rule, cells.numbers(rule), palette)
    if (!scale.isKnown) return undefined
    return (row, column) => scale.at(cells.numberAt(row, column))
  }
  const over = differenceLook(styles, rule.difference)
  const conditions = new Conditions(rule, cells)
  if (!conditions.isKnown) return undefined
  return (row, column) => {
    const holds = conditions.holdsAt(row, column)
    return holds === undefined ? 'unknown' : holds ? { over } : undefined
  }
}

/** The look that a rule puts over a cell's own: only what it names. */
function differenceLook(styles: Styles, index: number | undefined): GridLook {
  const own = index === undefined ? undefined : styles.differences.at(index)
  const { palette } = styles
  const font = child(own, 'font')
  const shown = fontLook(font)
  const has = (local: string) => child(font, local) !== undefined
  const fill = differenceFill(child(own, 'fill'))
  const color = toRgb(shown.color, palette)
  return {
    ...(has('b') && { bold: shown.bold }),
    ...(has('i') && { italic: shown.italic }),
    ...(has('strike') && { strike: shown.strike }),
    ...(shown.underline && { underline: /double/i.test(shown.underline) ? 'double' : 'single' }),
    ...(color && { color }),
    ...(fill && gridFill(fill, palette)),
    ...gridBorders(readBorders(child(own, 'border')), palette),
  }
}

/** The cells of the drawn box where the rule may hold; beyond the content only blanks, which few rules mark. */
function* placesOf(
  { boxes, type }: CellRule,
  box: Box,
  cells: RuleCells,
): Generator<[number, number]> {
  const isOfBlanks = ['expression', 'containsBlanks', 'cellIs', 'notContainsText'].includes(type)
  for (const own of boxes) {
    if (!intersects(own, box)) continue
    const area = overlap(own, box)
    const part = isOfBlanks ? area : cells.inUse(area)
    if (!part) continue
    for (let row = part.top; row <= part.bottom; row++)
      for (let column = part.left; column <= part.right; column++) yield [row, column]
  }
}
