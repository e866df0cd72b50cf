import type { Fields } from '@filewright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isRequired, kindOf, optional } from './fields/named-fields.ts'
import { FORMATS } from './known-formats.ts'
import { parseArguments } from './operation-arguments.ts'
import { fieldsOfOperation, isTyped, type TypedOperation, usageOf } from './operation-table.ts'

const declared = FORMATS.flatMap(({ id, editing }) =>
  Object.entries(editing?.operations?.operations ?? {}).flatMap(([op, own]) =>
    isTyped(own) ? [{ id, op, own, table: editing!.operations! }] : [],
  ),
)
const anyOf = fc.constantFrom(...declared)
const parse = (op: string, own: TypedOperation, fields: Fields) =>
  parseArguments({ op, ...fields }, own)

function refusalOf(op: string, own: TypedOperation, fields: Fields): string {
  try {
    return `taken as ${JSON.stringify(parse(op, own, fields))}`
  } catch (error) {
    return (error as Error).message
  }
}

describe.each(declared)('$id $op', ({ op, own, table }) => {
  const { takes, understands, example, needs, either } = own

  test('takes its example, whose fields it shows', () => {
    expect(parse(op, own, example)).toMatchObject(example)
    expect(fieldsOfOperation({ op }, table)).toEqual(
      expect.arrayContaining(['op', ...Object.keys(example)]),
    )
    for (const name of Object.keys(takes)) expect(usageOf(table, [op])).toContain(name)
    for (const name of [...(needs ?? []), ...(either ?? [])]) expect(takes).toHaveProperty(name)
    expect(z.object(table.fields).safeParse(example).success).toBe(true)
  })

  test('names what it needs, where that is missing', () => {
    for (const name of Object.keys(takes).filter(each => isRequired(takes[each]!)))
      expect(refusalOf(op, own, { ...example, [name]: undefined })).toContain(`${op} needs ${name}`)
    for (const group of [needs, either].filter(each => each !== undefined)) {
      const left = Object.entries(example).filter(([name]) => !group.includes(name))
      expect(refusalOf(op, own, Object.fromEntries(left))).toContain(`${op} needs ${group[0]}`)
    }
  })

  test('says of a value of another kind where it is and what would do', () => {
    for (const [name, field] of Object.entries({ ...takes, ...understands })) {
      const said = refusalOf(op, own, { ...example, [name]: [[[[]]]] })
      expect(said).toContain(`${op}: ${name}`)
      if (said.startsWith(`${op}: ${name} is `)) expect(said).toContain(kindOf(field))
    }
  })
})

test('arguments that were parsed are taken again, and mean the same', () => {
  fc.assert(
    fc.property(anyOf, ({ op, own }) => {
      const parsed = parse(op, own, own.example)
      expect(parse(op, own, parsed)).toEqual(parsed)
    }),
  )
})

test('null is nothing, and a field may come under an older name', () => {
  fc.assert(
    fc.property(anyOf, ({ op, own }) => {
      const parsed = parse(op, own, own.example)
      const others = Object.keys({ ...own.takes, ...own.understands }).filter(
        name => own.example[name] === undefined,
      )
      const nulls = Object.fromEntries(others.map(name => [name, null]))
      expect(parse(op, own, { ...own.example, ...nulls })).toEqual(parsed)
      const older = Object.entries(own.spellings ?? {}).map(([other, name]) => [name, other])
      const names = Object.fromEntries(older)
      const spelt = Object.entries(own.example).map(([name, value]) => [names[name] ?? name, value])
      expect(parse(op, own, Object.fromEntries(spelt))).toEqual(parsed)
    }),
  )
})

const MADE = {
  takes: {
    rows: z
      .array(z.object({ row: z.number().int().min(1), text: z.string().optional() }))
      .min(1)
      .max(3),
    ...optional({
      place: z.union([z.string(), z.array(z.string())]),
      width: z.number().gt(0).max(9),
    }),
  },
  does: 'does something',
  example: { rows: [{ row: 1 }] },
} as const satisfies TypedOperation

test.each([
  [{ rows: 'a' }, 'make: rows is a list of 1 to 3 {row, text?}, and "a" is not'],
  [{ rows: [] }, 'make: rows is a list of 1 to 3 {row, text?}, and [] is not'],
  [
    { rows: [1, 2, 3, 4].map(row => ({ row })) },
    'make: rows is a list of 1 to 3 {row, text?}, and 4 were sent',
  ],
  [{ rows: [{ row: 1 }, { row: 0 }] }, 'make: rows[1].row is a whole number from 1, and 0 is not'],
  [{ rows: [{ text: 'a' }] }, 'make needs rows[0].row: a whole number from 1'],
  [{ rows: [{ row: 1 }], place: [1] }, 'make: place[0] is a text, and 1 is not'],
  [{ rows: [{ row: 1 }], place: 1 }, 'make: place is a text or a list of texts, and 1 is not'],
  [
    { rows: [{ row: 1 }], width: 0 },
    'make: width is a number of more than 0 up to 9, and 0 is not',
  ],
  [{ rows: [{ row: 1 }], width: '5' }, 'taken as {"rows":[{"row":1}],"width":5}'],
])('%j is answered', (fields, message) => {
  expect(refusalOf('make', MADE, fields)).toBe(message)
})
