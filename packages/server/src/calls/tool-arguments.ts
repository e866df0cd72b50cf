import { fail, isTooDeep, type Lack, ok, type Result, TOO_DEEP } from '@filewright/protocol'
import {
  repairArguments,
  shapeOf,
  type Tool,
  type UnknownArgument,
  type UnknownField,
  unknownArguments,
  unknownFields,
  withoutNulls,
} from '@filewright/tools'
import type { z } from 'zod'
import { describeIssue } from '../words/describe-issue.ts'

interface ParsedArguments {
  readonly input: unknown
  /** One warning per argument that the tool does not have. */
  readonly ignored: readonly string[]
}

/** Reports all problems at once, each with its path, and the corrected arguments where the meaning is clear. */
export function parseToolArguments(tool: Tool, given: unknown): Result<ParsedArguments> {
  const { name, input, checksOwnArguments } = tool.declaration
  const read = typeof given === 'string' ? parseJson(name, given) : ok(given)
  if (!read.ok) return read
  if (isTooDeep(read.value)) return fail('INVALID_ARGUMENT', `Cannot call ${name}: ${TOO_DEEP}`)
  if (checksOwnArguments) return ok({ input: read.value, ignored: [] })
  const value = withoutNulls(input, read.value)
  const parsed = input.safeParse(value ?? {})
  const found = findStrange(tool, value)
  if (!parsed.success || !found.isClear) return refuse(tool, value, parsed.error?.issues, found)
  const ignored = found.unknown.map(sentence => `${sentence} It was ignored.`)
  return ok({ input: parsed.data, ignored })
}

function parseJson(name: string, given: string): Result<unknown> {
  try {
    return ok(given.trim() === '' ? {} : JSON.parse(given))
  } catch (error) {
    return fail(
      'INVALID_ARGUMENT',
      `Cannot call ${name}: its arguments are not valid JSON (${(error as Error).message}). Send one JSON object.`,
    )
  }
}

/** What the tool does not know, and what it says it lacks. */
interface Strange {
  /** One sentence each. */
  readonly unknown: readonly string[]
  readonly lacks: readonly Lack[]
  /** Ignoring it does what the caller asked for. */
  readonly isClear: boolean
}

function findStrange({ declaration }: Tool, value: unknown): Strange {
  const unknown = unknownArguments(declaration.input, value)
  const lacks = declaration.lacks?.(value) ?? []
  const inside = unknownFields(declaration, value).filter(({ place }) => !isLacked(place, lacks))
  const isWrite = declaration.writes !== 'nothing'
  const isMisnamed = inside.some(({ meant }) => meant !== undefined)
  // a write with a wish it cannot fulfil (append: true) would do something nobody asked for
  const isOther = unknown.some(({ isMeant, isRemark }) => isMeant || (isWrite && !isRemark))
  return {
    unknown: [...unknown.map(describeUnknown), ...inside.map(describeField)],
    lacks,
    isClear: !isOther && !isMisnamed && lacks.length === 0,
  }
}

function refuse(
  { declaration }: Tool,
  value: unknown,
  issues: readonly z.core.$ZodIssue[] = [],
  { unknown, lacks }: Strange,
): Result<never> {
  const { name, input, writes } = declaration
  const corrected = lacks.length > 0 ? undefined : repairArguments(declaration, value)
  const errors = [
    ...lacks.map(({ place, message }) => `${place}: ${message}`),
    ...issues
      .filter(issue => !isLacked(toPath(issue.path), lacks))
      .map(issue => `${toPath(issue.path) || 'arguments'}: ${describeIssue(issue)}`),
    ...unknown,
  ]
  const start = writes === 'nothing' ? 'Cannot' : 'Nothing was written: cannot'
  const problems = errors.map(error => error.replace(/\.$/, '')).join('; ')
  const hint = corrected ? ' If you mean "corrected", send that.' : ''
  return fail(
    'INVALID_ARGUMENT',
    `${start} call ${name}: ${problems}. Its arguments are ${shapeOf(input)}.${hint}`,
    { errors, ...(corrected && { details: { corrected } }) },
  )
}

function isLacked(place: string, lacks: readonly Lack[]): boolean {
  return lacks.some(own => place.startsWith(`${own.place}.`))
}

function describeUnknown({ name, meant }: UnknownArgument): string {
  return `"${name}" is not one of its arguments${meant ? `; "${meant}" is` : ''}.`
}

function describeField({ place, meant }: UnknownField): string {
  return `"${place}" is not one of its fields${meant ? `; "${meant}" is` : ''}.`
}

function toPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) =>
      typeof part === 'number' ? `[${part}]` : i === 0 ? String(part) : `.${String(part)}`,
    )
    .join('')
}
