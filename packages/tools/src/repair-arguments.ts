import { isSameName, similarNames } from '@filewright/protocol'
import type { z } from 'zod'

/** Names that models use for an argument when they do not look at the schema. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  path: ['file', 'filename', 'filepath', 'file_path', 'docPath', 'target'],
  content: ['text', 'contents', 'body', 'data'],
  edits: ['changes', 'replacements'],
  operations: ['ops', 'actions'],
  id: ['changeId', 'batchId', 'filePatchId', 'toolCallId', 'tool_call_id'],
}

/**
 * The arguments as they were probably meant, where only names and types are wrong: an argument under another name,
 * `"5"` for 5, one object for a list of one. Undefined unless the result fits the schema. Offered, never used unasked.
 */
export function repairArguments(
  schema: z.ZodObject,
  given: unknown,
): Record<string, unknown> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const repaired: Record<string, unknown> = {}
  const fields = Object.keys(schema.shape)
  for (const [name, value] of Object.entries(given)) {
    const field = fields.includes(name) ? name : fieldFor(name, fields, given)
    if (field !== undefined) repaired[field] = toType(schema.shape[field] as z.ZodType, value)
  }
  return schema.safeParse(repaired).success ? repaired : undefined
}

/** Some models send every argument, with null for those they do not mean. */
export function withoutNulls(schema: z.ZodObject, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const isLeftOut = ([name, value]: [string, unknown]) => {
    const field = value === null ? (schema.shape[name] as z.ZodType | undefined) : undefined
    return field?.isOptional() === true && !field.safeParse(null).success
  }
  const entries = Object.entries(given)
  return entries.some(isLeftOut)
    ? Object.fromEntries(entries.filter(entry => !isLeftOut(entry)))
    : given
}

export interface UnknownArgument {
  readonly name: string
  /** The argument it may stand for. */
  readonly meant?: string
  /** It differs from that one only in spelling, so that leaving it out would do something else than was asked. */
  readonly isRespelled: boolean
}

export function unknownArguments(schema: z.ZodObject, given: unknown): UnknownArgument[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const fields = Object.keys(schema.shape)
  return Object.keys(given)
    .filter(name => !fields.includes(name))
    .map(name => {
      const meant = fieldFor(name, fields, given)
      const isRespelled = meant !== undefined && isSameName(name, meant)
      return { name, ...(meant && { meant }), isRespelled }
    })
}

function fieldFor(name: string, fields: readonly string[], given: object): string | undefined {
  const free = fields.filter(field => !(field in given))
  const synonym = free.find(field => SYNONYMS[field]?.includes(name))
  return synonym ?? similarNames(name, free)[0]
}

function toType(schema: z.ZodType, value: unknown): unknown {
  if (value === null) return value
  const isLines = Array.isArray(value) && value.every(line => typeof line === 'string')
  const text = isLines ? value.join('\n') : JSON.stringify(value, null, 2)
  const candidates = [value, fromText(value), [value], text]
  return candidates.find(candidate => schema.safeParse(candidate).success) ?? value
}

function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
