import { parseIfJson } from '@filewright/protocol'
import { z } from 'zod'

/** A list that a model may also send as a JSON string, as some do; an empty one is refused. */
export function jsonList<Item extends z.ZodType>(item: Item) {
  return z.preprocess(parseIfJson, z.array(item).min(1))
}

/** A list that may be empty, where the call requests something else too. */
export function jsonListOrNone<Item extends z.ZodType>(item: Item) {
  return z.preprocess(parseIfJson, z.array(item))
}
