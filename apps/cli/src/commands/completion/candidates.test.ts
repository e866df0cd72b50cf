import { loadFaces } from '@filewright/host'
import { expect, test } from 'vitest'
import { candidatesFor } from './candidates.ts'

const { commands } = await loadFaces([() => import('../../face.ts')])
const next = async (line: string) => candidatesFor(commands, line.split(' '))

test.each([
  ['ru', ['run', 'rules']],
  ['draft d', ['discard']],
  ['run --toolset works', ['workshop', 'workspace']],
  ['run --budget-', ['--budget-tokens', '--budget-dollars', '--budget-time']],
  ['call xlsx', ['xlsx_operations']],
  ['run --model ', []],
  ['nonsense ', []],
])('after "%s" comes %j', async (line, expected) => {
  expect([...(await next(line))].sort()).toEqual([...expected].sort())
})
