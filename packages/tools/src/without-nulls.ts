import { type Fields, isFields, lookUp, parseIfJson } from '@filewright/protocol'
import { z } from 'zod'
import { unwrapped } from './shape.ts'

/** Some models send every argument, with null for those they do not mean, even in the entries of lists. */
export function withoutNulls(schema: z.ZodType, given: unknown): unknown {
  return mayHoldNull(given) ? leaveOutNulls(schema, given) : given
}

/** Most calls have none, and then the schema is not inspected. A list may arrive as a string. */
function mayHoldNull(value: unknown): boolean {
  if (typeof value === 'string') return LIST.test(value)
  if (typeof value !== 'object' || value === null) return value === null
  for (const key in value) if (mayHoldNull((value as Fields)[key])) return true
  return false
}

const LIST = /^\s*\[/

function leaveOutNulls(schema: z.ZodType, given: unknown): unknown {
  const plain = unwrapped(schema)
  if (plain instanceof z.ZodArray) {
    const item = plain.element as z.ZodType
    const list = parseIfJson(given)
    if (!Array.isArray(list) || !(unwrapped(item) instanceof z.ZodObject)) return given
    const items = list.map(entry => leaveOutNulls(item, entry))
    return items.some((entry, i) => entry !== list[i]) ? items : given
  }
  if (!(plain instanceof z.ZodObject) || !isFields(given)) return given
  const entries = Object.entries(given)
  const kept = entries.flatMap(([name, value]): [string, unknown][] => {
    const field = lookUp(plain.shape, name) as z.ZodType | undefined
    if (!field) return [[name, value]]
    return value === null && isLeftOut(field) ? [] : [[name, leaveOutNulls(field, value)]]
  })
  const isSame =
    kept.length === entries.length && kept.every(([, own], i) => own === entries[i]![1])
  return isSame ? given : Object.fromEntries(kept)
}

/** A value of any type may be null; a value parsed from any type as text means nothing by null. */
function isLeftOut(field: z.ZodType): boolean {
  return field.isOptional() && !(field instanceof z.ZodNullable) && !isAny(unwrapped(field))
}

function isAny(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown || schema instanceof z.ZodAny
}
