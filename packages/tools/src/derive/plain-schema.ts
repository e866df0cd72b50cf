import { z } from 'zod'
import type { JsonSchema } from './json-schema.ts'
import { mergeVariants } from './merge-variants.ts'

/**
 * The schema as every tool-calling server takes it. Gemini's refuses `const`, `oneOf`, `additionalProperties`,
 * `propertyNames` and `$schema`, vLLM's `strict`; one word too many and the whole request is refused. So only the
 * words all of them know are kept, and what they cannot say is checked when the call arrives.
 */
export function toPlainSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' }))
}

/** In the order they are written, so that the same schema is always the same text. */
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

/** `.int()` adds the bounds of whole numbers in a double, which tell a model nothing. */
function isDoubleBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER
}
