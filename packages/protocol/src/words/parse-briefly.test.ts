import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseBriefly } from './parse-briefly.ts'

const schema = z.object({
  path: z.string(),
  edits: z.preprocess(given => given, z.array(z.object({ search: z.string().min(1) }))).optional(),
  rows: z.array(z.array(z.number())).optional(),
})
const many = <Each>(count: number, make: (i: number) => Each) =>
  Array.from({ length: count }, (_, i) => make(i))

const VALUES: readonly [string, unknown][] = [
  ['nothing wrong', { path: 'a', edits: [{ search: 'x' }] }],
  ['no object', 5],
  ['short', { path: 1, edits: [{}, { search: '' }] }],
  ['long', { path: 'a', edits: many(2_000, i => (i < 1_500 ? { search: 'x' } : {})) }],
  ['long inside', { path: 'a', rows: [[1], many(2_000, i => (i % 7 ? i : 'x'))] }],
  ['long and right', { path: 1, edits: many(2_000, () => ({ search: 'x' })) }],
]

test.each(VALUES)('it finds what safeParse finds first: %s', (_, value) => {
  const [brief, whole] = [parseBriefly(schema, value, 20), schema.safeParse(value)]
  expect(brief.ok).toBe(whole.success)
  if (brief.ok) expect(brief.value).toEqual(whole.data)
  else expect(brief.issues).toEqual(whole.error?.issues.slice(0, 20))
})

test('a list of wrong entries, however long, has no more issues than were asked for', () => {
  for (const entry of [1, {}, { search: 1 }]) {
    const parsed = parseBriefly(schema, { path: 'a', edits: many(250_000, () => entry) }, 20)
    expect(!parsed.ok && parsed.issues.length).toBe(20)
  }
})
