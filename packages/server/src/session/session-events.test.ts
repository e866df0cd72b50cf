import { type ConversationId, type SessionId, unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect, test, vi } from 'vitest'
import { IN_MEMORY, openDatabase } from '../embedded/database/database.ts'
import { createSessionLog } from '../embedded/log/log-embedded.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createDeltas } from './deltas.ts'
import { streamEvents } from './session-events.ts'

const PATIENCE = { timeout: 60_000, interval: 20 }

const SESSION = 'ses_1' as SessionId
const MB = 'x'.repeat(1024 * 1024)

test('a log of more than a reader may have waiting is followed from its first row, then live', async () => {
  const { follow, append } = await opened()
  for (let n = 0; n < 60; n++) await append(`${n} ${MB.slice(0, 400_000)}`)
  const reader = await follow()
  expect(await reader.untilRow(5)).toEqual([1, 2, 3, 4, 5])
  await append('while it is sent')
  expect(await reader.untilRow(61)).toHaveLength(61)
  await append('live')
  const seqs = await reader.untilRow(62)
  expect(seqs).toEqual(seqs.map((_, i) => i + 1))
})

test('a reader that takes nothing of a long log costs a moment of it, not the whole', async () => {
  const { follow, append, log } = await opened()
  for (let n = 0; n < 40; n++) await append(MB)
  const read = vi.spyOn(log, 'read')
  const readers = [await follow(), await follow(), await follow()]
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(read).toHaveBeenCalledTimes(readers.length)
  await append('more')
  expect(await readers[0]!.untilRow(41)).toHaveLength(41)
})

test('whoever comes back to a long log is not sent it again, nor is it read', async () => {
  const { follow, append, log } = await opened()
  for (let n = 0; n < 10; n++) await append(MB)
  const read = vi.spyOn(log, 'read')
  const reader = await follow(10)
  await append('live')
  expect(await reader.untilRow(11)).toEqual([11])
  for (const { value } of read.mock.results) expect(await value).toEqual([])
})

test('a hundred who come at once are told how many they are, not of each other', async () => {
  const deltas = createDeltas()
  const heard: number[] = []
  const leave = Array.from({ length: 100 }, () =>
    deltas.listen(SESSION, ({ event }) => {
      if (event.type === 'listeners') heard.push(event.count)
    }),
  )
  await expect.poll(() => heard.filter(count => count === 100), PATIENCE).toHaveLength(100)
  expect(heard.length).toBeLessThan(400)
  heard.length = 0
  for (const each of leave.slice(1)) each()
  await expect.poll(() => heard.at(-1), PATIENCE).toBe(1)
  expect(heard.length).toBeLessThan(400)
})

async function opened() {
  const database = unwrap(await openDatabase(IN_MEMORY))
  const log = createSessionLog(database, createMemoryBlobs())
  const conversationId = 'con_1' as ConversationId
  const session = { sessionId: SESSION, workspaceId: 'ws_1' as WorkspaceId, conversationId }
  unwrap(await log.createSession(session))
  const lease = unwrap(await log.claim(SESSION, 'me', 60_000))
  const deltas = createDeltas()
  return {
    log,
    append: async (text: string) =>
      unwrap(await log.append(lease, [{ conversationId, body: { type: 'steer', text } }])),
    async follow(after = 0) {
      const { signal } = new AbortController()
      const sources = { log, deltas, queued: async () => [], signal, leave: () => {} }
      return readerOf(await streamEvents(SESSION, after, sources))
    },
  }
}

function readerOf({ body }: Response) {
  const events = body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const seqs: number[] = []
  return {
    async untilRow(seq: number): Promise<readonly number[]> {
      while (!seqs.includes(seq)) {
        const { done, value = '' } = await events.read()
        if (done) throw new Error(`The stream ended after row ${seqs.at(-1)}`)
        const parts = (text + value).split('\n\n')
        text = parts.pop()!
        for (const part of parts) {
          const id = /^id: (\d+)$/m.exec(part)
          if (id) seqs.push(Number(id[1]))
        }
      }
      return seqs.slice(0, seqs.indexOf(seq) + 1)
    },
  }
}
