import type { JsonSchema } from './json-schema.ts'

/** One row per field, nested ones as `files[].changes[].startLine`; a `?` marks an optional one. */
export function* rowsOf(schema: JsonSchema, prefix: string): Generator<string[]> {
  const required = (schema.required ?? []) as readonly string[]
  for (const [name, property] of Object.entries((schema.properties ?? {}) as JsonSchema)) {
    const field = property as JsonSchema
    const mark = required.includes(name) ? '' : '?'
    yield [code(`${prefix}${name}${mark}`), typeOf(field), String(field.description ?? '')]
    yield* rowsOf(
      (field.items ?? field) as JsonSchema,
      `${prefix}${name}${field.items ? '[]' : ''}.`,
    )
  }
  for (const variant of (schema.anyOf ?? []) as JsonSchema[])
    for (const row of rowsOf(variant, prefix)) yield row
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return (schema.enum as readonly unknown[]).map(value => code(value)).join(', ')
  if (schema.anyOf) return (schema.anyOf as JsonSchema[]).map(typeOf).join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items as JsonSchema)}`
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  return String(schema.type ?? 'any value')
}

export function code(value: unknown): string {
  return `\`${String(value)}\``
}
