import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const edit = (search: string) => ({
  name: 'workspace_edit_file',
  arguments: { path: 'a.txt', edits: [{ search, replace: 'goodbye' }] },
})

verifies(
  ['CONTRACT §9 run --light', 'CONTRACT §4 workspace_edit_file offered'],
  'workspace_edit_file is offered with --light and below 16k, and otherwise not',
  async () => {
    const model = await fakeModel([{ text: 'Hello.' }])
    const box = sandbox({ 'a.txt': 'hello\n' })
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    const run = ['run', 'Hi.', '--toolset', 'workspace']
    await box.run(run, { env })
    await box.run([...run, '--light'], { env })
    await box.run(['models', 'set', 'fake', '--context', '16000'])
    await box.run(run, { env })
    await box.run(['models', 'set', 'fake', '--context', '17000'])
    await box.run(run, { env })
    const isOffered = (name: string) =>
      model.requests.map(({ tools = [] }) => tools.some(tool => tool.function.name === name))
    expect(isOffered('workspace_edit_file')).toEqual([false, true, true, false])
    expect(isOffered('workspace_write_patch')).toEqual([true, false, false, true])
  },
)

verifies(
  'CONTRACT §4 workspace_edit_file',
  'workspace_edit_file is approved and applied as a patch is, and needs a unique text',
  async () => {
    const model = await fakeModel([
      { text: '', calls: [edit('l')] },
      { text: '', calls: [edit('hello')] },
      { text: 'Done.' },
    ])
    const box = sandbox({ 'a.txt': 'hello\r\n' })
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
    const text = () => readFileSync(join(box.dir, 'a.txt'), 'utf8')
    const run = ['run', 'Hi.', '--toolset', 'workspace', '--light']
    const waits = await box.run([...run, '--approve', 'rules'], { env })
    expect(waits.stderr).toContain('Edit a.txt: 1 replacement: waits for a person')
    expect(text()).toBe('hello\r\n')
    const id = /approvals approve (\S+)/.exec(waits.stderr)![1]!
    await box.run(['approvals', 'approve', id])
    expect(text()).toBe('goodbye\r\n')
    expect((await box.run(['resume'], { env })).code).toBe(0)
    const results = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
    expect(results[0]!.content).toContain('Nothing was written')
    expect(results[1]!.content).toContain('File edited.')
    await box.run(['undo'])
    expect(text()).toBe('hello\r\n')
  },
)
