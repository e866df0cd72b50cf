import { type ConversationId, type SessionId, unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { IN_MEMORY, openDatabase } from '../embedded/database/database.ts'
import { createSessionLog } from '../embedded/log/log-embedded.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createInboxes } from './inboxes.ts'
import { openActor } from './session-actor.ts'

const SESSION = 'ses_1' as SessionId

test('what many want to write down at once is written down once, in its order', async () => {
  const log = createSessionLog(unwrap(await openDatabase(IN_MEMORY)), createMemoryBlobs())
  await log.createSession({
    sessionId: SESSION,
    workspaceId: 'ws_1' as WorkspaceId,
    conversationId: 'con_1' as ConversationId,
    title: '',
  })
  const own = await openActor(SESSION, {
    log,
    holder: 'test',
    onLost: cause => expect.fail(String(cause)),
  })
  const { drain } = createInboxes({
    log,
    actors: { open: async () => own },
    ids: kind => expect.fail(`No ${kind} is made`),
    logger: { event: () => {}, error: (_, cause) => expect.fail(String(cause)) },
  })
  const texts = Array.from({ length: 8 }, (_, n) => `${n}`)
  for (const text of texts)
    await log.putInbox(SESSION, { id: text, type: 'line', body: { line: { type: 'steer', text } } })
  await Promise.all(texts.map(() => drain(SESSION)))
  const rows = await log.read(SESSION)
  expect(rows.map(({ body }) => body)).toEqual(texts.map(text => ({ type: 'steer', text })))
})
