import { FORMATS, type FormatFacts } from '@filewright/documents'
import type { z } from 'zod'

type Selectors = Readonly<Record<string, z.ZodOptional>>

/** Every selector of every format, with the formats that take it; formats that claim names come first. */
export function selectorFields(): Selectors {
  const named = FORMATS.filter(({ endings }) => endings.length > 0)
  return { ...fieldsOf(named), ...fieldsOf(FORMATS) }
}

function fieldsOf(formats: readonly FormatFacts[]): Selectors {
  const names = formats.flatMap(({ reading }) => Object.keys(reading.selectors))
  return Object.fromEntries(names.map(describeTakers))
}

function describeTakers(selector: string): [string, z.ZodOptional] {
  const takers = FORMATS.filter(({ reading }) => Object.hasOwn(reading.selectors, selector))
  const field = takers[0]!.reading.selectors[selector]!
  const ids = takers.map(({ id }) => id).join(', ')
  return [selector, field.describe(`${field.description} (${ids})`)]
}

/** `cell styles (xlsx)` */
export function describeStyles(): string {
  return FORMATS.flatMap(({ id, reading }) =>
    reading.styles ? `${reading.styles} (${id})` : [],
  ).join(', ')
}
