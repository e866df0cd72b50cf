import type { LinkRequest } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { answerer, type MethodTable } from './answerer.ts'
import { eventData } from './event-data.ts'

test('events are read from a stream cut at any byte', async () => {
  const sent = ': open\n\nid: 1\ndata: {"a":\ndata: 1}\n\ndata: é\n\n: still here\n\n'
  for (const size of [1, 3, 1000]) {
    const events: string[] = []
    for await (const data of eventData(streamOf(new TextEncoder().encode(sent), size)))
      events.push(data)
    expect(events).toEqual(['{"a":\n1}', 'é'])
  }
})

test('an abort ends the events at once, although the stream itself continues', async () => {
  const abort = new AbortController()
  let isCancelled = false
  const endless = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  const events: string[] = []
  for await (const data of eventData(endless, abort.signal)) {
    events.push(data)
    setTimeout(() => abort.abort())
  }
  expect(events).toEqual(['1'])
  expect(isCancelled).toBe(true)
})

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.subarray(at, at + size))
      controller.close()
    },
  })
}

test('a request named like an inherited property is unknown', async () => {
  const answer = answerer({} as MethodTable, () => {})
  for (const method of ['constructor', '__proto__', 'toString'])
    expect(await answer({ id: 'q1', method, params: {} } as unknown as LinkRequest)).toMatchObject({
      failure: { code: 'UNKNOWN_TOOL' },
    })
})
