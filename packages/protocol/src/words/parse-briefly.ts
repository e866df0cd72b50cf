import { z } from 'zod'

export type BrieflyParsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly z.core.$ZodIssue[] }

type RawIssue = z.core.$ZodRawIssue

const LONG = 1_000 // entries of a list

/**
 * `safeParse` that ends with the first issues. In a list of a hundred thousand wrong entries it would find and word each, for
 * seconds, or overflow the stack; here the entries of a long list are checked one by one until there are enough issues.
 */
export function parseBriefly<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  mostIssues: number,
): BrieflyParsed<z.output<Schema>> {
  const found: RawIssue[] = []
  if (holdsLongList(value)) look({ found, mostIssues }, schema, value, [])
  const parsed = found.length > 0 ? undefined : run(schema, value)
  if (parsed && parsed.issues.length === 0)
    return { ok: true, value: parsed.value as z.output<Schema> }
  const issues = (parsed?.issues ?? found)
    .slice(0, mostIssues)
    .map(issue => z.core.util.finalizeIssue(issue, CONTEXT, z.core.config()))
  return { ok: false, issues }
}

const CONTEXT: z.core.ParseContextInternal = { async: false }

function run(schema: z.ZodType, value: unknown) {
  const parsed = schema._zod.run({ value, issues: [] }, CONTEXT)
  if (parsed instanceof Promise) throw new Error('A schema of arguments must not wait')
  return parsed
}

function holdsLongList(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value) && value.length > LONG) return true
  return Object.values(value).some(holdsLongList)
}

interface Look {
  readonly found: RawIssue[]
  readonly mostIssues: number
}

/** Finds issues in the entries of long lists, and in nothing else. */
function look(own: Look, schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): void {
  const plain = unwrapped(schema)
  if (plain instanceof z.ZodArray && Array.isArray(value)) {
    for (let i = 0; i < value.length && own.found.length < own.mostIssues; i++)
      lookAtEntry(own, plain.element as z.ZodType, value, [...path, i])
  } else if (plain instanceof z.ZodObject && isObject(value)) {
    for (const [name, field] of Object.entries(plain.shape))
      if (holdsLongList(value[name])) look(own, field as z.ZodType, value[name], [...path, name])
  }
}

function lookAtEntry(
  own: Look,
  element: z.ZodType,
  list: readonly unknown[],
  path: readonly PropertyKey[],
): void {
  const entry = list[path.at(-1) as number]
  const isLong = holdsLongList(entry)
  if (isLong) look(own, element, entry, path)
  if (own.found.length > 0 && isLong) return
  for (const issue of run(element, entry).issues)
    own.found.push({ ...issue, path: [...path, ...(issue.path ?? [])] })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return unwrapped(schema.out as z.ZodType)
  return schema
}
