import { readdirSync, readFileSync } from 'node:fs'
import { FORMATS } from '@filewright/documents'
import { defineTool, fail, ok, type ToolDeclaration } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { verifies } from '../../../test/verifies.ts'
import { bind, type Tool } from './bind.ts'
import { catalog, findTool, inToolset, toCatalog } from './catalog.ts'

const here = new URL('.', import.meta.url)
const names = catalog.map(({ declaration }) => declaration.name)

describe('the catalog', () => {
  test('has a line for every tool folder, one line each, a tool for every table of operations, and one that describes them', () => {
    const folders = readdirSync(here, { withFileTypes: true })
      .filter(
        entry => entry.isDirectory() && readdirSync(new URL(entry.name, here)).includes('index.ts'),
      )
      .map(entry => entry.name)
    const lines = readFileSync(new URL('tools.ts', here), 'utf8').match(/^export .*$/gm) ?? []
    const derived = FORMATS.flatMap(({ id, editing }) =>
      editing?.operations ? `${id}_operations` : [],
    )
    expect([...names].sort()).toEqual([...folders, ...derived, 'describe_operations'].sort())
    expect(lines).toHaveLength(folders.length)
  })

  test('goes by toolset, readers before writers', () => {
    expect(names.indexOf('workspace_list_files')).toBeLessThan(
      names.indexOf('workspace_create_file'),
    )
    expect(names.indexOf('workspace_create_file')).toBeLessThan(names.indexOf('read_file'))
    expect(names.indexOf('read_file')).toBeLessThan(names.indexOf('edit_text_file'))
    expect(names.indexOf('edit_text_file')).toBeLessThan(names.indexOf('recall_tool_result'))
  })

  verifies('CONTRACT §4 names match', 'holds only names that every provider takes', () => {
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(() => declare({ name: 'a'.repeat(65) })).toThrow('must match')
    expect(() => declare({ name: '' })).toThrow('must match')
  })

  verifies('CONTRACT §4 recall_tool_result both toolsets', 'offers recall in both toolsets', () => {
    for (const toolset of ['workspace', 'workshop'] as const)
      expect(inToolset(catalog, toolset).map(toName)).toContain('recall_tool_result')
  })

  verifies(
    ['TUL-004 §4.1 name', 'TUL-004 §4.1 category', 'TUL-004 §3.1 execution location'],
    'has workspace_create_file in the workspace toolset, carried out by the client',
    () => {
      expect(findTool('workspace_create_file')?.declaration).toMatchObject({
        toolsets: ['workspace'],
        executionLocation: 'client',
      })
    },
  )

  verifies(
    [
      'CONTRACT §4 workspace_read_file on the server',
      'CONTRACT §4 workspace_write_patch runs on both',
    ],
    'runs each tool where the contract says',
    () => {
      const placed = catalog.map(({ declaration, handlers }) => [
        declaration.name,
        Object.keys(handlers).sort().join(' and '),
      ])
      expect(Object.fromEntries(placed)).toMatchObject({
        workspace_read_file: 'server',
        workspace_write_patch: 'client and preflight',
        workspace_create_file: 'client',
        workspace_get_patch_change: 'server',
        workspace_list_files: 'server',
        workspace_list_active_files: 'server',
        list_files: 'client',
        get_file_info: 'client',
        read_file: 'client',
        write_text_file: 'client',
        edit_text_file: 'client',
        xlsx_operations: 'client',
        file_operations: 'client',
        recall_tool_result: 'server',
      })
    },
  )

  test('every tool has the handlers that its declaration asks for, and no others', () => {
    for (const { declaration, handlers } of catalog)
      expect(Object.keys(handlers).sort(), declaration.name).toEqual(
        declaration.executionLocation === 'server'
          ? ['server']
          : declaration.forwards
            ? ['client', 'preflight']
            : ['client'],
      )
  })

  test('every placeholder of a label is one of the arguments', () => {
    for (const { declaration } of catalog)
      for (const [, name] of declaration.label.matchAll(/\{(\w+)\}/g))
        expect(Object.keys(declaration.input.shape), declaration.name).toContain(name)
  })
})

describe('a tool is found', () => {
  test('by its name', () => expect(findTool('read_file')?.declaration.name).toBe('read_file'))
  verifies('CONTRACT §4 get_file_info alias', 'by its alias', () => {
    expect(findTool('get_file_map')?.declaration.name).toBe('get_file_info')
    expect(findTool('workspace.create_file')?.declaration.name).toBe('workspace_create_file')
  })
  verifies('TUL-001 §4 name', 'as workspace_read_file and as workspace.read_file', () => {
    expect(names).toContain('workspace_read_file')
    expect(findTool('workspace.read_file')).toBe(findTool('workspace_read_file'))
  })
  test('by nothing else', () => expect(findTool('Read_File')).toBeUndefined())
})

describe('a bad list fails with one sentence, and does not compile', () => {
  test('a line under another name than its tool', () => {
    // @ts-expect-error the line says b, the tool a
    expect(() => toCatalog({ b: toolNamed('a') })).toThrow(
      'The line "b" of tools.ts lists a tool that is named "a": give both the same name',
    )
  })

  test('an alias that is the name of another tool', () => {
    // @ts-expect-error the alias of a is taken by b
    expect(() => toCatalog({ a: toolNamed('a', 'b'), b: toolNamed('b') })).toThrow(
      'Tool name "b" is declared twice: by a and b',
    )
  })

  test('an alias that two tools have', () => {
    // @ts-expect-error both are called c
    expect(() => toCatalog({ a: toolNamed('a', 'c'), b: toolNamed('b', 'c') })).toThrow(
      'Tool name "c" is declared twice: by a and b',
    )
  })

  test('a good list is the tools in order', () => {
    const tools = toCatalog({ b: toolNamed('b', 'd'), a: toolNamed('a', 'c') })
    expect(tools.map(toName)).toEqual(['a', 'b'])
  })
})

describe('a bad declaration does not compile or is refused when it is made', () => {
  test('a name with a dot or a space', () => {
    // @ts-expect-error a name holds no dot
    expect(() => defineTool({ ...sound, name: 'a.b' })).toThrow('Tool name "a.b" must match')
    // @ts-expect-error a name holds no space
    expect(() => defineTool({ ...sound, name: 'a b' })).toThrow('Tool name "a b" must match')
  })

  test('an empty text, and no toolset', () => {
    expect(() => declare({ summary: ' ' })).toThrow('Tool "a" has an empty summary')
    expect(() => declare({ guidance: '' })).toThrow('Tool "a" has an empty guidance')
    expect(() => declare({ toolsets: [] })).toThrow('Tool "a" is in no toolset')
  })

  test('a server tool that forwards', () => {
    const forwarding = { ...sound, executionLocation: 'server', forwards: z.string() } as const
    // @ts-expect-error only a client tool forwards
    expect(() => defineTool(forwarding)).toThrow('Tool "a" forwards, so it must run on the client')
  })
})

/** Checked by the compiler alone: an expectation that does not hold is an error of `tsc`. */
export function refusedByTheCompiler(): void {
  const client = defineTool({ ...sound, failures: { Own: 'conflict' } })
  const server = defineTool({ ...sound, executionLocation: 'server' })
  const writer = defineTool({ ...sound, writes: 'workspace' })
  const forwards = defineTool({ ...sound, forwards: z.object({ id: z.string() }) })
  const answers = async () => ok({ fields: { text: '' }, message: '' })

  // @ts-expect-error a client tool without its handler
  bind(client, {})
  // @ts-expect-error a handler on the wrong side
  bind(client, { server: answers })
  // @ts-expect-error one too many
  bind(client, { client: answers, server: answers })
  // @ts-expect-error a server tool without its handler
  bind(server, { client: answers })
  // @ts-expect-error a tool that writes the workspace proposes; it does not just answer
  bind(writer, { client: answers })
  // @ts-expect-error a tool that forwards and has no preflight
  bind(forwards, { client: answers })
  // @ts-expect-error a code that is not declared
  bind(client, { client: async () => fail('Undeclared', '', { kind: 'conflict' }) })
  // @ts-expect-error fields that are not declared
  bind(client, { client: async () => ok({ fields: { texts: '' }, message: '' }) })

  bind(client, { client: answers })
  bind(client, { client: async () => fail('Own', '', { kind: 'conflict' }) })
  bind(client, { client: async () => fail('NOT_FOUND', '') })
  bind(server, { server: answers })
  bind(forwards, { preflight: async () => ok({ id: '' }), client: answers })
}

verifies(
  'TUL-004 §3.2 no server handler',
  'workspace_create_file has no handler on the server, and one would not compile',
  () => {
    const tool = findTool('workspace_create_file')!
    expect(tool.handlers.server).toBeUndefined()
    expect(tool.handlers.preflight).toBeUndefined()
    // @ts-expect-error the declaration says client, and writes the workspace
    const bound = bind(workspaceWriter, { server: async () => ok({ fields: {}, message: '' }) })
    expect(bound.declaration.executionLocation).toBe('client')
  },
)

const sound = {
  name: 'a',
  label: 'Doing',
  summary: 'Does it.',
  guidance: 'Use it.',
  input: z.object({}),
  output: z.object({ text: z.string() }),
  executionLocation: 'client',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
} as const satisfies ToolDeclaration

const workspaceWriter = defineTool({ ...sound, writes: 'workspace' })

function declare(change: Partial<ToolDeclaration>): ToolDeclaration {
  return defineTool<ToolDeclaration>({ ...sound, ...change })
}

function toolNamed<const Name extends string, const Alias extends string = never>(
  name: Name,
  ...aliases: Alias[]
) {
  const declaration = { ...sound, name, aliases: aliases as readonly Alias[] }
  return bind(declaration, { client: async () => ok({ fields: { text: '' }, message: '' }) })
}

function toName({ declaration }: Tool): string {
  return declaration.name
}
