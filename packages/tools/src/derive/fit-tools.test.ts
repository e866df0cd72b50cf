import { FORMATS, type FormatFacts, factsOf } from '@filewright/documents'
import { LIMITS, TOOLSETS } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { verifies } from '../../../../test/verifies.ts'
import type { Tool } from '../bind.ts'
import { catalog, inToolset, toCatalog } from '../catalog.ts'
import { toOperationTools } from '../operations/operation-tools.ts'
import * as listed from '../tools.ts'
import { toMcp } from './mcp.ts'
import { type GuidedOffer, toOffers, toOpenAi } from './openai.ts'
import { toolsIn } from './say-only-offered.ts'

const MANY = 60
const ops = Array.from({ length: MANY }, (_, i) => `change_part_${i}`)

/** A format with as many operations as an office format has, each with a field of its own. */
const toy = {
  ...factsOf('xlsx'),
  id: 'toy' as FormatFacts['id'],
  tool: 'toy_operations',
  endings: ['.toy'],
  editing: {
    ...factsOf('xlsx').editing!,
    operations: {
      operations: Object.fromEntries(
        ops.map((op, i) => [
          op,
          { takes: ['part', `value_${i}`, `looks_${i}?`], does: `changes what part ${i} says` },
        ]),
      ),
      fields: {
        part: z.string().optional().describe('Which part'),
        ...Object.fromEntries(
          ops.flatMap((_, i) => [
            [`value_${i}`, z.string().optional().describe(`What it says, for change_part_${i}`)],
            [`looks_${i}`, z.string().optional().describe(`How it looks, for change_part_${i}`)],
          ]),
        ),
      },
      example: '{"op": "change_part_0", "part": "a", "value_0": "b"}',
    },
  },
} satisfies FormatFacts
const withToy = toCatalog(listed, toOperationTools([...FORMATS, toy]))
const KB = 1024

verifies(
  'CONTRACT §4 offered list bounded',
  'with 60 more operations every list is within a quarter of its window and 24 KB, and from 16k on it has every tool',
  () => {
    for (const toolset of TOOLSETS)
      for (const window of [4_096, 8_192, 16_384, 32_000, 128_000, 1_000_000]) {
        const tools = inToolset(withToy, toolset).filter(isFor(window))
        const room = Math.min(24 * KB, (window / 4) * 3.5)
        const offers = toOffers(tools, room)
        expect(sizeOf(offers), `${toolset} at ${window}`).toBeLessThanOrEqual(room)
        if (window < 16_384) continue
        const kept = tools.filter(tool => !tool.declaration.explainsShorter)
        expect(offers.map(({ name }) => name)).toEqual(
          expect.arrayContaining(kept.map(({ declaration }) => declaration.name)),
        )
      }
    for (const list of [toOpenAi(withToy, 'workshop'), toMcp(withToy, 'workshop').tools.map(asked)])
      expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(LIMITS.offeredBytes)
  },
)

test('in a window of 4k a model can read, and write what is written simply', () => {
  const names = toOffers(inToolset(withToy, 'workshop'), 3_584).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['list_files', 'read_file', 'write_text_file']))
})

describe('a list that would be too long', () => {
  const tools = inToolset(toCatalog(listed, toOperationTools([factsOf('xlsx'), toy])), 'workshop')
  const whole = toOffers(tools, 1_000 * KB)
  const offers = toOffers(tools, sizeOf(whole) - KB)
  const find = (name: string) => offers.find(offer => offer.name === name)!

  test('names every operation of the longest tool in a line, without its fields', () => {
    const text = JSON.stringify(find('toy_operations').parameters)
    for (const [i, op] of ops.entries()) {
      expect(text).toContain(`${op}: changes what part ${i} says`)
      expect(text).not.toContain(`value_${i}`)
    }
    expect(find('toy_operations').guidance).toContain('Call describe_operations for the fields')
    expect(find('describe_operations').parameters).toMatchObject({
      properties: { tool: { enum: expect.arrayContaining(['toy_operations']) } },
    })
  })

  test('leaves the shorter tools whole', () => {
    expect(find('xlsx_operations')).toEqual(whole.find(({ name }) => name === 'xlsx_operations'))
  })

  test('and one that fits has no tool to describe operations', () => {
    const names = toOffers(inToolset(withToy, 'workshop'), 1_000 * KB).map(({ name }) => name)
    expect(names).not.toContain('describe_operations')
  })
})

test.each(TOOLSETS)('the texts of the %s toolset name no tool that is not in the list', toolset => {
  const lists = [4_096, 8_192, 16_384, 128_000].flatMap(window => {
    const tools = inToolset(catalog, toolset).filter(isFor(window))
    const reading = tools.filter(({ declaration }) => declaration.writes === 'nothing')
    return [tools, reading].map(list => toOffers(list, window))
  })
  for (const offers of lists) {
    const names = offers.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...toolsIn(JSON.stringify(offers))]))
  }
})

describe('describe_operations', () => {
  const tool = withToy.find(({ declaration }) => declaration.name === 'describe_operations')!
  const describeWith = async (input: object) => {
    const result = await tool.handlers.server!(input as never, {} as never)
    return result.ok ? result.value.text! : result.failure.message
  }

  test('answers with the fields of the operations asked for, under any of their names', async () => {
    const asked = { tool: 'toy_operations', operations: ['change_part_7', 'changePart8'] }
    const text = await describeWith(asked)
    expect(text).toContain('change_part_7 {part, value_7, looks_7?}: changes what part 7 says')
    expect(text).toContain('value_8 string: What it says, for change_part_8')
    expect(text).not.toContain('value_9')
  })

  test('says what holds for all operations of a workbook', async () => {
    const text = await describeWith({ tool: 'xlsx_operations', operations: ['set_cells'] })
    expect(text).toContain('set_cells {sheet, cells: [{cell, value}]}: writes single cells')
    expect(text).toContain('cells[].cell string: Address such as B2')
    expect(text).toContain('A value is a number, text, true')
    expect(text).not.toContain('rename_sheet')
  })

  test('says of each field of an operation its kind, whether it is needed, and what counts without it', async () => {
    const slides = { tool: 'pptx_operations', operations: ['hide_slide', 'append_bullets'] }
    const text = await describeWith(slides)
    expect(text).toContain('  index a whole number: The slide, counted from 0')
    expect(text).toContain('  hidden? true or false (true unless given): false: show the slide')
    expect(text).toContain('  bullets[].level? a whole number from 0 to 8: 0 is the outermost')
    expect(text).toContain('  example: {"op":"hide_slide","index":1}')
    const marks = { tool: 'docx_operations', operations: ['format_text', 'insert_paragraph'] }
    expect(await describeWith(marks)).toContain('At least one is needed: bold, italic')
    expect(await describeWith(marks)).toContain('One of these is needed: after, before.')
  })

  test('lists all operations, or names them for one that does not exist', async () => {
    expect(await describeWith({ tool: 'toy_operations' })).toContain('change_part_59: changes')
    const wrong = await describeWith({ tool: 'toy_operations', operations: ['change_prt_7'] })
    expect(wrong).toContain('There is no operation "change_prt_7". Did you mean change_part_7')
  })
})

function isFor(window: number) {
  const other = window < 16_384 ? 'large' : 'small'
  return ({ declaration }: Tool) =>
    declaration.window !== other && (declaration.leastWindow ?? 0) <= window
}

function sizeOf(offers: readonly GuidedOffer[]): number {
  return offers.reduce((size, offer) => size + Buffer.byteLength(JSON.stringify(offer)), 0)
}

function asked({ name, description, inputSchema }: ReturnType<typeof toMcp>['tools'][number]) {
  return { name, description, inputSchema }
}
