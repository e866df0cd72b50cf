import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { type FakeModel, type FakeStep, fakeModel } from '../fake-model.ts'

const SERVER = join(import.meta.dirname, 'outside/server.mjs')
const note = (text: string): FakeStep => ({
  text: '',
  calls: [{ name: 'notes__note', arguments: { text } }],
})
const RUN = ['run', 'Take notes.', '--model', 'fake']

test('walk', async () => {
  const { box, run, model, calls } = await prepare([note('one'), note('two'), { text: 'Done.' }])
  const first = await run([...RUN, '--approve', 'all'])
  console.log(first)
  const id = /qst_\w+/.exec(first.stderr)![0]
  console.log((await run(['approvals'])).stdout)
  console.log(await run(['approvals', 'answer', id, '2']))
  console.log(await run(['resume']))
  console.log((await run(['log'])).stdout, (await run(['rules'])).stdout)
  console.log(calls())
  console.log(JSON.stringify(model.requests[0]!.tools!.filter(t => t.function.name.includes('__')), null, 1))
  console.log(JSON.stringify(model.requests.at(-1)!.messages.slice(-4), null, 1))
})

async function prepare(steps: readonly FakeStep[], modes: readonly string[] = []) {
  const box = sandbox({ 'a.txt': 'a\n' })
  const folder = mkdtempSync(join(tmpdir(), 'filewright-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, SECRET_KEY: 'sk-secret' }
  const run = (args: readonly string[]) => box.run(args, { env })
  const added = await run(['mcp', 'add', 'notes', '--', process.execPath, SERVER, folder, ...modes])
  return { box, model, run, folder, added, calls: () => readLines(join(folder, 'calls.log')) }
}
function readLines(path: string) {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(line => JSON.parse(line)) : []
}
