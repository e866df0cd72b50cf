import {
  counted,
  excessIn,
  fail,
  type Lack,
  measureArguments,
  offerOf,
  ok,
  parseBriefly,
  type Result,
  toCorrected,
} from '@filewright/protocol'
import {
  namesOf,
  repairArguments,
  sayUsages,
  shapeOf,
  type Tool,
  type UnknownKey,
  unknownKeys,
  usagesOf,
  withoutNulls,
} from '@filewright/tools'
import type { z } from 'zod'
import { describeIssue } from '../words/describe-issue.ts'

interface ParsedArguments {
  readonly input: unknown
  /** One warning per remark, the only thing that is dropped. */
  readonly ignored: readonly string[]
}

/** Reports all problems at once, each with its path, and the corrected arguments where the meaning is clear. */
export function parseToolArguments(tool: Tool, given: unknown): Result<ParsedArguments> {
  const { name, input, checksOwnArguments } = tool.declaration
  const read = typeof given === 'string' ? parseJson(name, given) : ok(given)
  if (!read.ok) return read
  const extent = measureArguments(read.value)
  if (typeof extent === 'string') return fail('INVALID_ARGUMENT', `Cannot call ${name}: ${extent}`)
  if (checksOwnArguments) return ok({ input: read.value, ignored: [] })
  const value = withoutNulls(input, read.value)
  const parsed = parseBriefly(input, value ?? {}, MOST_ISSUES)
  const found = findStrange(tool, value)
  const isRefused = found.unknown.some(({ isRemark }) => !isRemark) || found.lacks.length > 0
  if (!parsed.ok || isRefused) {
    const issues = parsed.ok ? [] : parsed.issues
    return refuse(tool, value, { ...found, issues, isLong: extent.values > CORRECTED_VALUES })
  }
  const ignored = found.unknown.map(key => `${describeUnknown(key)} It was ignored.`)
  return ok({ input: parsed.value, ignored })
}

function parseJson(name: string, given: string): Result<unknown> {
  const excess = excessIn(given)
  if (excess !== undefined) return fail('INVALID_ARGUMENT', `Cannot call ${name}: ${excess}`)
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
  readonly unknown: readonly UnknownKey[]
  readonly lacks: readonly Lack[]
}

function findStrange({ declaration }: Tool, value: unknown): Strange {
  const lacks = declaration.lacks?.(value) ?? []
  const unknown = unknownKeys(declaration, value).filter(({ place }) => !isLacked(place, lacks))
  return { unknown, lacks }
}

const MOST_ISSUES = 200 // a list may have a hundred thousand wrong entries
export const CORRECTED_VALUES = 10_000 // of arguments that a corrected call is worked out for

interface Faults extends Strange {
  readonly issues: readonly z.core.$ZodIssue[]
  /** Too long for a corrected call. */
  readonly isLong: boolean
}

function refuse(
  { declaration }: Tool,
  value: unknown,
  { unknown, lacks, issues, isLong }: Faults,
): Result<never> {
  const { name, writes } = declaration
  const meant = lacks.length > 0 || isLong ? undefined : repairArguments(declaration, value)
  const corrected = meant && toCorrected(value, meant)
  const open = issues.filter(issue => !isLacked(toPath(issue.path), lacks))
  const errors = [
    ...lacks.map(({ place, message }) => `${place}: ${message}`),
    ...open.map(issue => `${toPath(issue.path) || 'arguments'}: ${describeIssue(issue)}`),
    ...unknown.map(toldOnce),
  ]
  const start = writes === 'nothing' ? 'Cannot' : 'Nothing was written: cannot'
  const problems =
    errors.length > 1 ? counted(errors.length, 'problem') : errors.join('').replace(/\.$/, '')
  const hint = corrected ? offerOf(corrected) : ''
  const places = [...open.map(({ path }) => toPath(path)), ...unknown.map(({ place }) => place)]
  const usages = lacks.length > 0 ? [] : usagesOf(declaration, value, places)
  const shape =
    corrected || isShownByUsage(open, unknown) ? '' : shapeFor(declaration, open, unknown)
  const usage = corrected ? '' : sayUsages(errors.join(' '), usages)
  return fail('INVALID_ARGUMENT', `${start} call ${name}: ${problems}.${shape}${usage}${hint}`, {
    errors,
    ...(corrected && { details: { corrected } }),
  })
}

/** How an operation is sent is in the sentence about it or its field. */
function isShownByUsage(
  issues: readonly z.core.$ZodIssue[],
  unknown: readonly UnknownKey[],
): boolean {
  if (unknown.length === 0) return issues.length === 0
  const areInside = issues.every(({ path }) => path.length > 1)
  return areInside && unknown.every(({ usage }) => usage)
}

/** Without what its lists hold, where only an argument is unknown or each entry has its own fields. */
function shapeFor(
  { input, usageOf }: Tool['declaration'],
  issues: readonly z.core.$ZodIssue[],
  unknown: readonly UnknownKey[],
): string {
  const isEntry = ({ place }: UnknownKey) => place.includes('[')
  const isInside = issues.length > 0 || unknown.some(isEntry)
  if (usageOf && issues.every(({ path }) => path.length > 1) && unknown.every(isEntry)) return ''
  const shape = isInside && !usageOf ? shapeOf(input) : namesOf(input)
  return ` Its arguments are ${shape}.`
}

function isLacked(place: string, lacks: readonly Lack[]): boolean {
  return lacks.some(own => place.startsWith(`${own.place}.`))
}

/** Two keys may ask for one thing. */
function toldOnce(key: UnknownKey, index: number, all: readonly UnknownKey[]): string {
  const isTold = all.slice(0, index).some(({ instead }) => instead === key.instead)
  return `${describeUnknown(key)}${key.instead && !isTold ? ` ${key.instead}` : ''}`
}

function describeUnknown({ place, meant, usage }: UnknownKey): string {
  const what = usage
    ? `a field of ${usage}`
    : `one of its ${place.includes('[') ? 'fields' : 'arguments'}`
  return `"${place}" is not ${what}${meant ? `; "${meant}" is` : ''}.`
}

function toPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) =>
      typeof part === 'number' ? `[${part}]` : i === 0 ? String(part) : `.${String(part)}`,
    )
    .join('')
}
