import { expect } from 'vitest'
import { sandbox } from '../cli.ts'
import type { TreeCopy } from './copy-of-the-tree.ts'

const FOLDER = 'packages/loop/src/models/toy'
const LIST = 'packages/loop/src/models/providers.ts'

export function addProvider(copy: TreeCopy): void {
  copy.add(FOLDER, FILES)
  copy.addLine(LIST, "export { default as toy } from './toy/index.ts'")
}

/** Settings, help, models and runs have it. */
export async function expectProvider(copy: TreeCopy): Promise<void> {
  const box = sandbox({ 'notes.txt': 'Hello.\n' }, copy.bin)
  const env = { TOY_KEY: 'key-of-mine' }
  expect((await box.run(['config', '--help'])).stdout).toMatch(
    /toy-key +the key for Toys \[TOY_KEY\]/,
  )
  expect((await box.run(['config'])).stdout).toMatch(/^toy-key +-$/m)
  expect((await box.run(['models'], { env })).stdout).toContain('toy/…  (a key is set)')
  expect((await box.run(['doctor'], { env })).stdout).toMatch(/^keys +toy$/m)

  const refused = await box.run(['run', 'Hi.', '--model', 'toy/x'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(
    'Cannot use toy/x: there is no key for toy. Set TOY_KEY, or run "filewright config set toy-key KEY".',
  )
  const unknown = await box.run(['run', 'Hi.', '--model', 'nobody/x'])
  expect(unknown.stderr).toMatch(/known providers \([^)]*\btoy\b/)

  const ran = await box.run(['run', 'Hi.', '--model', 'toy/x'], { env })
  expect(ran.stdout).toContain('toy/x opened with key-of-mine lists notes.txt.')
  expect(ran.code).toBe(0)
  await box.run(['config', 'set', 'toy-key', 'kept-key'])
  const again = await box.run(['run', 'Hi.', '--model', 'toy-small'])
  expect(again.stdout).toContain('toy/toy-small opened with kept-key lists notes.txt.')
}

const FILES = {
  'index.ts': `import type { Provider } from '../../port/provider.ts'

const toy: Provider<'key', never> = {
  id: 'toy',
  title: 'Toys',
  family: /^toy-/,
  needs: {
    key: { variables: ['TOY_KEY'], name: 'toy-key', help: 'the key for Toys', isSecret: true },
  },
  takes: {},
  async model(id, { key }) {
    const { createToy } = await import('./model.ts')
    return { ok: true, value: createToy(id, key) }
  },
}

export default toy
`,
  'model.ts': `import type { Model } from '../../port/model.ts'

/** Lists the files, and then says which there are. */
export function createToy(id: string, key: string): Model {
  return {
    name: \`toy/\${id}\`,
    facts: { callsTools: true },
    destination: null,
    endpoint: () => null,
    async *stream({ messages }) {
      const last = messages.at(-1)
      if (last?.role !== 'tool') {
        yield { type: 'tool-call', name: 'list_files', arguments: '{}' }
        yield { type: 'finish', reason: 'tool-calls' }
        return
      }
      const found = last.text.includes('notes.txt') ? 'notes.txt' : 'nothing'
      yield { type: 'text', text: \`toy/\${id} opened with \${key} lists \${found}.\` }
      yield { type: 'finish', reason: 'stop' }
    },
  }
}
`,
}
