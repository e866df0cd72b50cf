import type { FormatFacts } from '@filewright/documents'
import type { z } from 'zod'

export type Selectors = Readonly<Record<string, z.ZodOptional>>

/** Every selector of the formats, with the formats that take it. */
export function describeTakers(
  formats: readonly FormatFacts[],
  selectorsOf: (format: FormatFacts) => Selectors,
  takers: readonly FormatFacts[] = formats,
): Selectors {
  const names = formats.flatMap(format => Object.keys(selectorsOf(format)))
  return Object.fromEntries(names.map(name => describe(name, takers, selectorsOf)))
}

function describe(
  selector: string,
  formats: readonly FormatFacts[],
  selectorsOf: (format: FormatFacts) => Selectors,
): [string, z.ZodOptional] {
  const takers = formats.filter(format => Object.hasOwn(selectorsOf(format), selector))
  const field = selectorsOf(takers[0]!)[selector]!
  const ids = takers.map(({ id }) => id).join(', ')
  return [selector, field.describe(`${field.description} (${ids})`)]
}
