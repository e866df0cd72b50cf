import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonList } from './json-list.ts'
import {
  repairArguments,
  unknownArguments,
  unknownFields,
  withoutNulls,
} from './repair-arguments.ts'
import { shapeOf } from './shape.ts'

const schema = z.object({
  path: z.string(),
  content: z.string().optional(),
  line_start: z.number().int().min(1).optional(),
  all: z.boolean().optional(),
  edits: z.array(z.object({ search: z.string() })).optional(),
})

describe('arguments as they were meant', () => {
  test('an argument under another name or in another spelling', () => {
    expect(repairArguments({ input: schema }, { file: 'a', lineStart: 2 })).toEqual({
      path: 'a',
      line_start: 2,
    })
    expect(repairArguments({ input: schema }, { filename: 'a', text: 'b' })).toEqual({
      path: 'a',
      content: 'b',
    })
  })

  test('numbers and booleans sent as text, one object for a list, lines or JSON for text', () => {
    expect(repairArguments({ input: schema }, { path: 'a', line_start: '2', all: 'true' })).toEqual(
      {
        path: 'a',
        line_start: 2,
        all: true,
      },
    )
    expect(repairArguments({ input: schema }, { path: 'a', edits: { search: 'x' } })).toMatchObject(
      {
        edits: [{ search: 'x' }],
      },
    )
    expect(repairArguments({ input: schema }, { path: 'a', content: ['x', 'y'] })?.content).toBe(
      'x\ny',
    )
    expect(repairArguments({ input: schema }, { path: 'a', content: { x: 1 } })?.content).toBe(
      '{\n  "x": 1\n}',
    )
  })

  test('nothing where it still does not fit', () => {
    expect(repairArguments({ input: schema }, {})).toBeUndefined()
    expect(repairArguments({ input: schema }, { path: 'a', line_start: 0 })).toBeUndefined()
    expect(repairArguments({ input: schema }, ['a'])).toBeUndefined()
    expect(repairArguments({ input: schema }, null)).toBeUndefined()
    expect(repairArguments({ input: schema }, { path: null })).toBeUndefined()
    const needsText = z.object({ search: z.string().min(1) })
    expect(repairArguments({ input: needsText }, { search: '' })).toBeUndefined()
  })
})

test('the shape of a tool includes the fields of its lists', () => {
  const word = (op: string) => z.object({ op: z.literal(op), from: z.string() })
  expect(shapeOf(schema)).toBe('{path, content?, line_start?, all?, edits?: [{search}]}')
  expect(shapeOf(z.object({ list: z.array(z.object({ value: z.unknown() })) }))).toBe(
    '{list: [{value}]}',
  )
  expect(shapeOf(z.discriminatedUnion('op', [word('copy'), word('move')]))).toBe(
    '{op: "copy", from} or {op: "move", from}',
  )
})

test('unknown arguments are reported with their likely meaning, and explanations are recognised', () => {
  const given = { path: 'a', lineStart: 1, text: 'x', edit: [], reason: 'x', file: 'b', mode: null }
  expect(unknownArguments(schema, given)).toEqual([
    { name: 'lineStart', meant: 'line_start', isMeant: true, isRemark: false },
    { name: 'text', meant: 'content', isMeant: true, isRemark: false },
    { name: 'edit', meant: 'edits', isMeant: false, isRemark: false },
    { name: 'reason', isMeant: false, isRemark: true },
    { name: 'file', isMeant: false, isRemark: false },
    { name: 'mode', isMeant: false, isRemark: true },
  ])
})

test('a field of an entry under another name is put right where all else fits', () => {
  const input = z.object({ edits: z.array(z.object({ all: z.boolean().optional() })) })
  expect(repairArguments({ input }, { edits: [{ replace_all: true }] })).toEqual({
    edits: [{ all: true }],
  })
})

test('several paths are not a path', () => {
  expect(repairArguments({ input: schema }, { paths: ['a', 'b'] })).toBeUndefined()
  expect(repairArguments({ input: schema }, { path: ['a'] })).toEqual({ path: 'a' })
})

test('null for an optional argument counts as absent; for a required one it stays', () => {
  const given = { path: 'a', line_start: null, edits: null, other: null }
  expect(withoutNulls(schema, given)).toEqual({ path: 'a', other: null })
  expect(withoutNulls(schema, { path: null })).toEqual({ path: null })
  expect(withoutNulls(schema, null)).toBeNull()
})

test('null in the entries of a list counts as absent too, unless any value is allowed', () => {
  const entry = z.looseObject({
    op: z.string(),
    rows: z.coerce.string().optional(),
    all: z.boolean().optional(),
    value: z.unknown(),
  })
  const own = z.object({ list: z.array(entry) })
  const list = [{ op: 'x', rows: null, all: null, value: null, other: null }]
  const meant = { list: [{ op: 'x', value: null, other: null }] }
  expect(withoutNulls(own, { list })).toEqual(meant)
  expect(withoutNulls(z.object({ list: jsonList(entry) }), { list: JSON.stringify(list) })).toEqual(
    meant,
  )
})

test('an argument with a name that every object has is an unknown one like any other', () => {
  const given = JSON.parse('{"path":"a","constructor":null,"__proto__":null,"toString":null}')
  expect(withoutNulls(schema, given)).toBe(given)
})

test('unknown fields inside a list are reported with their likely meaning; known synonyms are not', () => {
  const given = { path: 'a', odd: 1, edits: [{ search: 'x' }, { search: 'x', bold: true, odd: 2 }] }
  expect(unknownFields({ input: schema, understands: ['odd'] }, given)).toEqual([
    { place: 'edits[1].bold' },
  ])
  expect(unknownFields({ input: schema }, { path: 'a', edits: [{ find: 'x' }] })).toEqual([
    { place: 'edits[0].find', meant: 'search' },
  ])
})
