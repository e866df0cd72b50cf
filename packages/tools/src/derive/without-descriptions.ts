import type { JsonSchema } from './json-schema.ts'

/** The names and types alone. */
export function withoutDescriptions(schema: JsonSchema): JsonSchema {
  const { description: _, items, properties, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(items !== undefined && { items: withoutDescriptions(items as JsonSchema) }),
    ...(properties !== undefined && { properties: ofEach(properties as JsonSchema) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonSchema[]).map(withoutDescriptions) }),
  }
}

function ofEach(properties: JsonSchema): JsonSchema {
  const entries = Object.entries(properties)
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, withoutDescriptions(schema as JsonSchema)]),
  )
}
