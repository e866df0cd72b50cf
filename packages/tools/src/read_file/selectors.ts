import { FORMATS, type FormatFacts } from '@filewright/documents'
import { z } from 'zod'

type Selectors = Readonly<Record<string, z.ZodOptional>>

/** ADR-0010's selectors of future formats; a format takes one over by declaring it. */
const AWAITED: Selectors = {
  section: z
    .union([z.string(), z.number().int()])
    .optional()
    .describe('Section heading or index (docx)'),
  slide_index: z.number().int().optional().describe('Slide index, 0-based (pptx)'),
  pages: z.string().optional().describe('Page range such as 1-5 (pdf)'),
}

/** Every selector of every format, with the formats that take it; formats that claim names come first. */
export function selectorFields(): Selectors {
  const named = FORMATS.filter(({ endings }) => endings.length > 0)
  return { ...fieldsOf(named), ...AWAITED, ...fieldsOf(FORMATS) }
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

/** `sheet and range (xlsx), line_start and line_count (text)` */
export function describeSelectors(): string {
  return FORMATS.map(({ id, reading }) => {
    const names = Object.keys(reading.selectors)
    return `${names.join(', ').replace(/, (?=[^,]*$)/, ' and ')} (${id})`
  }).join(', ')
}

/** `cell styles (xlsx)` */
export function describeStyles(): string {
  return FORMATS.flatMap(({ id, reading }) =>
    reading.styles ? `${reading.styles} (${id})` : [],
  ).join(', ')
}
