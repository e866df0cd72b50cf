import type { SessionEvent } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { followSession } from './follow-session.ts'

test('a stream that breaks is taken up again behind the last row heard', async () => {
  const stop = new AbortController()
  const asked: number[] = []
  const heard: SessionEvent[] = []
  const open = async (after: number) => {
    asked.push(after)
    if (asked.length === 2) throw new TypeError('The server is gone')
    return new Response(streamOf(asked.length === 1 ? [1, 2] : [3]))
  }
  const connected: boolean[] = []
  await followSession(
    {
      open,
      onEvents: events => {
        heard.push(...events)
        if (asked.length === 3) stop.abort()
      },
      onConnected: isConnected => connected.push(isConnected),
      onGone: () => {},
    },
    stop.signal,
  )
  expect(asked).toEqual([0, 2, 2])
  expect(heard).toMatchObject([{ cursor: 1 }, { cursor: 2 }, { cursor: 3 }])
  expect(connected).toEqual([true, false, false, true])
})

test('a session that the server does not know is followed no longer', async () => {
  let isGone = false
  await followSession(
    {
      open: async () => new Response('{}', { status: 404 }),
      onEvents: () => {},
      onConnected: () => {},
      onGone: () => {
        isGone = true
      },
    },
    new AbortController().signal,
  )
  expect(isGone).toBe(true)
})

/** In pieces that end anywhere. */
function streamOf(cursors: readonly number[]): ReadableStream<Uint8Array> {
  const frames = cursors.map(
    cursor => `id: ${cursor}\ndata: ${JSON.stringify({ type: 'row', cursor, text: 'é' })}\n\n`,
  )
  const bytes = new TextEncoder().encode(`: open\n\n${frames.join('')}`)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
      controller.close()
    },
  })
}
