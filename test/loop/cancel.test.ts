import { createMemoryWorkspace } from '@filewright/client'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { bodies, call, recorder, rowsOf, runTo, says, send, until, untilEnded } from './running.ts'

describe('a cancel', () => {
  test('that comes when no run is in progress ends no later run', async () => {
    const { model } = recorder([says('First.'), says('Second.')])
    const product = await embedded({}, { model })
    await cancel(product)
    expect((await runTo(product, 'One.')).end.reason).toBe('final')
    await cancel(product)
    await cancel(product)
    const { end, rows } = await runTo(product, 'Two.')
    expect(end.reason).toBe('final')
    expect(bodies(rows, 'cancel')).toEqual([])
    expect(bodies(rows, 'assistant_message').map(({ text }) => text)).toEqual(['First.', 'Second.'])
  })

  test('ends the run; the next message starts a new run, and is asked about again', async () => {
    let goOn = () => {}
    const held = new Promise<void>(resolve => (goOn = resolve))
    const { model, requests } = recorder([says('', call('workspace_create_file', NEW))], {
      before: async () => (requests.length === 1 ? held : undefined),
    })
    const product = await embedded({}, { model })
    await send(product, 'Do it.', { toolset: 'workspace', approve: 'all' })
    await expect.poll(() => requests.length).toBe(1)
    await Promise.all([cancel(product), send(product, 'Do it in another way.')])
    goOn()
    await until(product, state => state === 'waiting')
    const rows = await rowsOf(product)
    expect(bodies(rows, 'run-end').map(({ reason }) => reason)).toEqual(['cancelled', 'waiting'])
    expect(JSON.stringify(requests[1]!.messages)).toContain('Do it in another way.')
    expect(() => product.read('new.txt')).toThrow('ENOENT')
  })
})

test('a cancel that comes while an approved change is being written says that it was written', async () => {
  const { model } = recorder([says('', call('workspace_create_file', NEW)), says('Not reached.')])
  const disk = createMemoryWorkspace()
  let isBegun = () => {}
  const begun = new Promise<void>(resolve => (isBegun = resolve))
  let goOn = () => {}
  const cancelled = new Promise<void>(resolve => (goOn = resolve))
  const openTree = async () => {
    isBegun()
    await cancelled
    return disk.openTree()
  }
  const product = await embedded({}, { model, workspace: { ...disk, openTree } })
  await runTo(product, 'Make it.', { toolset: 'workspace', approve: 'rules' })
  const [{ id: approvalId }] = (await product.ask('listApprovals')).value
  const decided = product.ask('decide', { params: { approvalId }, body: { decision: 'approved' } })
  await begun
  const cancelling = cancel(product)
  await expect.poll(() => hasCancel(product)).toBe(true)
  goOn()
  await Promise.all([cancelling, decided])
  await until(product, state => state === 'idle')
  const { end, rows } = await untilEnded(product)
  expect([...disk.disk.root.entries.keys()]).toEqual(['new.txt'])
  expect(bodies(rows, 'tool_result')).toMatchObject([{ success: true }])
  expect(end).toMatchObject({ reason: 'cancelled', closing: '1 file written: new.txt (created)' })
})

const NEW = { path: 'new.txt', content: 'x\n' }

/** It waits for the run, or the run has it. */
async function hasCancel(product: Embedded): Promise<boolean> {
  const waiting = await product.stores.log.peekInbox(product.sessionId as never)
  return [...waiting, ...(await rowsOf(product))].some(({ type }) => type === 'cancel')
}

function cancel(product: Embedded) {
  return product.ask('cancel', { params: { sessionId: product.sessionId } })
}
