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

/** Whether some object in a value that is not too deep has more keys than any tool's arguments. */
export function isTooWide(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some(isTooWide)
  const items = Object.values(value)
  return items.length > LIMITS.argumentKeys || items.some(isTooWide)
}

export const TOO_WIDE = `an object in its arguments has more than ${LIMITS.argumentKeys} keys. Send them as the tool describes them.`

export const TOO_DEEP = `its arguments are nested more than ${LIMITS.argumentDepth} deep. Send them as the tool describes them.`
