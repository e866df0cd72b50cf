import { type ConversationId, type SessionId, unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { IN_MEMORY, openDatabase } from '../embedded/database/database.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createMemoryLog } from '../memory/log-memory.ts'
import { createStores } from '../stores/stores.ts'
import { openActor } from './session-actor.ts'

test('a session that its one owner holds idle costs no write for a long time', async () => {
  const { log } = createStores(unwrap(await openDatabase(IN_MEMORY)), createMemoryBlobs())
  const sessionId = 'ses_1' as SessionId
  await log.createSession({
    sessionId,
    workspaceId: 'ws_1' as WorkspaceId,
    conversationId: 'con_1' as ConversationId,
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const renew = vi.spyOn(log, 'renew')
  const onLost = (cause: unknown) => expect(cause).toBeUndefined()
  const options = { log, holder: 'test', onLost }
  const actor = unwrap(await openActor(sessionId, options))
  await actor.append([{ type: 'steer', text: 'on' }])
  vi.advanceTimersByTime(10 * 60_000)
  expect(renew).not.toHaveBeenCalled()
  await actor.release()
})

test('a session accepts rows again after a failed write', async () => {
  let isGone = false
  const log = createMemoryLog(createMemoryBlobs(), {
    arrive: async () => {
      if (isGone) throw new Error('The connection is gone')
    },
  })
  const sessionId = 'ses_1' as SessionId
  await log.createSession({
    sessionId,
    workspaceId: 'ws_1' as WorkspaceId,
    conversationId: 'con_1' as ConversationId,
  })
  const options = { log, holder: 'test', ids: { messageId: () => 'msg_1' }, onLost: () => {} }
  const actor = unwrap(await openActor(sessionId, options))
  await actor.append([{ type: 'steer', text: 'one' }])
  isGone = true
  for (const text of ['two', 'not claimed'])
    await expect(actor.append([{ type: 'steer', text }])).rejects.toThrow('gone')
  isGone = false
  await actor.append([{ type: 'steer', text: 'three' }])
  const texts = (await log.read(sessionId)).map(({ seq, body }) => [seq, body])
  expect(texts).toEqual([
    [1, { type: 'steer', text: 'one' }],
    [2, { type: 'steer', text: 'three' }],
  ])
  await actor.release()
})
