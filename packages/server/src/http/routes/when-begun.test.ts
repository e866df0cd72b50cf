import type { LinkRequest } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { sendWhenBegun } from './when-begun.ts'

const asked = (id: string, method: string, params: object = {}) =>
  ({ id, method, params }) as LinkRequest

const callOf = (toolCallId: string, begun: Promise<void>) => ({
  turn: { toolCalls: [{ toolCallId }] },
  begun,
})

function start() {
  const sent: LinkRequest[] = []
  return {
    ids: () => sent.map(({ id }) => id),
    sent,
    send: sendWhenBegun(request => sent.push(request)),
  }
}

test('a call waits for its row, and requests about it wait for the call', async () => {
  const { ids, sent, send } = start()
  let keep = () => {}
  const begun = new Promise<void>(resolve => {
    keep = resolve
  })
  send(asked('1', 'tool-call', callOf('tc_1', begun)))
  send(asked('2', 'tool-cancel', { toolCallId: 'tc_1' }))
  send(asked('3', 'tool-state', { toolCallId: 'tc_1' }))
  send(asked('4', 'tool-cancel', { toolCallId: 'tc_2' }))
  send(asked('5', 'files'))
  await new Promise(setImmediate)
  expect(ids()).toEqual(['4', '5'])
  keep()
  await new Promise(setImmediate)
  expect(ids()).toEqual(['4', '5', '1', '2', '3'])
  expect(sent[2]!.params).toEqual({ turn: { toolCalls: [{ toolCallId: 'tc_1' }] } })
  send(asked('6', 'tool-state', { toolCallId: 'tc_1' }))
  expect(ids().at(-1)).toBe('6')
})

test('a call whose row was not kept is never sent', async () => {
  const { ids, send } = start()
  const lost = Promise.reject(new Error('the disk is full'))
  send(asked('1', 'tool-call', callOf('tc_1', lost)))
  await new Promise(setImmediate)
  send(asked('2', 'tool-state', { toolCallId: 'tc_1' }))
  expect(ids()).toEqual(['2'])
})
