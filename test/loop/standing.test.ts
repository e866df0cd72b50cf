import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'

test('simultaneous requests for the standing session get the same one', async () => {
  const own = await embedded()
  const params = { workspaceId: own.workspaceId }
  const asked = Array.from({ length: 5 }, () =>
    own.ask('createSession', { params, body: { standing: true } }),
  )
  const made = await Promise.all(asked)
  expect(new Set(made.map(({ value }) => value.sessionId)).size).toBe(1)
})
