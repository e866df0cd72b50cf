import { isTooDeep } from '@filewright/protocol'
import { z } from 'zod'

/** A list that a model may also send as its JSON text, which some do; an empty one is refused. */
export function jsonList<Item extends z.ZodType>(item: Item) {
  return z.preprocess(parseIfJson, z.array(item).min(1))
}

/** One that may be empty, where something else is asked for beside it. */
export function jsonListOrNone<Item extends z.ZodType>(item: Item) {
  return z.preprocess(parseIfJson, z.array(item))
}

/** What a text is the JSON of; the text itself where it is none, or none that a tool could take. */
export function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isTooDeep(parsed) ? value : parsed
  } catch {
    return value
  }
}
