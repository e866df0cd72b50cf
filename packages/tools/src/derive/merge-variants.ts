import type { JsonSchema } from './json-schema.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/**
 * Alternatives distinguished by a literal, as one object with all their fields: `{op: copy, from, to}` or `{op: delete,
 * path}` becomes `{op: copy|delete, from?, to?, path?}`, each field saying where it belongs. Models fill it in just as
 * well, it costs half the tokens, and servers without alternatives accept it. Undefined if they are not such
 * alternatives.
 */
export function mergeVariants(variants: readonly JsonSchema[]): JsonSchema | undefined {
  const shapes = variants.map(({ properties }) => (properties ?? {}) as Properties)
  const tag = Object.keys(shapes[0] ?? {}).find(name => shapes.every(shape => tagOf(shape, name)))
  if (tag === undefined) return undefined
  const names = new Set(shapes.flatMap(shape => Object.keys(shape)))
  const properties = [...names].map(name => [
    name,
    name === tag
      ? { type: 'string', enum: shapes.map(shape => tagOf(shape, tag)) }
      : mergeField(name, tag, shapes),
  ])
  const required = [...names].filter(name =>
    variants.every(variant => (variant.required as readonly string[] | undefined)?.includes(name)),
  )
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function mergeField(name: string, tag: string, shapes: readonly Properties[]): JsonSchema {
  const having = shapes.filter(shape => shape[name])
  const meanings = new Map<string, string[]>()
  for (const shape of having) {
    const description = String(shape[name]?.description ?? '')
    meanings.set(description, [...(meanings.get(description) ?? []), String(tagOf(shape, tag))])
  }
  const isEverywhere = meanings.size === 1 && having.length === shapes.length
  const description = [...meanings]
    .map(([meaning, tags]) => (isEverywhere ? meaning : `${tags.join(', ')}: ${meaning}`))
    .join('; ')
  const { type, description: _, ...rest } = having[0]![name]!
  return { type, description, ...rest }
}

/** The only value a field may have. */
function tagOf(shape: Properties, name: string): unknown {
  const values = shape[name]?.enum as readonly unknown[] | undefined
  return values?.length === 1 ? values[0] : undefined
}
