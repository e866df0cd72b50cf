import type { WorkspaceId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createClientLink } from './client-link.ts'

const workspace = 'ws_1' as WorkspaceId

test('a client that another one took over from is asked again when that one leaves', async () => {
  const link = createClientLink()
  const asked: string[] = []
  const leaves = link.attach(workspace, ({ id }) => {
    asked.push(id)
    link.answer(workspace, [{ id, result: { ok: true, value: [] } }])
  })
  const passerByLeaves = link.attach(workspace, () => {})
  const waiting = link.ask(workspace, 'rule-list', {})
  expect(asked).toEqual([])
  passerByLeaves()
  expect(await waiting).toEqual({ ok: true, value: [] })
  expect(link.isAttached(workspace)).toBe(true)
  leaves()
  expect(link.isAttached(workspace)).toBe(false)
})

test('a client that left while another one was there is not asked', () => {
  const link = createClientLink()
  const first = link.attach(workspace, () => {})
  const second = link.attach(workspace, () => {})
  first()
  expect(link.isAttached(workspace)).toBe(true)
  second()
  expect(link.isAttached(workspace)).toBe(false)
})
