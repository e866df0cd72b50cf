import { expect, test } from 'vitest'
import { createCallOrder, type OrderedCall } from './call-order.ts'

/** A call that ends when the test says so. */
function held(lane: OrderedCall<string>['lane'], name: string, begun: string[]) {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const run = async () => {
    begun.push(name)
    await ended
    return name
  }
  return { call: { lane, run }, end }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('what reads runs together and is answered in the order asked', async () => {
  const printed: string[] = []
  const begun: string[] = []
  const order = createCallOrder<string>({ print: name => printed.push(name), onFailure: () => {} })
  const [first, second] = [held('read', 'first', begun), held('read', 'second', begun)]
  expect(order.add(first.call)).toBeUndefined()
  expect(order.add(second.call)).toBeUndefined()
  second.end()
  await settled()
  expect({ begun, printed }).toEqual({ begun: ['first', 'second'], printed: [] })
  first.end()
  await order.end()
  expect(printed).toEqual(['first', 'second'])
})

test('a read waits for the writes before it, and a write of the workspace for everything', async () => {
  const begun: string[] = []
  const order = createCallOrder<string>({ print: () => {}, onFailure: () => {} })
  const calls = [
    held('draft', 'draft 1', begun),
    held('draft', 'draft 2', begun),
    held('read', 'read', begun),
    held(null, 'patch', begun),
    held(null, 'create', begun),
  ]
  const adding = (async () => {
    for (const { call } of calls) await order.add(call)
  })()
  await settled()
  expect(begun).toEqual(['draft 1', 'draft 2'])
  for (const [count, next] of [
    [2, 'read'],
    [3, 'patch'],
    [4, 'create'],
  ] as const) {
    for (const { end } of calls.slice(0, count)) end()
    await settled()
    expect(begun.at(-1)).toBe(next)
  }
  calls[4]!.end()
  await adding
  await order.end()
})

test('one that cannot be answered fails once those before it are answered', async () => {
  const printed: string[] = []
  const failures: unknown[] = []
  const order = createCallOrder<string>({
    print: name => printed.push(name),
    onFailure: cause => failures.push(cause),
  })
  const first = held('read', 'first', [])
  order.add(first.call)
  order.add({ lane: 'read', run: () => Promise.reject(new Error('gone')) })
  await settled()
  expect(failures).toEqual([])
  first.end()
  await expect(order.end()).rejects.toThrow('gone')
  expect(printed).toEqual(['first'])
})
