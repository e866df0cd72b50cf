import { fail, isPureRemark, parseBriefly, parseIfJson } from '@filewright/protocol'
import type { z } from 'zod'

const MOST_PROBLEMS = 200 // a list may have a hundred thousand wrong entries
const FURTHER = 'further problems are not listed; correct these first'

/** Problems in a call's arguments, each with its place: `files[0].changes[2].endLine: …`. */
export class Notes {
  readonly problems: string[] = []
  readonly warnings: string[] = []

  /** No further problem is looked for. */
  get isFull(): boolean {
    return this.problems.length > MOST_PROBLEMS
  }
  problem(at: string, sentence: string) {
    if (this.isFull) return
    const isLast = this.problems.length === MOST_PROBLEMS
    this.problems.push(isLast ? FURTHER : at === '' ? sentence : `${at}: ${sentence}`)
  }
  warn(at: string, sentence: string) {
    this.warnings.push(at === '' ? sentence : `${at}: ${sentence}`)
  }
}

export function refuse<Code extends 'INVALID_ARGUMENT' | 'DUPLICATE_PATH'>(
  notes: Notes,
  code: Code,
) {
  const { problems } = notes
  return fail(code, `Nothing was written: ${inTheArguments(problems)}`, { errors: problems })
}

/** One problem is in the message; several are listed after it. */
function inTheArguments(problems: readonly string[]): string {
  const [first] = problems
  return problems.length === 1
    ? `a problem in the arguments. ${first}`
    : `${problems.length} problems in the arguments.`
}

/** Drops fields that are null: some models send every field and mean nothing by it. */
export function asObject(value: unknown, at: string, notes: Notes): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
  notes.problem(at, `is ${show(value)}; it must be an object`)
  return {}
}

/** Undefined unless it is a list; some models send the list as a JSON string. */
export function asList(
  value: unknown,
  at: string,
  notes: Notes,
  what = 'a list',
): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (value === undefined) {
    notes.problem(at, `is missing; it must be ${what}`)
    return undefined
  }
  const parsed = typeof value === 'string' ? parseIfJson(value) : undefined
  if (Array.isArray(parsed)) {
    notes.warn(at, 'was sent as a JSON string and read as a list; send the list itself')
    return parsed
  }
  notes.problem(at, `is ${show(value)}; it must be ${what}`)
  return undefined
}

export function checkShape<Schema extends z.ZodObject>(
  schema: Schema,
  value: Record<string, unknown>,
  at: string,
  notes: Notes,
): z.output<Schema> | undefined {
  const given = withoutRemarks(schema, value, at, notes)
  const checked = parseBriefly(schema, given, MOST_PROBLEMS)
  if (checked.ok) return checked.value
  for (const issue of checked.issues) notes.problem(...describeIssue(issue, schema, given, at))
  return undefined
}

/** A remark where there is no field for it, such as the reason of a file's changes. */
function withoutRemarks(
  { shape }: z.ZodObject,
  value: Record<string, unknown>,
  at: string,
  notes: Notes,
): Record<string, unknown> {
  const isInEntry = at !== ''
  const remarks = Object.keys(value).filter(
    name => !Object.hasOwn(shape, name) && isPureRemark(name, value[name], { isInEntry }),
  )
  if (remarks.length === 0) return value
  for (const name of remarks) notes.warn(join(at, name), 'is not a field here and was ignored')
  return without(value, remarks)
}

function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  value: Record<string, unknown>,
  at: string,
): [string, string] {
  if (issue.code === 'unrecognized_keys') {
    const fields = Object.keys(schema.shape).filter(field => field !== 'changeId')
    const what =
      typeof value.operation === 'string' ? `a change of the kind ${value.operation}` : 'it'
    return [
      join(at, issue.keys[0]!),
      `${issue.keys.length > 1 ? `${issue.keys.join(', ')} are` : 'is'} not a field here; ${what} takes ${fields.join(', ')}. Changes are whole lines`,
    ]
  }
  const path = issue.path.reduce<string>(
    (place, part) => (typeof part === 'number' ? `${place}[${part}]` : join(place, String(part))),
    at,
  )
  const found = issue.path.reduce<unknown>(
    (inside, part) => (inside as Record<PropertyKey, unknown> | undefined)?.[part],
    value,
  )
  if (found === undefined) return [path, `is missing; it must be ${expectedOf(issue)}`]
  return [path, `is ${show(found)}; it must be ${expectedOf(issue)}`]
}

function expectedOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small')
    return issue.origin === 'array' ? 'a list with at least one line' : `${issue.minimum} or more`
  if (issue.code === 'too_big') return `${issue.maximum} or less`
  if (issue.code === 'invalid_value') return issue.values.map(value => show(value)).join(' or ')
  if (issue.code !== 'invalid_type') return issue.message
  const words: Record<string, string> = {
    int: 'a whole number',
    number: 'a whole number',
    array: 'a list of lines',
    string: 'a string',
    boolean: 'true or false',
  }
  return words[issue.expected] ?? issue.expected
}

export function without(
  given: Record<string, unknown>,
  fields: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([field]) => !fields.includes(field)))
}

export function join(at: string, field: string): string {
  return at === '' ? field : `${at}.${field}`
}

export function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  const text = typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
  return text === undefined ? 'missing' : text.length > 80 ? `${text.slice(0, 80)}…` : text
}
