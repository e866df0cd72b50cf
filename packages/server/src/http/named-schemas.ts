type Json = unknown

/**
 * Schemas by name, each where it is used replaced by a reference: a schema counts as that one if it says the same. So a
 * generated client gets one type for what is one thing, and the tables need not know how a document refers.
 */
export function referTo(named: Readonly<Record<string, Json>>) {
  const names = new Map(Object.entries(named).map(([name, schema]) => [textOf(schema), name]))

  function refer(schema: Json, itself?: string): Json {
    const name = names.get(textOf(schema))
    if (name !== undefined && name !== itself) return { $ref: `#/components/schemas/${name}` }
    if (Array.isArray(schema)) return schema.map(each => refer(each))
    if (!isObject(schema)) return schema
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, refer(value)]))
  }

  return {
    refer: (schema: Json) => refer(schema),
    components: Object.fromEntries(
      Object.entries(named).map(([name, schema]) => [name, refer(schema, name)]),
    ),
  }
}

function textOf(schema: Json): string | undefined {
  return isObject(schema) ? JSON.stringify(schema) : undefined
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
