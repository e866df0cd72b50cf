import { LIMITS } from './limits.ts'

/**
 * Whether a value is nested deeper than any tool's arguments: walking it or writing it as JSON would overflow the
 * stack.
 */
export function isTooDeep(value: unknown, depth: number = LIMITS.argumentDepth): boolean {
  if (value === null || typeof value !== 'object') return false
  if (depth === 0) return true
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (isTooDeep(item, depth - 1)) return true
  return false
}

/** How much a value holds. */
export interface ArgumentExtent {
  values: number
  /** Objects and lists. */
  lists: number
}

/** What of a value is more than any tool takes, as the end of a sentence; otherwise how much it holds. */
export function measureArguments(value: unknown): ArgumentExtent | string {
  const extent: ArgumentExtent = { values: 0, lists: 0 }
  return measure(value, extent, LIMITS.argumentDepth) ?? extent
}

function measure(value: unknown, extent: ArgumentExtent, depth: number): string | undefined {
  if (++extent.values > LIMITS.argumentValues) return TOO_MANY
  if (value === null || typeof value !== 'object') return undefined
  if (depth === 0) return TOO_DEEP
  if (++extent.lists > LIMITS.argumentLists) return TOO_MANY_LISTS
  const items = Array.isArray(value) ? value : Object.values(value)
  if (items !== value && items.length > LIMITS.argumentKeys) return TOO_WIDE
  if (extent.values + items.length > LIMITS.argumentValues) return TOO_MANY
  for (const item of items) {
    const excess = measure(item, extent, depth - 1)
    if (excess !== undefined) return excess
  }
  return undefined
}

const TOO_WIDE = `an object in its arguments has more than ${LIMITS.argumentKeys} keys. Send them as the tool describes them.`

export const TOO_DEEP = `its arguments are nested more than ${LIMITS.argumentDepth} deep. Send them as the tool describes them.`

export const TOO_MANY = `its arguments hold more than ${LIMITS.argumentValues} values. Send less in one call, and a long text as one string.`

export const TOO_MANY_LISTS = `its arguments hold more than ${LIMITS.argumentLists} objects and lists. Send less in one call.`
