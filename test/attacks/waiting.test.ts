import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Approval } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { bodies, call, recorder, rowsOf, runTo, says, until } from '../loop/running.ts'

const create = (path: string) => says('', call('workspace_create_file', { path, content: 'one\n' }))
const inWorkspace = { toolset: 'workspace' }

test('a yes to all of one message does not cover the next', async () => {
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

test('a call cancelled while it waited cannot be approved, and is not reported as approved', async () => {
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

test('a second answer that chooses other changes is reported as different, and the same one again is not', async () => {
  const changes = ['a', 'e'].map((line, index) => ({
    operation: 'replace',
    startLine: index * 4 + 1,
    endLine: index * 4 + 1,
    expectedOriginalLines: [line],
    newLines: [line.toUpperCase()],
  }))
  for (const isFirstWhole of [true, false]) {
    const product = await embedded({ 'a.txt': 'a\nb\nc\nd\ne\n' })
    const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
    const files = [{ docPath: 'a.txt', originalSha256: file.sha256, changes }]
    await product.call('workspace_write_patch', { files }, { approve: 'ask' })
    const [approval] = (await product.ask<readonly Approval[]>('listApprovals')).value
    const refused = [{ changeId: approval!.changes[0]!.id }]
    const anna = { decision: 'approved', by: 'anna', ...(!isFirstWhole && { refused }) }
    const bert = { decision: 'approved', by: 'bert', ...(isFirstWhole && { refused }) }
    const params = { approvalId: approval!.id }
    expect((await product.ask('decide', { params, body: anna })).status).toBe(200)
    const second = await product.ask('decide', { params, body: bert })
    expect(second.status).toBe(409)
    expect(second.value.message).toMatch(
      isFirstWhole
        ? /already approved by anna, with all its changes, so choosing again/
        : /already approved by anna, without chg_\w+, so choosing again/,
    )
    expect(second.value.message).toContain('"filewright undo cs_')
    expect((await product.ask('decide', { params, body: anna })).status).toBe(200)
    expect(product.read('a.txt')).toBe(isFirstWhole ? 'A\nb\nc\nd\nE\n' : 'a\nb\nc\nd\nE\n')
  }
})

test('an approval can be answered after months and a restart', async () => {
  let ms = Date.UTC(2026, 0, 1)
  const product = await embedded({ 'a.txt': 'a\n' }, { now: () => new Date(ms) })
  const ask = { approve: 'ask' } as const
  const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
  const changes = [{ operation: 'insert', afterLine: 1, newLines: ['b'] }]
  const files = [{ docPath: 'a.txt', originalSha256: file.sha256, changes }]
  const { approvalId } = await product.call('workspace_write_patch', { files }, ask)
  ms += 200 * 86_400_000
  await product.detach()
  await product.attach()
  product.write('a.txt', 'a\nc\n')
  const body = { decision: 'approved', by: 'anna' }
  const { value } = await product.ask('decide', { params: { approvalId }, body })
  expect(value.outcome.outcome.envelope.message).toMatch(/^Nothing was written: "a\.txt" changed/)
  expect(product.read('a.txt')).toBe('a\nc\n')
  const again = await product.call('workspace_create_file', { path: 'd.txt', content: 'd' }, ask)
  ms += 200 * 86_400_000
  await product.detach()
  await product.attach()
  await product.ask('decide', { params: { approvalId: again.approvalId }, body })
  expect(product.read('d.txt')).toBe('d')
})

test('a file that is gone, or whose name a folder took, is reported without mention of a draft', async () => {
  const product = await embedded({ 'a.txt': 'a\n' })
  const ask = { approve: 'ask' } as const
  const { file } = await product.call('workspace_read_file', { path: 'a.txt' })
  const changes = [{ operation: 'insert', afterLine: 1, newLines: ['b'] }]
  const files = [{ docPath: 'a.txt', originalSha256: file.sha256, changes }]
  const patch = await product.call('workspace_write_patch', { files }, ask)
  const create = await product.call('workspace_create_file', { path: 'new', content: 'n' }, ask)
  rmSync(join(product.dir, 'a.txt'))
  mkdirSync(join(product.dir, 'new'))
  const approve = async (approvalId: string) => {
    const body = { decision: 'approved', by: 'anna' }
    const { value } = await product.ask('decide', { params: { approvalId }, body })
    return value.outcome.outcome.envelope.message
  }
  const gone = await approve(patch.approvalId)
  expect(gone).toMatch(/^Nothing was written: "a\.txt" changed on disk since this was planned \(/)
  expect(gone).toMatch(/it is gone\)\. List the current files/)
  expect(gone).not.toMatch(/draft|publish/)
  expect(await approve(create.approvalId)).toBe(
    'Nothing was written: "new" is the name of a folder. Choose another name, or ask the person to free this one.',
  )
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
