import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { bodies, call, recorder, rowsOf, runTo, says, until } from '../loop/running.ts'

const create = (path: string) => says('', call('workspace_create_file', { path, content: 'one\n' }))
const inWorkspace = { toolset: 'workspace' }

test('a yes to all of one message is no yes to the next', async () => {
  const { model } = recorder([create('a.txt'), says('Done.'), create('b.txt')])
  const product = await embedded({}, { model })
  await runTo(product, 'Make a.', { ...inWorkspace, approve: 'all' })
  await runTo(product, 'Make b.', inWorkspace)

  expect(existsSync(join(product.dir, 'a.txt'))).toBe(true)
  expect(existsSync(join(product.dir, 'b.txt'))).toBe(false)
  expect((await product.ask('listApprovals')).value).toHaveLength(1)
})

test('the context is not cleared under a run that waits: its call gets its result', async () => {
  const { product, approvalId, params } = await waiting()
  const cleared = await product.ask('clear', { params })
  expect(cleared.status).toBe(409)
  expect(cleared.value.message).toContain('waits for a person')

  await product.ask('decide', { params: { approvalId }, body: { decision: 'approved' } })
  await until(product, state => state === 'idle')
  expect(bodies(await rowsOf(product), 'tool_result')).toMatchObject([{ success: true }])
  expect((await product.ask('clear', { params })).status).toBe(200)
})

test('what was cancelled while it waited cannot be approved, and is not told as approved', async () => {
  const { product, approvalId, params } = await waiting()
  await product.ask('cancel', { params })
  await until(product, state => state === 'idle')

  const late = await product.ask('decide', {
    params: { approvalId },
    body: { decision: 'approved' },
  })
  expect(late.status).toBe(409)
  expect(late.value.message).toContain('its call was cancelled')
  expect(bodies(await rowsOf(product), 'decision')).toEqual([])
  expect(existsSync(join(product.dir, 'a.txt'))).toBe(false)
})

test('a file that came while its creation waited exists, and stays as it is', async () => {
  const { product, approvalId } = await waiting()
  product.write('a.txt', 'theirs\n')
  await product.ask('decide', { params: { approvalId }, body: { decision: 'approved' } })
  await until(product, state => state === 'idle')

  const [result] = bodies(await rowsOf(product), 'tool_result')
  expect(result).toMatchObject({ success: false, error_code: 'FileExists' })
  expect(product.read('a.txt')).toBe('theirs\n')
})

async function waiting(): Promise<{
  readonly product: Embedded
  readonly approvalId: string
  readonly params: { readonly sessionId: string }
}> {
  const { model } = recorder([create('a.txt'), says('Done.')])
  const product = await embedded({}, { model })
  await runTo(product, 'Make a.', inWorkspace)
  const { value } = await product.ask('listApprovals')
  return { product, approvalId: value[0].id, params: { sessionId: product.sessionId } }
}
