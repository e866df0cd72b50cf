import { FORMATS } from '@filewright/documents'
import { z } from 'zod'

/** ADR-0010's selectors of formats that are to come; a format takes one over by declaring it. */
const AWAITED: Readonly<Record<string, z.ZodOptional>> = {
  section: z
    .union([z.string(), z.number().int()])
    .optional()
    .describe('Section heading or index (docx)'),
  slide_index: z.number().int().optional().describe('Slide index, 0-based (pptx)'),
  pages: z.string().optional().describe('Page range such as 1-5 (pdf)'),
}

/** Every selector of every format, each with the formats that take it; those with names of their own come first. */
export function selectorFields(): Readonly<Record<string, z.ZodOptional>> {
  const [named, others] = [true, false].map(isNamed =>
    fieldsOf(FORMATS.filter(({ endings }) => endings.length > 0 === isNamed)),
  )
  return { ...named, ...AWAITED, ...named, ...others }
}

function fieldsOf(formats: typeof FORMATS): Readonly<Record<string, z.ZodOptional>> {
  const names = new Set(formats.flatMap(({ selectors }) => Object.keys(selectors)))
  return Object.fromEntries(
    [...names].map(name => {
      const takers = formats.filter(({ selectors }) => name in selectors)
      const field = takers[0]!.selectors[name]!
      return [
        name,
        field.describe(`${field.description} (${takers.map(({ id }) => id).join(', ')})`),
      ]
    }),
  )
}
