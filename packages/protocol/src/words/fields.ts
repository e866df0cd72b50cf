import { excessIn } from './json-count.ts'
import { isTooDeep } from './nesting.ts'
import { isSameName } from './similar.ts'

/** Arguments by name, as received. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of these names that was sent, in any spelling, and the fields without it. */
export function takeField(fields: Fields, names: readonly string[]): [unknown, Fields] {
  for (const name of names) {
    const found = Object.keys(fields).find(each => isSameName(each, name))
    if (found === undefined) continue
    const { [found]: value, ...rest } = fields
    return [value, rest]
  }
  return [undefined, fields]
}

/** Parses JSON; returns the string itself when it is not JSON, or not a value that a tool could take. */
export function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string' || excessIn(value) !== undefined) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isTooDeep(parsed) ? value : parsed
  } catch {
    return value
  }
}
