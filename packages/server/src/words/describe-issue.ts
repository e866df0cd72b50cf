import { counted } from '@filewright/protocol'
import type { z } from 'zod'

const WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  nonoptional: 'a value',
}

/** Describes a schema issue and what would be valid. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const found = issue.message.match(/received (\S+)/)?.[1]
      const wanted = WORDS[issue.expected] ?? issue.expected
      if (found === 'undefined') return `is missing; it must be ${wanted}`
      const isOther = found !== undefined && !(found === 'number' && issue.expected === 'int')
      return `must be ${wanted}${isOther ? `, not ${WORDS[found] ?? found}` : ''}`
    }
    case 'invalid_value':
      return `must be ${issue.values.map(value => JSON.stringify(value)).join(' or ')}`
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum))
    case 'unrecognized_keys':
      return `has no field ${issue.keys.map(key => JSON.stringify(key)).join(', ')}`
    default:
      return issue.message.replace(
        /^Invalid discriminator value\. Expected (.+)$/,
        (_, values: string) => `must be ${values.replaceAll("'", '"').replaceAll(' | ', ' or ')}`,
      )
  }
}

function tooSmall(origin: string, minimum: number, isInclusive: boolean): string {
  if (origin === 'string' || origin === 'array')
    return minimum === 1 ? 'must not be empty' : `must have at least ${measured(origin, minimum)}`
  return isInclusive ? `must be ${minimum} or more` : `must be more than ${minimum}`
}

function tooBig(origin: string, maximum: number): string {
  if (origin === 'string' || origin === 'array')
    return `must have at most ${measured(origin, maximum)}`
  return `must be ${maximum} or less`
}

function measured(origin: string, count: number): string {
  return origin === 'string' ? counted(count, 'character') : counted(count, 'entry', 'entries')
}
