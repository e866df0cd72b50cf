import { type Fields, isFields, visible } from '@filewright/protocol'

const TYPES: readonly unknown[] = [
  ...['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
]
const MOST_PARTS = 400 // of one schema, its references followed
const MOST_DEPTH = 12
const DESCRIPTION = 300 // characters
const MOST_CHOICES = 50
const CHOICE = 100 // characters
/** What every provider takes as the name of an argument. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/

/**
 * A server's schema in the words that every provider takes: types, properties, choices and descriptions, all bounded.
 * References are followed inside the schema; whatever else it says is dropped, and its server checks it.
 */
export function plainSchema(given: unknown): Fields {
  const root = Object(given) as Fields
  let parts = 0

  function plain(schema: unknown, depth: number): Fields {
    const found = resolve(root, schema)
    if (!isFields(found) || depth > MOST_DEPTH || ++parts > MOST_PARTS) return {}
    const { description, items, properties, anyOf, oneOf } = found
    const options = [anyOf, oneOf].find(Array.isArray) as unknown[] | undefined
    const choices = choicesOf(found)
    return {
      ...typeOf(found),
      ...(typeof description === 'string' && {
        description: visible(description).replace(/\s+/g, ' ').trim().slice(0, DESCRIPTION),
      }),
      ...(choices && { enum: choices }),
      ...(items !== undefined && { items: plain(items, depth + 1) }),
      ...(isFields(properties) && objectOf(found, properties, depth)),
      ...(options && { anyOf: options.slice(0, MOST_CHOICES).map(each => plain(each, depth + 1)) }),
    }
  }

  function objectOf({ required }: Fields, properties: Fields, depth: number): Fields {
    const names = Object.keys(properties).filter(name => PROPERTY.test(name))
    const needed = Array.isArray(required) ? names.filter(name => required.includes(name)) : []
    return {
      properties: Object.fromEntries(names.map(name => [name, plain(properties[name], depth + 1)])),
      ...(needed.length > 0 && { required: needed }),
    }
  }

  const made = plain(root, 0)
  return { properties: {}, ...made, type: 'object' }
}

/** Of several types, all; `null` alone among them means that it may be left out. */
function typeOf({ type }: Fields): Fields {
  if (TYPES.includes(type)) return { type }
  const types = Array.isArray(type) ? type.filter(each => TYPES.includes(each)) : []
  return types.length > 0 ? { type: types } : {}
}

function choicesOf({ enum: choices, const: only }: Fields): unknown[] | undefined {
  const given = Array.isArray(choices) ? choices : only === undefined ? [] : [only]
  const kept = given.filter(isShort).slice(0, MOST_CHOICES)
  return kept.length > 0 ? kept : undefined
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= CHOICE && visible(value) === value
  return typeof value === 'number' || typeof value === 'boolean'
}

const MOST_HOPS = 8

/** What a reference inside the schema leads to. */
function resolve(root: Fields, given: unknown): unknown {
  let schema = given
  for (let hops = 0; isFields(schema) && typeof schema.$ref === 'string'; hops++) {
    const path = /^#\/((?:\$defs|definitions)\/[^/]+)$/.exec(schema.$ref)?.[1]
    if (hops >= MOST_HOPS || path === undefined) return {}
    const [group = '', name = ''] = path.split('/')
    const definitions = root[group]
    schema = isFields(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : {}
  }
  return schema
}
