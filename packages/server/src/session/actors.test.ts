import type { SessionId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createMemoryLog } from '../memory/log-memory.ts'
import { StoreAway } from '../store/store-away.ts'
import { begin, SESSION } from '../testing/log-lines.ts'
import { createLogger } from '../words/logger.ts'
import { createActors } from './actors.ts'

test('a session that could not be read while its store was away opens when it is back', async () => {
  const log = createMemoryLog(createMemoryBlobs())
  await begin(log, SESSION)
  let isAway = true
  const getSession = (id: SessionId) =>
    isAway ? Promise.reject(new StoreAway(new Error('refused'))) : log.getSession(id)
  const logger = createLogger(
    () => {},
    () => new Date(),
  )
  const actors = createActors({ log: { ...log, getSession }, logger, holder: 'me' })
  await expect(actors.open(SESSION)).rejects.toBeInstanceOf(StoreAway)
  isAway = false
  expect(await actors.open(SESSION)).toMatchObject({ ok: true })
  isAway = true
  await expect(actors.open('ses_other' as SessionId)).rejects.toBeInstanceOf(StoreAway)
  await actors.close()
})
