import { FORMATS, type FormatFacts } from '@filewright/documents'
import { describeTakers, type Selectors } from '../selector-fields.ts'

const selectorsOf = ({ reading }: FormatFacts) => reading.selectors

/** Every selector of every format, with the formats that take it; formats that claim names come first. */
export function selectorFields(): Selectors {
  const named = FORMATS.filter(({ endings }) => endings.length > 0)
  return {
    ...describeTakers(named, selectorsOf, FORMATS),
    ...describeTakers(FORMATS, selectorsOf),
  }
}

/** `cell styles (xlsx)` */
export function describeStyles(): string {
  return FORMATS.flatMap(({ id, reading }) =>
    reading.styles ? `${reading.styles} (${id})` : [],
  ).join(', ')
}
