import { attribute, child, type XmlElement } from '../../../opc/index.ts'
import type { Styles } from '../cell/styles.ts'
import { colorWords, readColor } from '../looks/color.ts'
import { type CellLook, readFill, readLook } from '../looks/look.ts'
import { describeLook } from '../looks/look-words.ts'
import type { CellRule, Threshold } from './rule.ts'

/** What a rule says, in the shape that `conditional_format` takes as `rule`. */
export function ruleFields(rule: CellRule): Readonly<Record<string, unknown>> {
  const { type, formulas, text } = rule
  if (rule.scale || rule.bar || rule.icons) return scaleFields(rule)
  if (type === 'cellIs') return cellFields(rule)
  if (type === 'expression') return { formula: `=${formulas[0] ?? ''}` }
  if (type === 'top10') {
    const percent = rule.isPercent ? { percent: true } : {}
    return { [rule.isBottom ? 'bottom' : 'top']: rule.rank ?? 10, ...percent }
  }
  if (type === 'aboveAverage') return averageFields(rule)
  if (type === 'duplicateValues') return { duplicates: true }
  if (type === 'uniqueValues') return { duplicates: false }
  if (type === 'containsBlanks' || type === 'notContainsBlanks')
    return { blank: type === 'containsBlanks' }
  if (type === 'containsErrors' || type === 'notContainsErrors')
    return { error: type === 'containsErrors' }
  if (type === 'timePeriod') return { period: rule.period ?? '' }
  const word = TEXT_WORDS[type]
  return word ? { [word]: text ?? '' } : { type }
}

export const TEXT_WORDS: Readonly<Record<string, string>> = {
  containsText: 'contains',
  notContainsText: 'not_contains',
  beginsWith: 'begins_with',
  endsWith: 'ends_with',
}

/** The signs of a comparison, and their names in the file. */
export const OPERATORS: Readonly<Record<string, string>> = {
  '>': 'greaterThan',
  '<': 'lessThan',
  '>=': 'greaterThanOrEqual',
  '<=': 'lessThanOrEqual',
  '=': 'equal',
  '<>': 'notEqual',
}

function cellFields({ operator = 'equal', formulas }: CellRule): Readonly<Record<string, unknown>> {
  const values = formulas.map(operandOf)
  if (operator === 'between') return { between: values }
  if (operator === 'notBetween') return { not_between: values }
  const sign = Object.entries(OPERATORS).find(([, name]) => name === operator)?.[0] ?? operator
  return { cell: sign, value: values[0] ?? null }
}

/** A number or a quoted text as it is; anything else is a formula. */
function operandOf(formula: string): unknown {
  const number = formula.trim() === '' ? Number.NaN : Number(formula)
  if (Number.isFinite(number)) return number
  const quoted = /^"((?:[^"]|"")*)"$/.exec(formula)
  return quoted ? quoted[1]!.replaceAll('""', '"') : `=${formula}`
}

function averageFields({
  isAbove,
  isEqual,
  deviations,
}: CellRule): Readonly<Record<string, unknown>> {
  const average = `${isAbove ? 'above' : 'below'}${isEqual ? ' or equal' : ''}`
  return { average, ...(deviations !== undefined && { deviations }) }
}

function scaleFields({ scale, bar, icons }: CellRule): Readonly<Record<string, unknown>> {
  const colorOf = (color: Parameters<typeof colorWords>[0] | undefined) =>
    color ? colorWords(color) : 'automatic'
  if (scale)
    return { scale: scale.map(stop => ({ at: thresholdWords(stop), color: colorOf(stop.color) })) }
  if (bar) {
    const hides = bar.showsValue ? {} : { show_value: false }
    const [min, max] = [thresholdWords(bar.least), thresholdWords(bar.most)]
    return { bar: colorOf(bar.color), min, max, ...hides }
  }
  return {
    icons: icons!.set,
    at: icons!.stops.map(thresholdWords),
    ...(icons!.isReversed && { reverse: true }),
    ...(!icons!.showsValue && { show_value: false }),
  }
}

/** `5`, `min`, `33%`, `percentile 50`, `=B1`. */
function thresholdWords({ type, value }: Threshold): unknown {
  if (type === 'percent') return `${value}%`
  if (type === 'percentile') return `percentile ${value}`
  if (type === 'formula') return `=${value}`
  if (type === 'num') return Number.isFinite(Number(value)) ? Number(value) : `=${value}`
  return type
}

/** `B2:B9 {"cell":">","value":5}: fill FFC7CE` */
export function describeRule(rule: CellRule, styles: Styles): string {
  const look = describeDifference(styles, rule.difference)
  const last = rule.isLast ? ', stops' : ''
  const shown = look === '' ? '' : `: ${look}`
  return `${rule.ref} ${JSON.stringify(ruleFields(rule))}${shown}${last}`
}

/** The look of a rule in words that `style` takes back. */
export function describeDifference(styles: Styles, index: number | undefined): string {
  const own = index === undefined ? undefined : styles.differences.at(index)
  if (!own) return ''
  const look = { ...readLook(elementsOf(own)), fill: differenceFill(child(own, 'fill')) }
  return describeLook({ ...look, ...kept(own) }, PLAIN, styles.palette)
}

/** Only what the difference names counts. */
function kept(own: XmlElement): Partial<CellLook> {
  const font = child(own, 'font')
  const size = attribute(child(font, 'sz'), 'val')
  const name = attribute(child(font, 'name'), 'val')
  return {
    ...(size === undefined && { size: PLAIN.size }),
    ...(name === undefined && { font: PLAIN.font }),
  }
}

function elementsOf(own: XmlElement) {
  return {
    font: child(own, 'font'),
    fill: child(own, 'fill'),
    border: child(own, 'border'),
    alignment: undefined,
    protection: undefined,
    format: attribute(child(own, 'numFmt'), 'formatCode') ?? 'General',
    named: undefined,
  }
}

const PLAIN = readLook({
  font: undefined,
  fill: undefined,
  border: undefined,
  alignment: undefined,
  protection: undefined,
  format: 'General',
  named: undefined,
})

/** A fill of a rule is solid unless it says otherwise, and its colour is the background. */
export function differenceFill(element: XmlElement | undefined) {
  const pattern = child(element, 'patternFill')
  const type = attribute(pattern, 'patternType')
  if (!pattern || (type !== undefined && type !== 'solid')) return readFill(element)
  const color = readColor(child(pattern, 'bgColor')) ?? readColor(child(pattern, 'fgColor'))
  return color && { pattern: 'solid', color }
}
