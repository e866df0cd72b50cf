import { loadFaces } from '@filewright/host'
import { expect, test } from 'vitest'
import { candidatesFor } from './candidates.ts'

const { commands } = await loadFaces([() => import('../../face.ts')])
const next = (line: string) => {
  return candidatesFor(commands, line.split(' '), async names => [`${names}-1`, `${names}-2`])
}

test.each([
  ['ru', ['run', 'rules']],
  ['draft d', ['discard']],
  ['run --toolset works', ['workshop', 'workspace']],
  ['run --budget-', ['--budget-tokens', '--budget-dollars', '--budget-time']],
  ['call tools', ['tools-1', 'tools-2']],
  ['run --model ', ['models-1', 'models-2']],
  ['run --model x mod', []],
  ['review dra', ['drafts-1', 'drafts-2']],
  ['publish --only changes-1 changes', ['changes-1', 'changes-2']],
  ['publish --draft d', ['drafts-1', 'drafts-2']],
  ['approvals approve appr', ['approvals-1', 'approvals-2']],
  ['approvals approve x appr', []],
  ['resume --model m sess', ['sessions-1', 'sessions-2']],
  ['rules remove r', ['rules-1', 'rules-2']],
  ['completion s', ['shells-1', 'shells-2']],
  ['active add READ', []],
  ['nonsense ', []],
  ['-C data ru', ['run', 'rules']],
  ['-C data --pla', ['--plan', '--plain']],
  ['--toolset works', ['workshop', 'workspace']],
])('after "%s" comes %j', async (line, expected) => {
  expect([...(await next(line))].sort()).toEqual([...expected].sort())
})

test('a name that a shell would run is not offered', async () => {
  const names = ['$(reboot)', 'a;b', '`x`', 'qwen3:8b', 'ollama/qwen3']
  const found = await candidatesFor(commands, ['run', '--model', ''], async () => names)
  expect(found).toEqual(['qwen3:8b', 'ollama/qwen3'])
})
