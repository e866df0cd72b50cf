import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { repairArguments, unknownArguments, withoutNulls } from './repair-arguments.ts'

const schema = z.object({
  path: z.string(),
  content: z.string().optional(),
  line_start: z.number().int().min(1).optional(),
  all: z.boolean().optional(),
  edits: z.array(z.object({ search: z.string() })).optional(),
})

describe('arguments as they were meant', () => {
  test('an argument under another name or in another spelling', () => {
    expect(repairArguments(schema, { file: 'a', lineStart: 2 })).toEqual({
      path: 'a',
      line_start: 2,
    })
    expect(repairArguments(schema, { filename: 'a', text: 'b' })).toEqual({
      path: 'a',
      content: 'b',
    })
  })

  test('numbers and booleans sent as text, one object for a list, lines or JSON for a text', () => {
    expect(repairArguments(schema, { path: 'a', line_start: '2', all: 'true' })).toEqual({
      path: 'a',
      line_start: 2,
      all: true,
    })
    expect(repairArguments(schema, { path: 'a', edits: { search: 'x' } })).toMatchObject({
      edits: [{ search: 'x' }],
    })
    expect(repairArguments(schema, { path: 'a', content: ['x', 'y'] })?.content).toBe('x\ny')
    expect(repairArguments(schema, { path: 'a', content: { x: 1 } })?.content).toBe(
      '{\n  "x": 1\n}',
    )
  })

  test('nothing where it still does not fit', () => {
    expect(repairArguments(schema, {})).toBeUndefined()
    expect(repairArguments(schema, { path: 'a', line_start: 0 })).toBeUndefined()
    expect(repairArguments(schema, ['a'])).toBeUndefined()
    expect(repairArguments(schema, null)).toBeUndefined()
    expect(repairArguments(schema, { path: null })).toBeUndefined()
  })
})

test('unknown arguments are told with what they may stand for; only another spelling counts as meant', () => {
  expect(unknownArguments(schema, { path: 'a', lineStart: 1, reason: 'x', file: 'b' })).toEqual([
    { name: 'lineStart', meant: 'line_start', isRespelled: true },
    { name: 'reason', isRespelled: false },
    { name: 'file', isRespelled: false },
  ])
})

test('null for an argument that may be left out is one that was; for one that is needed it stays', () => {
  const given = { path: 'a', line_start: null, edits: null, other: null }
  expect(withoutNulls(schema, given)).toEqual({ path: 'a', other: null })
  expect(withoutNulls(schema, { path: null })).toEqual({ path: null })
  expect(withoutNulls(schema, null)).toBeNull()
})
