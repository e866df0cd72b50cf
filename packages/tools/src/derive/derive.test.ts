import { COMMON_CODES, labelOf } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { verifies } from '../../../../test/verifies.ts'
import { catalog, findTool } from '../catalog.ts'
import { jsonList } from '../json-list.ts'
import { toCatalogJson } from './catalog.ts'
import { DESCRIPTION_CHARACTERS, sentencesOf } from './describe.ts'
import { toGuidance } from './guidance.ts'
import type { JsonSchema } from './json-schema.ts'
import { toLabels } from './labels.ts'
import { toMarkdown } from './markdown.ts'
import { toMcp } from './mcp.ts'
import { toOpenAi } from './openai.ts'
import { toPlainSchema } from './plain-schema.ts'
import { sayOnlyOffered } from './say-only-offered.ts'

const names = catalog.map(({ declaration }) => declaration.name)
const place = z.string().describe('Where')
const note = z.string().optional().describe('Why')

verifies('CONTRACT §4 declared once', 'every form derives from the same declarations', () => {
  expect(toCatalogJson(catalog).map(({ name }) => name)).toEqual(names)
  const offered = catalog.flatMap(({ declaration: { name, explainsShorter } }) =>
    explainsShorter ? [] : [name],
  )
  expect(toOpenAi(catalog).map(({ function: { name } }) => name)).toEqual(
    expect.arrayContaining(offered),
  )
  expect(toMcp(catalog).tools.map(({ name }) => name)).toEqual(expect.arrayContaining(offered))
  for (const name of names) {
    expect(toMarkdown(catalog)).toContain(`\n## ${name}\n`)
    expect(toLabels(catalog)).toHaveProperty([name])
  }
})

describe('the OpenAI list', () => {
  verifies(
    'ADR-0010 §Tool Schema function calling format',
    'has type function, name, description and parameters as a JSON schema',
    () => {
      const info = toOpenAi(catalog).find(entry => entry.function.name === 'get_file_info')
      expect(info).toEqual({
        type: 'function',
        function: {
          name: 'get_file_info',
          description: expect.stringMatching(/^Get a file's structural map: .* read_file/),
          parameters: {
            type: 'object',
            properties: { path: { type: 'string', description: 'File path' } },
            required: ['path'],
          },
        },
      })
      for (const entry of toOpenAi(catalog)) {
        expect(Object.keys(entry)).toEqual(['type', 'function'])
        expect(Object.keys(entry.function)).toEqual(['name', 'description', 'parameters'])
        expect(entry.function.parameters).toMatchObject({ type: 'object', properties: {} })
      }
    },
  )

  test('has no description that a server would refuse for its length', () => {
    for (const { function: tool } of toOpenAi(catalog))
      expect(tool.description.length, tool.name).toBeLessThanOrEqual(DESCRIPTION_CHARACTERS)
  })

  test('has no sentence that is cut', () => {
    const description = toOpenAi(catalog).map(entry => entry.function)
    const offered = new Set(description.map(({ name }) => name))
    for (const { name, description: text } of description) {
      const { declaration } = findTool(name)!
      const forms = [declaration, ...(declaration.shorter ?? [])].map(({ guidance }) => [
        declaration.summary,
        ...sentencesOf(sayOnlyOffered(guidance, offered)),
      ])
      const isWhole = forms.some(form =>
        form.some((_, count) => form.slice(0, count + 1).join(' ') === text),
      )
      expect(isWhole, name).toBe(true)
    }
  })

  test('of a toolset holds its tools alone', () => {
    const workshop = toOpenAi(catalog, 'workshop').map(entry => entry.function.name)
    expect(workshop).toContain('read_file')
    expect(workshop).not.toContain('workspace_create_file')
  })
})

describe('a schema', () => {
  const all = toCatalogJson(catalog).flatMap(({ name, input, output }) => [
    { name: `${name} arguments`, schema: input },
    { name: `${name} result`, schema: output },
  ])

  test('describes every property', () => {
    const bare = all.flatMap(({ name, schema }) =>
      [...schemasOf(schema)]
        .flatMap(({ properties = {} }) => Object.entries(properties as Record<string, JsonSchema>))
        .filter(
          ([, property]) => !property.description && property.type !== 'object' && !isTag(property),
        )
        .map(([property]) => `${name}: ${property}`),
    )
    expect(bare).toEqual([])
  })

  test('uses only the keywords that OpenAI, Gemini, vLLM and llama.cpp servers take', () => {
    const taken = new Set([
      ...['type', 'description', 'enum', 'minimum', 'maximum', 'minLength', 'minItems'],
      ...['items', 'properties', 'required', 'anyOf'],
    ])
    for (const { name, schema } of all)
      for (const part of schemasOf(schema))
        expect(
          Object.keys(part).filter(keyword => !taken.has(keyword)),
          name,
        ).toEqual([])
  })

  test('is an object at its top, with no alternatives there', () => {
    for (const { name, schema } of all) {
      expect(schema.type, name).toBe('object')
      expect(schema, name).not.toHaveProperty('anyOf')
    }
  })

  test('shows a list that may come as text as the list it is', () => {
    expect(toPlainSchema(z.object({ items: jsonList(z.string()).describe('Some') }))).toEqual({
      type: 'object',
      properties: {
        items: { type: 'array', description: 'Some', minItems: 1, items: { type: 'string' } },
      },
      required: ['items'],
    })
  })

  test('merges alternatives distinguished by a literal into one object', () => {
    const either = z.discriminatedUnion('op', [
      z.object({ op: z.literal('copy'), from: z.string().describe('Source'), to: place }),
      z.object({ op: z.literal('move'), from: z.string().describe('Old name'), to: place }),
      z.object({ op: z.literal('delete'), path: z.string().describe('Which'), note }),
    ])
    expect(toPlainSchema(z.object({ either })).properties).toEqual({
      either: {
        type: 'object',
        properties: {
          op: { type: 'string', enum: ['copy', 'move', 'delete'] },
          from: { type: 'string', description: 'copy: Source; move: Old name' },
          to: { type: 'string', description: 'copy, move: Where' },
          path: { type: 'string', description: 'delete: Which' },
          note: { type: 'string', description: 'delete: Why' },
        },
        required: ['op'],
      },
    })
  })

  test('says other alternatives with anyOf', () => {
    expect(toPlainSchema(z.object({ a: z.union([z.string(), z.int()]) })).properties).toEqual({
      a: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    })
  })

  test('keeps bounds that mean something, and not those of every whole number', () => {
    expect(
      toPlainSchema(z.object({ a: z.number().int(), b: z.number().int().min(1).max(9) })),
    ).toEqual({
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer', minimum: 1, maximum: 9 } },
      required: ['a', 'b'],
    })
  })
})

describe('the MCP list', () => {
  test('is the answer to tools/list', () => {
    const { tools } = toMcp(catalog)
    expect(tools.find(({ name }) => name === 'write_text_file')).toMatchObject({
      title: 'Write text file',
      description: expect.stringContaining('in the draft'),
      inputSchema: { type: 'object', required: ['path', 'content'] },
      outputSchema: { type: 'object', properties: { changeCount: { type: 'integer' } } },
    })
  })

  test('hints what a tool may do', () => {
    const hints = Object.fromEntries(
      toMcp(catalog).tools.map(tool => [tool.name, tool.annotations]),
    )
    expect(hints.read_file).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints.write_text_file).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints.workspace_create_file).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    })
  })
})

describe('the JSON catalog', () => {
  verifies(
    ['TUL-004 §3.2 catalog entry', 'TUL-004 §4.1 execution location'],
    'has name, description, both schemas and the execution location of workspace_create_file',
    () => {
      const entry = toCatalogJson(catalog).find(({ name }) => name === 'workspace_create_file')
      expect(entry).toMatchObject({
        aliases: ['workspace.create_file'],
        summary: expect.stringContaining('Create'),
        executionLocation: 'client',
        writes: 'workspace',
        failures: { FileExists: 'conflict', InvalidPath: 'invalid', TooLarge: 'limit' },
        input: { required: ['path', 'content'] },
        output: {
          required: expect.arrayContaining(['path', 'sizeBytes', 'hash', 'created', 'overwritten']),
        },
      })
    },
  )

  test('lists the common failures of every tool, and lets a tool override a kind', () => {
    const [tool] = catalog
    const declaration = { ...tool!.declaration, failures: { NOT_FOUND: 'unsupported' } as const }
    const [entry] = toCatalogJson([{ ...tool!, declaration }])
    expect(entry?.failures).toEqual({ ...COMMON_CODES, NOT_FOUND: 'unsupported' })
  })

  test('is JSON', () => {
    const entries = toCatalogJson(catalog)
    expect(JSON.parse(JSON.stringify(entries))).toEqual(entries)
  })
})

describe('guidance and labels', () => {
  test('guidance is whole, and of the offered tools alone', () => {
    const guidance = toGuidance(catalog, 'workspace')
    expect(guidance).toContain(findTool('workspace_create_file')!.declaration.guidance)
    expect(guidance).not.toContain('xlsx_operations')
  })

  test('a label is known by every name of its tool, and filled with the arguments', () => {
    const labels = toLabels(catalog)
    expect(labels.get_file_map).toBe(labels.get_file_info)
    expect(labelOf({ label: labels['workspace.create_file']! }, { path: 'src/a.ts' })).toBe(
      'Creating src/a.ts',
    )
  })
})

describe('the reference', () => {
  const markdown = toMarkdown(catalog)

  test('has a row for a nested argument, and marks optional ones', () => {
    expect(markdown).toContain('| `edits[].search` | string | Exact text, unique in the file |')
    expect(markdown).toContain('| `edits[].all?` | boolean | Replace every occurrence |')
  })

  test('lists the failures of a tool with their kinds', () => {
    expect(markdown).toContain('Its own failures: `FileExists` (conflict), `TooLarge` (limit)')
  })

  test('has tables of equal width for any content', () => {
    const tables = markdown
      .trimEnd()
      .split('\n\n')
      .filter(block => block.startsWith('| '))
    for (const rows of tables.map(block => block.split('\n')))
      expect(new Set(rows.map(row => row.split(/(?<!\\)\|/).length)).size, rows[0]).toBe(1)
  })
})

/** An operation's name says what it does. */
function isTag(property: JsonSchema): boolean {
  return property.enum !== undefined
}

/** The schema and every schema in it. */
function* schemasOf(schema: JsonSchema): Generator<JsonSchema> {
  yield schema
  const properties = Object.values((schema.properties ?? {}) as Record<string, JsonSchema>)
  const items = schema.items ? [schema.items as JsonSchema] : []
  for (const inner of [...properties, ...items, ...((schema.anyOf ?? []) as JsonSchema[])])
    yield* schemasOf(inner)
}
