import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from './describe-issue.ts'

test.each([
  [z.object({ path: z.string() }), {}, 'is missing; it must be a string'],
  [z.object({ value: z.unknown() }), {}, 'is missing; it must be a value'],
  [z.object({ path: z.string() }), { path: 5 }, 'must be a string, not a number'],
  [z.object({ n: z.int() }), { n: 1.5 }, 'must be a whole number'],
  [z.object({ n: z.int().min(1) }), { n: 0 }, 'must be 1 or more'],
  [z.object({ n: z.int().max(9) }), { n: 10 }, 'must be 9 or less'],
  [z.object({ t: z.string().min(1) }), { t: '' }, 'must not be empty'],
  [z.object({ l: z.array(z.string()).max(2) }), { l: ['', '', ''] }, 'must have at most 2 entries'],
  [z.object({ e: z.enum(['a', 'b']) }), { e: 'c' }, 'must be "a" or "b"'],
  [
    z.discriminatedUnion('op', [
      z.object({ op: z.literal('copy') }),
      z.object({ op: z.literal('move') }),
    ]),
    { op: 'x' },
    'must be "copy" or "move"',
  ],
])('says what would be right (%#)', (schema, value, words) => {
  const [issue] = schema.safeParse(value).error!.issues
  expect(describeIssue(issue!)).toContain(words)
})
