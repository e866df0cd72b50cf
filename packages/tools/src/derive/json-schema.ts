import { z } from 'zod'

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/**
 * The schema as every tool-calling server takes it. Gemini's refuses `const`, `oneOf`, `additionalProperties`,
 * `propertyNames` and `$schema`, vLLM's `strict`; one word too many and the whole request is refused. So only the
 * words all of them know are kept, and what they cannot say is checked when the call arrives.
 */
export function toPlainSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input', reused: 'inline', unrepresentable: 'any' }))
}

const KEPT = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'anyOf',
  'minimum',
  'maximum',
  'minItems',
  'minLength',
])

function plain(schema: JsonSchema): JsonSchema {
  const out: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'const') out.enum = [value]
    else if (keyword === 'oneOf' || keyword === 'anyOf')
      out.anyOf = (value as JsonSchema[]).map(plain)
    else if (keyword === 'items') out.items = plain(value as JsonSchema)
    else if (keyword === 'properties') out.properties = plainProperties(value as JsonSchema)
    else if (KEPT.has(keyword) && !isSafeIntegerBound(value)) out[keyword] = value
  }
  return out
}

function plainProperties(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, plain(schema as JsonSchema)]),
  )
}

/** `.int()` says the bounds of a double's integers, which tells a model nothing. */
function isSafeIntegerBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER
}
