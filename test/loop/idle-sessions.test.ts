import { expect, test, vi } from 'vitest'
import { embedded } from '../embedded.ts'
import { bodies, recorder, says, send, untilEnded } from './running.ts'

const OTHERS = 33 // one more than stay in memory for their next run

test('of sessions that are long idle nothing is held, and they go on as they were', async () => {
  const { model, requests } = recorder([says('Hello.'), says('Still here.')])
  const product = await embedded({}, { model })
  await send(product, 'First.', { toolset: 'workspace' })
  await untilEnded(product)
  for (let n = 0; n < OTHERS; n++) {
    const sessionId = await product.newSession()
    await send(product, `Other ${n}.`, {}, sessionId)
    await untilEnded(product, sessionId)
  }
  const read = vi.spyOn(product.stores.log, 'read')
  await send(product, 'Second.')
  const { rows } = await untilEnded(product)
  expect(read).toHaveBeenCalledWith(product.sessionId, { after: 0 }) // all of it: the session was dropped from memory
  expect(bodies(rows, 'run-start').map(({ toolset }) => toolset)).toEqual([
    'workspace',
    'workspace',
  ])
  const texts = requests
    .at(-1)!
    .messages.slice(1)
    .map(message => message.text)
  expect(texts).toMatchObject(['First.', 'Hello.', expect.stringContaining('Second.')])
})
