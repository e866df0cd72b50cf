import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { mergeVariants } from './merge-variants.ts'

/**
 * The schema in the form every tool-calling server accepts. Gemini refuses `const`, `oneOf`, `additionalProperties`,
 * `propertyNames` and `$schema`, vLLM refuses `strict`; one unknown keyword fails the whole request. So only keywords
 * known to all are kept, and the rest is checked when the call arrives.
 */
export function toPlainSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' }))
}

/** In writing order, so that the same schema always gives the same text. */
const KEPT = [
  'type',
  'description',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'minItems',
  'items',
  'properties',
  'required',
  'anyOf',
] as const

function plain(schema: JsonSchema): JsonSchema {
  const variants = (schema.oneOf as JsonSchema[] | undefined)?.map(plain)
  const merged = variants && mergeVariants(variants)
  if (merged) return schema.description ? { description: schema.description, ...merged } : merged
  const { const: only, oneOf, anyOf = oneOf, items, properties, ...rest } = schema
  const said: JsonSchema = {
    ...rest,
    ...(only !== undefined && { enum: [only] }),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonSchema[]).map(plain) }),
    ...(items !== undefined && { items: plain(items as JsonSchema) }),
    ...(properties !== undefined && { properties: plainProperties(properties as JsonSchema) }),
  }
  const kept = KEPT.filter(keyword => said[keyword] !== undefined && !isDoubleBound(said[keyword]))
  return Object.fromEntries(kept.map(keyword => [keyword, said[keyword]]))
}

function plainProperties(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, plain(schema as JsonSchema)]),
  )
}

/** `.int()` adds the bounds of safe integers, which are useless to a model. */
function isDoubleBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER
}
