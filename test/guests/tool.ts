import { expect } from 'vitest'
import { runNode } from '../commands/checkout.ts'
import type { TreeCopy } from './copy-of-the-tree.ts'

const FOLDER = 'packages/tools/src/shout'
const LIST = 'packages/tools/src/tools.ts'

export function addTool(copy: TreeCopy): void {
  copy.add(FOLDER, FILES)
  copy.addLine(LIST, "export { default as shout } from './shout/index.ts'")
}

/** Every form of the catalog has it. */
export async function expectTool(copy: TreeCopy): Promise<void> {
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
      description: 'Say it louder. Use it when nobody listens.',
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

  const check = await runNode(['scripts/generate.mjs', '--check'], copy.folder)
  expect(check).toMatchObject({ code: 1 })
  await copy.run('scripts/generate.mjs')
  expect(copy.read('docs/tools.md')).toContain(
    '## shout\n\nSay it louder.\n\n- Use it when nobody listens.',
  )
}

/** As the built command of the copy prints it. */
async function toolsOf<Form>(copy: TreeCopy, form: string): Promise<Form> {
  return JSON.parse(await copy.run(copy.bin, 'tools', form))
}

const FILES = {
  'tool.ts': `import { defineTool } from '@filewright/protocol'
import { z } from 'zod'

export const shout = defineTool({
  name: 'shout',
  label: 'Shouting {text}',
  summary: 'Say it louder.',
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
