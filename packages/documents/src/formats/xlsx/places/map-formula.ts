import { mapReferences } from './map-references.ts'
import type { Mapping } from './mapping.ts'
import { GONE, isLost, UNKNOWN, type Whereabouts } from './place-step.ts'

/** Where a formula is, by the names of its time. */
export interface HomeSheet {
  readonly sheet: string
  isSheet(name: string): boolean
}

const MADE_UP = /\b(INDIRECT|OFFSET|CELL|ADDRESS)\s*\(/i

/**
 * The formula that names the same cells afterwards, sheets by their names. Gone: one of its references has no cells left.
 * Unknown: nothing proves where one is, it names a range of sheets, or it makes up its references.
 */
export function mapFormula(
  mapping: Mapping,
  formula: string,
  { sheet: home, isSheet }: HomeSheet,
): Whereabouts<string> {
  if (mapping.isIdentity) return formula
  if (MADE_UP.test(formula)) return UNKNOWN
  const {
    text,
    isLost: isGone,
    hasSheetRange,
    isUnknown,
  } = mapReferences(formula, {
    isSheet,
    isOn: () => true,
    isHome: name => name.toLowerCase() === home.toLowerCase(),
    sheet: name => toName(mapping.sheet(name)),
    name: name => mapping.name(name),
    box(box, sheet = home) {
      const place = mapping.box({ sheet, box })
      return isLost(place) ? place : place.box
    },
  })
  if (isUnknown || hasSheetRange) return UNKNOWN
  return isGone ? GONE : text
}

function toName(found: ReturnType<Mapping['sheet']>): Whereabouts<string> {
  return typeof found === 'number' ? String(found) : found
}
