import {
  type Fields,
  isFields,
  isPureRemark,
  parseIfJson,
  type ToolDeclaration,
} from '@filewright/protocol'
import { z } from 'zod'
import { optionsOf, unwrapped } from './shape.ts'
import { fieldNamed, isSynonym, wordFor } from './synonyms.ts'
import { fieldsOf, literalOf, type StrictTool, unknownKeys } from './unknown-keys.ts'

/**
 * The arguments as they were probably meant, where only names and types are wrong, at any depth: an argument under
 * another name, `"5"` for 5, one object for a list of one, the fields of such an object next to the others. Undefined
 * unless the result fits the schema and loses nothing but remarks: a key that is no known synonym may ask for something
 * that the tool does not do. Offered, never used unasked.
 */
export function repairArguments(
  tool: StrictTool & Pick<ToolDeclaration, 'meant'>,
  given: unknown,
): Record<string, unknown> | undefined {
  if (!isFields(given)) return undefined
  const { input, meant = as => as } = tool
  for (const sent of [given, inTheirList(input, given)]) {
    const attempt = sent && (meant(sent) as Fields)
    const repaired = attempt && repairFields(tool, input, attempt, '')
    const isWhole = repaired !== undefined && unknownKeys(tool, repaired).length === 0
    if (isWhole && input.safeParse(repaired).success) return repaired
  }
  return undefined
}

function repair(tool: StrictTool, schema: z.ZodType, value: unknown, name: string): unknown {
  const plain = unwrapped(schema)
  const mayHoldFields = plain instanceof z.ZodObject || plain instanceof z.ZodArray
  if (!mayHoldFields && schema.safeParse(value).success) return value
  if (plain instanceof z.ZodArray) {
    const list = parseIfJson(value)
    const items = Array.isArray(list) ? list : [list]
    return items.map(item => repair(tool, plain.element as z.ZodType, item, name))
  }
  if (plain instanceof z.ZodObject)
    return isFields(value)
      ? repairFields(tool, plain, value, name)
      : (fromList(plain, value) ?? parseIfJson(value))
  if (plain instanceof z.ZodDiscriminatedUnion)
    return isFields(value) ? repairOption(tool, plain, value, name) : value
  if (plain instanceof z.ZodEnum && typeof value === 'string')
    return wordFor(value, plain.options as string[]) ?? value
  return toType(schema, value, name)
}

/** `["old", "new"]` for `{search: "old", replace: "new"}`. */
function fromList(schema: z.ZodObject, value: unknown): unknown {
  const needed = Object.entries(schema.shape).filter(
    ([, field]) => !(field as z.ZodType).isOptional(),
  )
  if (!Array.isArray(value) || value.length !== needed.length) return undefined
  return Object.fromEntries(needed.map(([name], i) => [name, value[i]]))
}

/** A key that means no field stays under its name, so that the result is not taken. */
function repairFields(tool: StrictTool, schema: z.ZodObject, given: Fields, place: string): Fields {
  const repaired: Record<string, unknown> = {}
  const fields = fieldsOf(tool, schema, given, place)
  const sent = Object.entries(given).filter(([, value]) => value !== undefined)
  const taken = new Set(sent.map(([name]) => name))
  for (const [name, value] of sent) {
    const isKnown = fields.includes(name)
    if (!isKnown && isPureRemark(name, value, { isInEntry: place !== '' })) continue
    const free = fields.filter(field => !taken.has(field))
    const field = isKnown ? name : (fieldNamed(name, free) ?? name)
    taken.add(field)
    repaired[field] = repairField(tool, schema, field, value)
  }
  return repaired
}

const PATHS = ['path', 'from', 'to', 'copy_from']

/** Lines can be joined into text, but several paths are not a path. */
function repairField(tool: StrictTool, schema: z.ZodObject, name: string, value: unknown): unknown {
  const isOwn = Object.hasOwn(schema.shape, name)
  if (!isOwn || (PATHS.includes(name) && Array.isArray(value) && value.length > 1)) return value
  return repair(tool, schema.shape[name] as z.ZodType, value, name)
}

/** Chooses by the discriminating value. */
function repairOption(
  tool: StrictTool,
  union: z.ZodDiscriminatedUnion,
  given: Fields,
  place: string,
): unknown {
  const { discriminator } = union.def
  const named = discriminator in given ? discriminator : fieldFrom(discriminator, given)
  const words = optionsOf(union).map(option => String(literalOf(option, discriminator)))
  const word = wordFor(String(given[named ?? '']), words)
  const option = optionsOf(union)[words.indexOf(word ?? '')]
  if (!option) return given
  const { [named ?? '']: _, ...rest } = given
  return repairFields(tool, option, { ...rest, [discriminator]: word }, place)
}

function fieldFrom(field: string, given: Fields): string | undefined {
  return Object.keys(given).find(name => isSynonym(field, name))
}

/**
 * `{path, search, replace}` for `{path, edits: [{search, replace}]}`: fields that belong to an entry of the one missing
 * list.
 */
function inTheirList(schema: z.ZodObject, given: Fields): Fields | undefined {
  const missing = Object.entries(schema.shape).filter(
    ([name, field]) =>
      given[name] === undefined && unwrapped(field as z.ZodType) instanceof z.ZodArray,
  )
  const [list] = missing
  if (!list || missing.length > 1) return undefined
  const others = Object.keys(schema.shape).filter(
    name => name !== list[0] && given[name] === undefined,
  )
  const isOwn = ([name]: [string, unknown]) =>
    Object.hasOwn(schema.shape, name) || fieldNamed(name, others) !== undefined
  const own = Object.entries(given).filter(isOwn)
  const entry = Object.entries(given).filter(field => !isOwn(field))
  if (entry.length === 0) return undefined
  return { ...Object.fromEntries(own), [list[0]]: [Object.fromEntries(entry)] }
}

/** Only these hold text of any length: the lines of another field, or its JSON, would name nothing. */
const TEXTS = ['content', 'search', 'replace']

function toType(schema: z.ZodType, value: unknown, name: string): unknown {
  if (value === null) return value
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value]
  const texts = TEXTS.includes(name)
    ? [toText(value)]
    : typeof only === 'object'
      ? []
      : [String(only)]
  const candidates = [value, only, parseIfJson(value), [value], ...texts]
  return candidates.find(candidate => schema.safeParse(candidate).success) ?? value
}

/** Quotes do not fix an empty one. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  const isLines = Array.isArray(value) && value.every(line => typeof line === 'string')
  return isLines ? value.join('\n') : JSON.stringify(value, null, 2)
}
