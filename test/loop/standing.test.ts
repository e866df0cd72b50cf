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

test('a call that waits for a person is found under its id, however many came after it', async () => {
  const own = await embedded({ 'a.txt': 'a\n' })
  const wait = () =>
    own.call(
      'workspace_create_file',
      { path: 'new.txt', content: 'new' },
      { approve: 'ask', toolCallId: 'mine' },
    )
  const { approvalId } = await wait()
  expect(approvalId).toBeTypeOf('string')
  for (let batch = 0; batch < 11; batch++) {
    const reads = Array.from({ length: 100 }, () => own.call('read_file', { path: 'a.txt' }))
    await Promise.all(reads) // two rows each; more connections at once than a port queues would be reset
  }
  expect((await wait()).approvalId).toBe(approvalId)
  const other = await own.call('read_file', { path: 'a.txt' }, { toolCallId: 'mine' })
  expect(other).toMatchObject({ kind: 'conflict' })
})
