import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { root, runNode, temporaryFolder } from './commands/checkout.ts'
import { verifies } from './verifies.ts'

const FOLDER = 'packages/tools/src/shout'
const LIST = 'packages/tools/src/tools.ts'

verifies(
  ['CONTRACT §9 tools json', 'CONTRACT §9 tools openai', 'CONTRACT §9 tools mcp'],
  'a tool is one folder and one line: every form of the catalog has it then',
  async () => {
    const copy = copyOfTheTree()
    addTool(copy)
    const list = readFileSync(join(copy, LIST), 'utf8')
    writeFileSync(join(copy, LIST), `${list}export { default as shout } from './shout/index.ts'\n`)

    expect(await run(copy, 'node_modules/typescript/bin/tsc', '-b', 'packages/tools')).toBe('')
    await run(copy, 'node_modules/vite/bin/vite.js', 'build', 'apps/cli')

    const catalog = await toolsOf<{ name: string }[]>(copy, '--json')
    expect(catalog.find(({ name }) => name === 'shout')).toMatchObject({
      executionLocation: 'server',
      toolsets: ['workshop'],
      input: { required: ['text'] },
    })
    const functions = await toolsOf<{ function: { name: string } }[]>(copy, '--openai')
    expect(functions.find(entry => entry.function.name === 'shout')).toEqual({
      type: 'function',
      function: {
        name: 'shout',
        description: 'Say a text louder. Use it when nobody listens.',
        parameters: {
          type: 'object',
          properties: { text: { type: 'string', description: 'What to say' } },
          required: ['text'],
        },
      },
    })
    const { tools } = await toolsOf<{ tools: { name: string }[] }>(copy, '--mcp')
    expect(tools.find(({ name }) => name === 'shout')).toMatchObject({
      title: 'Shout',
      annotations: { readOnlyHint: true },
    })

    expect(await runNode(['scripts/generate.mjs', '--check'], copy)).toMatchObject({ code: 1 })
    await run(copy, 'scripts/generate.mjs')
    expect(readFileSync(join(copy, 'docs/tools.md'), 'utf8')).toContain(
      '## shout\n\nSay a text louder.\n\n- Use it when nobody listens.',
    )
  },
)

async function run(copy: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runNode(args, copy)
  expect(code, stderr + stdout).toBe(0)
  return stdout
}

/** As the built command of the copy prints it. */
async function toolsOf<Form>(copy: string, form: string): Promise<Form> {
  return JSON.parse(await run(copy, 'apps/cli/bin/filewright.cjs', 'tools', form))
}

function addTool(copy: string): void {
  const files = {
    'tool.ts': `import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

export const shout = defineTool({
  name: 'shout',
  label: 'Shouting {text}',
  summary: 'Say a text louder.',
  guidance: 'Use it when nobody listens.',
  input: z.object({ text: z.string().describe('What to say') }),
  output: z.object({ text: z.string().describe('The same in capitals') }),
  executionLocation: 'server',
  toolsets: ['workshop'],
  writes: 'nothing',
  failures: {},
})
`,
    'server.ts': `import { ok, type ServerHandler } from '@filewright/protocol'
import type { ServerContext } from '../server-context.ts'
import type { shout } from './tool.ts'

export const shoutServer: ServerHandler<typeof shout, ServerContext> = async ({ text }) =>
  ok({ fields: { text: text.toUpperCase() }, message: 'Shouted.' })
`,
    'index.ts': `import { bind } from '../bind.ts'
import { shoutServer } from './server.ts'
import { shout } from './tool.ts'

export default bind(shout, { server: shoutServer })
`,
  }
  mkdirSync(join(copy, FOLDER))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, FOLDER, name), text)
}

/** Sources alone, with the installed packages beside them and our own in place of the checkout's. */
function copyOfTheTree(): string {
  const copy = temporaryFolder()
  for (const entry of ['packages', 'apps', 'docs', 'scripts', 'test', ...rootFiles()])
    cpSync(join(root, entry), join(copy, entry), {
      recursive: true,
      filter: path => !['node_modules', 'dist'].includes(basename(path)),
    })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@filewright')
      link(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  for (const name of readdirSync(join(copy, 'packages')))
    link(join(copy, 'packages', name), join(copy, 'node_modules/@filewright', name))
  return copy
}

function rootFiles(): string[] {
  return readdirSync(root).filter(name => /^(package|tsconfig).*\.json$/.test(name))
}

function link(target: string, path: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  symlinkSync(target, path, 'junction')
}
