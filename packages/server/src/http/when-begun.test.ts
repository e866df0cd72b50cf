import type { LinkRequest } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { sendWhenBegun } from './when-begun.ts'

const asked = (id: string, method: string, params: object = {}) =>
  ({ id, method, params }) as LinkRequest

function start() {
  const sent: LinkRequest[] = []
  return { sent, send: sendWhenBegun(request => sent.push(request)) }
}

test('a call waits for its row, and its cancel stays behind it', async () => {
  const { sent, send } = start()
  let keep = () => {}
  const begun = new Promise<void>(resolve => {
    keep = resolve
  })
  send(asked('1', 'files'))
  send(asked('2', 'tool-call', { author: 'm', begun }))
  send(asked('3', 'tool-cancel'))
  await new Promise(setImmediate)
  expect(sent.map(({ id }) => id)).toEqual(['1'])
  keep()
  await new Promise(setImmediate)
  expect(sent.map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect(JSON.stringify(sent[1])).toBe('{"id":"2","method":"tool-call","params":{"author":"m"}}')
  send(asked('4', 'files'))
  expect(sent.at(-1)!.id).toBe('4')
})

test('a call whose row was not kept is never sent, and holds up nothing', async () => {
  const { sent, send } = start()
  send(asked('1', 'tool-call', { begun: Promise.reject(new Error('the disk is full')) }))
  send(asked('2', 'files'))
  await new Promise(setImmediate)
  expect(sent.map(({ id }) => id)).toEqual(['2'])
})
