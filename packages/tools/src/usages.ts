import { isFields, parseIfJson, type ToolDeclaration } from '@filewright/protocol'

const MOST_USAGES = 5

/**
 * How the entries of a call's lists are sent, for a refusal: those at the places it names (`operations[2].cells`), or all
 * of them where it names none.
 */
export function usagesOf(
  { usageOf }: Pick<ToolDeclaration, 'usageOf'>,
  given: unknown,
  places: readonly string[],
): readonly string[] {
  if (!usageOf || !isFields(given)) return []
  const named = places.flatMap(place => {
    const [, list, index] = /^(\w+)\[(\d+)\]/.exec(place) ?? []
    const entries = list === undefined ? undefined : parseIfJson(given[list])
    return Array.isArray(entries) ? [entries[Number(index)]] : []
  })
  const lists = Object.values(given).map(parseIfJson)
  const entries = places.length > 0 ? named : lists.filter(Array.isArray).flat()
  const usages = new Set(entries.flatMap(entry => (isFields(entry) && usageOf(entry)) || []))
  return [...usages].slice(0, MOST_USAGES)
}

/** For the end of a message that does not say it yet. */
export function sayUsages(message: string, usages: readonly string[]): string {
  const unsaid = usages.filter(usage => !message.includes(usage))
  return unsaid.length > 0 ? ` Send ${unsaid.join('; ')}.` : ''
}
