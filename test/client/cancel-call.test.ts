import type { Engine } from '@filewright/engine'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'

test('a call that is given up ends as cancelled and leaves no draft', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  let isReached = false
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    async apply(...asked) {
      isReached = true
      await held
      return engine.apply(...asked)
    },
  })
  const { ask, call, sessionId } = await embedded({ 'a.txt': 'a\n' }, { wrapEngine })
  const input = { path: 'b.txt', content: 'b\n' }
  const asked = call('write_text_file', input, { toolCallId: 'mine' })
  await expect.poll(() => isReached, PATIENCE).toBe(true)
  const params = { sessionId, toolCallId: 'mine' }
  expect((await ask('cancelCall', { params })).value).toBeNull()
  release()
  expect(await asked).toMatchObject({
    success: false,
    errorCode: 'CANCELLED',
    message: 'Nothing was written: the call was cancelled.',
  })
  expect((await ask('listDrafts')).value).toEqual([])
  expect((await ask('cancelCall', { params })).status).toBe(404)
})
