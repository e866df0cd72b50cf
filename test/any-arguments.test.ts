import { KINDS } from '@filewright/protocol'
import { catalog, type JsonSchema, toCatalogJson } from '@filewright/tools'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Embedded, embedded } from './embedded.ts'
import { verifies } from './verifies.ts'

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'src/B.cs': 'class B\r\n{\r\n}', '.env': 'KEY=1\n' }
const RUNS = process.env.FILEWRIGHT_FULL === '1' ? 1000 : 40

verifies(
  'CONTRACT §3 nothing expected throws',
  'for any arguments, a tool answers with its fields or with a failure of a known kind',
  async () => {
    const product = await embedded(FILES)
    for (const { name, input } of toCatalogJson(catalog))
      await fc.assert(
        fc.asyncProperty(argumentsFor(input), sent => answersSoundly(product, name, sent)),
        { numRuns: RUNS, seed: 20_260_204 },
      )
    expect(
      product.logged.filter(({ level, event }) => level === 'error' || event === 'client error'),
    ).toEqual([])
  },
  { timeout: 900_000 },
)

async function answersSoundly(product: Embedded, tool: string, sent: unknown): Promise<void> {
  const answer = await product.call(tool, sent)
  const told = `${tool} ${JSON.stringify(sent)} → ${JSON.stringify(answer).slice(0, 300)}`
  if (answer.success || answer.pending === true) return // a question waits for a person
  expect(answer.success, told).toBe(false)
  expect(KINDS, told).toContain(answer.kind)
  expect(answer.kind, told).not.toBe('internal')
  expect(answer.message, told).toMatch(/\S/)
  expect(answer.errors, told).toBeInstanceOf(Array)
}

/** Mostly values that fit the schema, so that handlers are reached; sometimes anything at all. */
function argumentsFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: valueFor(schema), weight: 9 },
    { arbitrary: fc.jsonValue(), weight: 1 },
  )
}

function valueFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: choices, items, properties, anyOf } = schema
  if (choices) return fc.constantFrom(...(choices as unknown[]))
  if (anyOf) return fc.oneof(...(anyOf as JsonSchema[]).map(valueFor))
  if (type === 'array') return fc.array(valueFor((items ?? {}) as JsonSchema), { maxLength: 3 })
  if (type === 'object') return objectFor((properties ?? {}) as Record<string, JsonSchema>, schema)
  if (type === 'integer' || type === 'number')
    return fc.oneof(fc.integer({ min: -2, max: 12 }), fc.integer(), fc.double())
  if (type === 'boolean') return fc.boolean()
  if (type === 'string') return words
  return fc.jsonValue({ maxDepth: 2 })
}

function objectFor(
  properties: Record<string, JsonSchema>,
  { required }: JsonSchema,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    fc.oneof(
      { arbitrary: valueFor(property), weight: 12 },
      { arbitrary: fc.jsonValue(), weight: 1 },
    ),
  ])
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: (required ?? []) as never[],
  })
}

const words = fc.oneof(
  fc.constantFrom(
    'a.txt',
    'A.TXT',
    'src/B.cs',
    'new/c.txt',
    'book.xlsx',
    '.env',
    '..',
    'a.txt/b',
    'src',
  ),
  fc.constantFrom('one', 'two', 'A1', 'A1:B2', 'Sheet1', 'class B', '8a5edab2', '=1+1', ''),
  fc.string(),
  fc.string({ unit: 'binary' }),
)
