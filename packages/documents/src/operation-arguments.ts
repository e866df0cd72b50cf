import { type Fields, isFields, lookUp, parseBriefly } from '@filewright/protocol'
import { z } from 'zod'
import { bare, isRequired, kindOf, type NamedFields, wordsOf } from './fields/named-fields.ts'
import type { OperationResult } from './format.ts'
import { isTyped, type OperationDeclaration, type TypedOperation } from './operation-table.ts'
import { handlerFor, Refusal } from './refusal.ts'

/** The arguments of an operation in the type that its declaration gives them. */
export type ArgsOf<Own extends OperationDeclaration> = Own extends TypedOperation
  ? z.output<z.ZodObject<Own['takes'] & UnderstoodBy<Own>>> & { readonly op: string }
  : Fields

type UnderstoodBy<Own> = Own extends { readonly understands: infer Further extends NamedFields }
  ? Further
  : NonNullable<unknown>

type Declared = Readonly<Record<string, OperationDeclaration>>

/** One handler for each declared operation, with its own arguments. */
export type OperationHandlers<Editor, Operations extends Declared> = {
  readonly [Name in keyof Operations]: (
    editor: Editor,
    args: ArgsOf<Operations[Name]>,
  ) => OperationResult
}

export type RunOperation<Editor> = (editor: Editor, operation: Fields) => OperationResult

/** The one way from a logged operation to its handler: its arguments are parsed here, and nowhere else. */
export function toRunner<Editor, Operations extends Declared>(
  operations: Operations,
  handlers: OperationHandlers<Editor, Operations>,
  hints: FieldHints<Editor> = {},
): RunOperation<Editor> {
  return (editor, operation) => {
    const handler = handlerFor(handlers as Readonly<Record<string, Handler<Editor>>>, operation)
    const own = operations[String(operation.op)]!
    const hint: Hint = (name, given) => lookUp(hints, name)?.(editor, given)
    return handler(
      editor,
      isTyped(own) ? { ...parseArguments(operation, own, hint), op: operation.op } : operation,
    )
  }
}

type Handler<Editor> = (editor: Editor, args: Fields) => OperationResult

/** What the file at hand has for a field that is missing or wrong: "the last is 4". */
type FieldHints<Editor> = Readonly<
  Record<string, (editor: Editor, given: Fields) => string | undefined>
>

type Hint = (name: string, given: Fields) => string | undefined

/** What was accepted once is in the logs of drafts, so it is accepted here for good. */
export function parseArguments(
  operation: Fields,
  declaration: TypedOperation,
  hint: Hint = () => undefined,
): Fields {
  const schema = schemaOf(declaration)
  const given = givenFor(operation, declaration, schema.shape)
  refuseMissing(String(operation.op), given, declaration, hint)
  // a record would lose it without a word
  if (JSON.stringify(given).includes('"__proto__":'))
    throw invalid(`${operation.op}: nothing can be called "__proto__" here`)
  const parsed = parseBriefly(schema, given, 1)
  if (parsed.ok) return parsed.value as Fields
  throw unfitting(String(operation.op), parsed.issues[0]!, schema, given, hint)
}

const SCHEMAS = new WeakMap<TypedOperation, z.ZodObject>()

function schemaOf(own: TypedOperation): z.ZodObject {
  const known = SCHEMAS.get(own)
  if (known) return known
  const made = z.object({ ...own.takes, ...own.understands })
  SCHEMAS.set(own, made)
  return made
}

/** Its own fields, whatever name they came under; null is nothing where it means nothing, and digits may be a number. */
function givenFor(operation: Fields, { spellings = {} }: TypedOperation, shape: NamedFields) {
  const given: Record<string, unknown> = {}
  const take = (name: string, value: unknown) => {
    const isNothing = value === null && !(shape[name] instanceof z.ZodNullable)
    if (given[name] !== undefined || value === undefined || isNothing) return
    const isNumber = bare(shape[name]!) instanceof z.ZodNumber
    given[name] = isNumber && isDigits(value) ? Number(value) : value
  }
  for (const name in shape) take(name, lookUp(operation, name))
  for (const [other, name] of Object.entries(spellings)) take(name, lookUp(operation, other))
  return given
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,9}$/.test(value)
}

function refuseMissing(
  op: string,
  given: Fields,
  { takes, needs, either, example }: TypedOperation,
  hint: Hint,
): void {
  const isMissing = (name: string) => given[name] === undefined
  const own = Object.keys(takes).filter(name => isRequired(takes[name]!) && isMissing(name))
  if (own.length > 1)
    throw invalid(
      [
        `${op} needs ${listed(own, 'and')}, such as ${JSON.stringify(example)}`,
        hint(own[0]!, given),
      ]
        .filter(Boolean)
        .join('; '),
    )
  const group = own.length > 0 ? own : [needs, either].find(names => names?.every(isMissing))
  if (!group) return
  const [first, ...others] = group
  const named = group.find(name => example[name] !== undefined)
  const sample = named === undefined ? undefined : shown(example[named])
  const such = sample ? `, such as ${others.length > 0 ? `${named}: ` : ''}${sample}` : ''
  if (others.length > 0) {
    const meaning = named === undefined ? '' : ` (${startingLow(wordsOf(takes[named]!))})`
    throw invalid(`${op} needs ${listed(group, 'or')}${such}${meaning}`)
  }
  const found = hint(first!, given)
  const words = startingLow(wordsOf(takes[first!]!))
  throw invalid(`${op} needs ${first}: ${words}${found ? `; ${found}` : such}`)
}

/** For the first thing that does not fit: where it is, what would fit, and what was found. */
function unfitting(
  op: string,
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  given: Fields,
  hint: Hint,
): Refusal {
  const { path, message } = deepest(issue)
  const { field, value } = at(schema, given, path)
  const place = path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`))
    .join('')
  if (message !== undefined) return invalid(`${op}: ${place} ${message}`)
  if (value === undefined) return invalid(`${op} needs ${place}: ${kindOf(field)}`)
  const found = path.length > 1 ? undefined : hint(place, given)
  const words = path.length > 1 ? '' : startingLow(wordsOf(field))
  const meaning = [words, found].filter(Boolean).join('; ')
  return invalid(
    `${op}: ${place} is ${kindOf(field)}${meaning && ` (${meaning})`}, and ${issue.code === 'too_big' && Array.isArray(value) ? `${value.length} were sent` : `${shown(value) ?? 'what was sent'} is not`}`,
  )
}

/** Of what a value may be, the one that it comes nearest to. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message?: string } {
  if (issue.code === 'custom') return { path: issue.path, message: issue.message }
  if (issue.code !== 'invalid_union') return { path: issue.path }
  const inner = issue.errors.flatMap(errors => errors[0] ?? []).map(deepest)
  const best = inner.reduce<{ path: PropertyKey[]; message?: string }>(
    (far, own) => (own.path.length > far.path.length || (own.message && !far.message) ? own : far),
    { path: [] },
  )
  return { ...best, path: [...issue.path, ...best.path] }
}

interface FoundField {
  readonly field: z.ZodType
  readonly value: unknown
}

function at(field: z.ZodType, value: unknown, path: readonly PropertyKey[]): FoundField {
  const [step, ...rest] = path
  const inner = step === undefined ? undefined : below(field, step)
  if (!inner) return { field, value }
  return at(inner, (value as Record<PropertyKey, unknown>)[step!], rest)
}

function below(field: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const own = bare(field)
  if (own instanceof z.ZodObject) return own.shape[String(step)]
  if (own instanceof z.ZodArray) return own.element as z.ZodType
  if (own instanceof z.ZodRecord) return own.valueType as z.ZodType
  if (!(own instanceof z.ZodUnion)) return undefined
  const options = own.options as z.ZodType[]
  const fits = (option: z.ZodType) =>
    bare(option) instanceof z.ZodArray === (typeof step === 'number')
  return options
    .filter(fits)
    .map(option => below(option, step))
    .find(inner => inner !== undefined)
}

const MOST_SHOWN = 80

function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  return text.length <= MOST_SHOWN
    ? text
    : isFields(value)
      ? undefined
      : `${text.slice(0, MOST_SHOWN)}…`
}

function listed(names: readonly string[], last: 'and' | 'or'): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
}

/** "Text of the title" in the middle of a sentence; "A3" stays. */
function startingLow(words: string): string {
  return /^[A-Z][a-z ]/.test(words) ? `${words[0]!.toLowerCase()}${words.slice(1)}` : words
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message)
}
