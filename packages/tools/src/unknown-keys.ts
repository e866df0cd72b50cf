import {
  type Fields,
  isFields,
  isPureRemark,
  isSameName,
  parseIfJson,
  similarNames,
  type ToolDeclaration,
} from '@filewright/protocol'
import { z } from 'zod'
import { optionsOf, unwrapped } from './shape.ts'
import { fieldNamed } from './synonyms.ts'

/** What the strict check of a call needs to know of its tool. */
export type StrictTool = Pick<ToolDeclaration, 'input' | 'fieldsOf' | 'usageOf' | 'instead'>

export interface UnknownKey {
  /** `append`, `operations[0].column` */
  readonly place: string
  /** The argument or field that it may mean. */
  readonly meant?: string
  /** How the entry is sent that it is in, or below. */
  readonly usage?: string
  /** What does instead what it asks for. */
  readonly instead?: string
  /** It comments on the call and does not change what is done. */
  readonly isRemark: boolean
}

const MOST_KEYS = 20

/** The keys of the arguments, and of the entries in their lists, that the tool does not have. */
export function unknownKeys(tool: StrictTool, given: unknown): UnknownKey[] {
  const found: UnknownKey[] = []
  look({ tool, found }, tool.input, given, '')
  return found
}

interface Look {
  readonly tool: StrictTool
  readonly found: UnknownKey[]
  /** Of the nearest entry that has one. */
  readonly usage?: string
}

function look(own: Look, schema: z.ZodType, value: unknown, place: string): void {
  const plain = unwrapped(schema)
  if (plain instanceof z.ZodArray) lookInList(own, plain.element as z.ZodType, value, place)
  else if (plain instanceof z.ZodDiscriminatedUnion) {
    const option = isFields(value) ? optionOf(plain, value) : undefined
    if (option) look(own, option, value, place)
  } else if (plain instanceof z.ZodObject && isFields(value)) lookInside(own, plain, value, place)
}

function lookInList(own: Look, entry: z.ZodType, value: unknown, place: string): void {
  const list = parseIfJson(value)
  const plain = unwrapped(entry)
  const holdsKeys = plain instanceof z.ZodObject || plain instanceof z.ZodDiscriminatedUnion
  if (!Array.isArray(list) || !holdsKeys) return
  for (let i = 0; i < list.length && own.found.length < MOST_KEYS; i++)
    look(own, entry, list[i], `${place}[${i}]`)
}

function lookInside(own: Look, schema: z.ZodObject, value: Fields, place: string): void {
  const fields = fieldsOf(own.tool, schema, value, place)
  const usage = (place === '' ? undefined : own.tool.usageOf?.(value)) ?? own.usage
  const below = usage === own.usage ? own : { ...own, usage }
  for (const name in value) {
    if (own.found.length >= MOST_KEYS) return
    if (!Object.hasOwn(value, name) || value[name] === undefined) continue
    const at = place === '' ? name : `${place}.${name}`
    if (!fields.includes(name)) own.found.push(toUnknown(below, { name, at, fields, value }))
    else if (Object.hasOwn(schema.shape, name))
      look(below, schema.shape[name] as z.ZodType, value[name], at)
  }
}

/** Those of the schema, unless the entry of a list says by its own words which it takes. */
export function fieldsOf(
  tool: StrictTool,
  schema: z.ZodObject,
  value: Fields,
  place: string,
): readonly string[] {
  const own = place === '' ? undefined : tool.fieldsOf?.(value)
  return own ?? Object.keys(schema.shape)
}

/** The shape with the discriminating value that was sent. */
export function optionOf(union: z.ZodDiscriminatedUnion, value: Fields): z.ZodObject | undefined {
  const { discriminator } = union.def
  return optionsOf(union).find(option => literalOf(option, discriminator) === value[discriminator])
}

export function literalOf(option: z.ZodObject, discriminator: string): unknown {
  return (unwrapped(option.shape[discriminator] as z.ZodType) as z.ZodLiteral).value
}

interface Unfitting {
  readonly name: string
  readonly at: string
  readonly fields: readonly string[]
  readonly value: Fields
}

function toUnknown({ tool, usage }: Look, { name, at, fields, value }: Unfitting): UnknownKey {
  const free = fields.filter(field => value[field] === undefined)
  const instead = tool.instead?.find(({ names }) => names.some(own => isSameName(own, name)))?.does
  const meant = fieldNamed(name, free) ?? (instead ? undefined : similarNames(name, free)[0])
  const isRemark = isPureRemark(name, value[name], { isInEntry: at !== name })
  return {
    place: at,
    ...(meant && { meant }),
    ...(usage && { usage }),
    ...(instead && { instead }),
    isRemark,
  }
}
