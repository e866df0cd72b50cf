import { z } from 'zod'

/** The shape a schema accepts, in brief for an error message: `{path, edits: [{search, replace, all?}]}`. */
export function shapeOf(schema: z.ZodType): string {
  const plain = unwrapped(schema)
  if (plain instanceof z.ZodArray) return `[${shapeOf(plain.element as z.ZodType)}]`
  if (plain instanceof z.ZodObject) return objectShape(plain)
  if (plain instanceof z.ZodDiscriminatedUnion) return optionsOf(plain).map(shapeOf).join(' or ')
  return ''
}

function objectShape(schema: z.ZodObject): string {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const own = field as z.ZodType
    const literal = unwrapped(own)
    const value = literal instanceof z.ZodLiteral ? JSON.stringify(literal.value) : shapeOf(own)
    const isBare = value === '' || value === '[]'
    return `${name}${own.isOptional() && !isAny(own) ? '?' : ''}${isBare ? '' : `: ${value}`}`
  })
  return `{${fields.join(', ')}}`
}

/** The same without what its fields hold: `{path, edits}`. */
export function namesOf(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(
    ([name, field]) => `${name}${(field as z.ZodType).isOptional() ? '?' : ''}`,
  )
  return `{${names.join(', ')}}`
}

/** Any value is allowed, but it is required. */
function isAny(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown
}

/** Unwraps optional schemas and those parsed from a JSON string. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return unwrapped(schema.out as z.ZodType)
  return schema
}

export function optionsOf(union: z.ZodDiscriminatedUnion): z.ZodObject[] {
  return union.options as unknown as z.ZodObject[]
}
