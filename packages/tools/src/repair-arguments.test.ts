import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonList } from './json-list.ts'
import { repairArguments } from './repair-arguments.ts'
import { shapeOf } from './shape.ts'
import { unknownKeys } from './unknown-keys.ts'
import { withoutNulls } from './without-nulls.ts'

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

test('unknown arguments are reported with what they may mean, and remarks are recognised', () => {
  const given = { path: 'a', lineStart: 1, text: 'x', edit: [], reason: 'x', file: 'b', mode: null }
  expect(unknownKeys({ input: schema }, given)).toEqual([
    { place: 'lineStart', meant: 'line_start', isRemark: false },
    { place: 'text', meant: 'content', isRemark: false },
    { place: 'edit', meant: 'edits', isRemark: false },
    { place: 'reason', isRemark: true },
    { place: 'file', isRemark: false },
    { place: 'mode', isRemark: true },
  ])
})

test('a tool says what does instead what an unknown argument asks for', () => {
  const instead = [{ names: ['append'], does: 'The content is the whole file.' }]
  expect(unknownKeys({ input: schema, instead }, { path: 'a', append: true })).toEqual([
    { place: 'append', instead: 'The content is the whole file.', isRemark: false },
  ])
})

describe('a correction loses nothing', () => {
  const offered = (given: unknown) => repairArguments({ input: schema }, given)

  test('a key that is no known synonym is never dropped', () => {
    expect(offered({ file: 'a', append: true })).toBeUndefined()
    expect(offered({ file: 'a', edits: [{ find: 'x', regex: true }] })).toBeUndefined()
    expect(offered({ file: 'a', content: { x: 1 }, mode: 'append' })).toBeUndefined()
  })

  test('a similar name is not enough', () => {
    expect(offered({ paht: 'a' })).toBeUndefined()
    expect(offered({ path: 'a', contnet: 'b' })).toBeUndefined()
  })

  test('two names of one argument are not decided', () => {
    expect(offered({ file: 'a', filename: 'b' })).toBeUndefined()
    expect(offered({ path: 'a', file: 'b', all: 'true' })).toBeUndefined()
  })

  test('a remark is dropped', () => {
    expect(offered({ file: 'a', reason: 'to see' })).toEqual({ path: 'a' })
    expect(offered({ path: 'a', edits: [{ find: 'x', explanation: 'y' }] })).toEqual({
      path: 'a',
      edits: [{ search: 'x' }],
    })
    expect(offered({ file: 'a', reason: { overwrite: true } })).toBeUndefined()
  })

  test('a list of addresses is not joined as if it were lines', () => {
    const input = z.object({ range: z.string() })
    expect(repairArguments({ input }, { range: ['A1', 'C3'] })).toBeUndefined()
    expect(repairArguments({ input }, { range: ['A1'] })).toEqual({ range: 'A1' })
  })
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

test('unknown fields of entries are reported, also where the entries have different shapes', () => {
  expect(
    unknownKeys(
      { input: schema },
      { path: 'a', edits: [{ search: 'x' }, { search: 'x', odd: 2 }] },
    ),
  ).toEqual([{ place: 'edits[1].odd', isRemark: false }])
  expect(unknownKeys({ input: schema }, { path: 'a', edits: '[{"find":"x"}]' })).toEqual([
    { place: 'edits[0].find', meant: 'search', isRemark: false },
  ])
  const copy = z.object({ op: z.literal('copy'), to: z.string() })
  const drop = z.object({ op: z.literal('delete'), path: z.string() })
  const input = z.object({ list: z.array(z.discriminatedUnion('op', [copy, drop])) })
  const list = [
    { op: 'delete', path: 'a', to: 'b' },
    { op: 'copy', to: 'b' },
  ]
  expect(unknownKeys({ input }, { list })).toEqual([{ place: 'list[0].to', isRemark: false }])
})

test('an entry may say which fields it takes', () => {
  const input = z.object({ list: z.array(z.looseObject({ op: z.string() })) })
  const fieldsOf = ({ op }: { readonly op?: unknown }) => (op === 'x' ? ['op', 'own'] : undefined)
  const list = [
    { op: 'x', own: 1, other: 2 },
    { op: 'y', own: 1 },
  ]
  expect(unknownKeys({ input, fieldsOf }, { list }).map(({ place }) => place)).toEqual([
    'list[0].other',
    'list[1].own',
  ])
})
