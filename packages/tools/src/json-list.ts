import { parseIfJson } from '@filewright/protocol'
import { z } from 'zod'

/** A list that a model may also send as its JSON text, which some do; an empty one is refused. */
export function jsonList<Item extends z.ZodType>(item: Item) {
  return z.preprocess(parseIfJson, z.array(item).min(1))
}

/** One that may be empty, where something else is asked for beside it. */
export function jsonListOrNone<Item extends z.ZodType>(item: Item) {
  return z.preprocess(parseIfJson, z.array(item))
}
