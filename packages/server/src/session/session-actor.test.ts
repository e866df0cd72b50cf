import { type ConversationId, type SessionId, unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openMemoryStores } from '../stores/stores.ts'
import { openActor } from './session-actor.ts'

test('a session that is held and idle costs no write for a long time', async () => {
  const { log } = await openMemoryStores()
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
  const options = { log, holder: 'test', ids: { messageId: () => 'msg_1' }, onLost }
  const actor = unwrap(await openActor(sessionId, options))
  await actor.append([{ type: 'steer', text: 'on' }])
  vi.advanceTimersByTime(10 * 60_000)
  expect(renew).not.toHaveBeenCalled()
  await actor.release()
})
