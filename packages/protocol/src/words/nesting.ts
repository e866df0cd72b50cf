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

export const TOO_DEEP = `its arguments are nested more than ${LIMITS.argumentDepth} deep. Send them as the tool describes them.`
