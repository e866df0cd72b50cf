import { type ConversationId, type SessionId, unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createMemoryBlobs } from '../../memory/blobs-memory.ts'
import { IN_MEMORY, openDatabase } from '../database/database.ts'
import { createSessionLog } from './log-embedded.ts'
import { createLostLeases } from './lost-leases.ts'

const SESSION = 'ses_1' as SessionId
const CONVERSATION = 'con_1' as ConversationId
const LOST = { failure: { code: 'LEASE_LOST' } }

test('numbers of rows that the disk took back are not given again under the same lease', async () => {
  const { database, log, lease } = await open()
  const { rows, kept } = log.appendNow(lease, [steer('a')])
  expect(rows).toMatchObject([{ seq: 1 }])
  // as a full disk does, which ends the transaction by itself
  expect(() => database.change(() => database.run('rollback'))).toThrow()
  const late = log.appendNow(lease, [steer('b')]) // before anybody heard of it
  expect(late.rows).toEqual([])
  expect(await late.kept).toMatchObject(LOST)
  await expect(kept).rejects.toThrow()

  const again = unwrap(await log.claim(SESSION, 'me'))
  expect(unwrap(await log.append(again, [steer('c')])).rows).toMatchObject([{ seq: 1 }])
})

test('rows that do not fit on the disk end the lease, and what was gathered after them fails too', async () => {
  const { database, log, lease } = await open()
  const { page_count: pages } = database.get<{ page_count: number }>('pragma page_count')!
  database.get(`pragma max_page_count = ${pages}`)
  const large = log.append(lease, [steer('x'.repeat(100_000))])
  const small = log.append(lease, [steer('y')])
  await expect(large).rejects.toThrow('full')
  expect(await small).toMatchObject(LOST)
  expect(await log.append(lease, [steer('z')])).toMatchObject(LOST)

  database.get(`pragma max_page_count = ${pages * 100}`)
  const again = unwrap(await log.claim(SESSION, 'me'))
  unwrap(await log.append(again, [steer('z')]))
  expect(await log.read(SESSION)).toMatchObject([{ seq: 1, body: { text: 'z' } }])
})

test('a lease that ends while its next number is looked up gets none', async () => {
  const { database, log, lease } = await open()
  const { page_count: pages } = database.get<{ page_count: number }>('pragma page_count')!
  database.get(`pragma max_page_count = ${pages}`)
  const large = log.append(lease, [steer('x'.repeat(100_000))])
  expect(() => database.change(() => throwAway())).toThrow('away') // so that numbers are looked up
  const small = log.append(lease, [steer('y')])
  database.get(`pragma max_page_count = ${pages * 100}`)
  await expect(large).rejects.toThrow('full')
  expect(await small).toMatchObject(LOST)
  expect(await log.append(lease, [steer('z')])).toMatchObject(LOST)
  expect(await log.read(SESSION)).toEqual([])
})

test('a lease that fails late does not bring back a newer one that failed before', () => {
  const lost = createLostLeases()
  const newer = {
    sessionId: SESSION,
    workspaceId: 'ws_1' as WorkspaceId,
    holder: 'me',
    epoch: 2,
    expires: 0,
  }
  lost.add(newer)
  lost.add({ ...newer, epoch: 1 })
  expect(lost.has(newer)).toBe(true)
})

function throwAway(): never {
  throw new Error('away')
}

async function open() {
  const database = unwrap(await openDatabase(IN_MEMORY))
  const log = createSessionLog(database, createMemoryBlobs())
  const session = {
    sessionId: SESSION,
    workspaceId: 'ws_1' as WorkspaceId,
    conversationId: CONVERSATION,
  }
  unwrap(await log.createSession(session))
  return { database, log, lease: unwrap(await log.claim(SESSION, 'me', 60_000)) }
}

function steer(text: string) {
  return { conversationId: CONVERSATION, body: { type: 'steer', text } as const }
}
