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
      onAnew: () => {},
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
      onAnew: () => {},
    },
    new AbortController().signal,
  )
  expect(isGone).toBe(true)
})

test('a log that ends before the last row heard is read from its beginning', async () => {
  const stop = new AbortController()
  const asked: number[] = []
  const shown: string[] = []
  await followSession(
    {
      open: async after => {
        asked.push(after)
        if (after > 0) return new Response('{}', { status: 400 })
        return new Response(streamOf(asked.length === 1 ? [7] : [1]))
      },
      onEvents: events => {
        for (const event of events) if (event.type === 'row') shown.push(`row ${event.cursor}`)
        if (asked.length === 3) stop.abort()
      },
      onConnected: () => {},
      onGone: () => {},
      onAnew: () => shown.push('anew'),
    },
    stop.signal,
  )
  expect(asked).toEqual([0, 7, 0])
  expect(shown).toEqual(['row 7', 'anew', 'row 1'])
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
