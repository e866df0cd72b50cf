import { createHash } from 'node:crypto'
import { createScripted } from '@filewright/loop'
import { expect, test, vi } from 'vitest'
import { type Answer, type Embedded, embedded } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'

const LINES = 'a\nb\nc\nd\n'

test('a model in a run learns which changes a person refused and why, and each has its fate', async () => {
  const product = await embedded({ 'a.txt': LINES }, { model: modelThatPatches() })
  await send(product)
  const [approval] = await vi.waitFor(async () => {
    const { value } = await product.ask('listApprovals')
    expect(value).toHaveLength(1)
    return value as Answer[]
  }, PATIENCE)
  const [first, second] = approval.changes.map((change: Answer) => change.id)
  const refused = [{ changeId: second, reason: 'd is still used' }]
  const params = { approvalId: approval.id }
  await product.ask('decide', { params, body: { decision: 'approved', by: 'Ann', refused } })
  const rows = await untilEnded(product)
  expect(product.read('a.txt')).toBe('A\nb\nc\nd\n')
  const told = rows.find(
    row => row.type === 'tool_result' && row.tool_call_id === approval.toolCallId,
  )
  expect(told.content).toContain('Applied 1 change in 1 file; 1 refused by the person.')
  expect(told.content).toContain(`refused: a.txt, line 4, ${second} (d is still used)`)
  expect(rows.find(row => row.type === 'decision')).toMatchObject({
    refused: [{ change_id: second, reason: 'd is still used' }],
  })
  await vi.waitFor(async () => {
    const fateOf = async (id: string) =>
      (await product.call('workspace_get_patch_change', { id })).fate
    expect([await fateOf(first), await fateOf(second)]).toEqual(['uploaded', 'refused'])
  }, PATIENCE)
})

test('the calls of a run are logged like any other: forwarded, executed, received; stored with counts', async () => {
  const product = await embedded({ 'a.txt': LINES }, { model: modelThatPatches() })
  await send(product, 'all')
  await untilEnded(product)
  await vi.waitFor(() => {
    const events = product.logged.map(({ event }) => event)
    for (const event of ['Forwarded', 'Executed', 'ResultReceived'])
      expect(events).toContain(`Tool.CreateFile.${event}`)
    for (const event of ['Received', 'Stored']) expect(events).toContain(`Tool.WritePatch.${event}`)
  }, PATIENCE)
  const { SessionId, TurnId } = product.logged.find(({ event }) => event.endsWith('Forwarded'))!
  expect(SessionId).toBe(product.sessionId)
  const received = product.logged.find(({ event }) => event.endsWith('ResultReceived'))!
  expect(received).toMatchObject({ Success: true, ErrorCode: null, SizeBytes: 5, TurnId })
  expect(JSON.stringify(product.logged)).not.toMatch(/xyzzy|test-token/)
})

/** Patches two lines, then creates a file. */
function modelThatPatches() {
  const range = (line: number, old: string) => ({
    startLine: line,
    endLine: line,
    expectedOriginalLines: [old],
  })
  const changes = [
    { operation: 'replace', ...range(1, 'a'), newLines: ['A'] },
    { operation: 'delete', ...range(4, 'd') },
  ]
  const originalSha256 = createHash('sha256').update(LINES).digest('hex')
  const call = (name: string, args: object) => ({
    text: '',
    calls: [{ name, arguments: JSON.stringify(args) }],
  })
  return createScripted({
    answers: [
      call('workspace_read_file', { path: 'a.txt' }),
      call('workspace_write_patch', { files: [{ docPath: 'a.txt', originalSha256, changes }] }),
      call('workspace_create_file', { path: 'b.txt', content: 'xyzzy' }),
      { text: 'Done.', calls: [] },
    ],
  })
}

async function send(product: Embedded, approve = 'ask') {
  await product.ask('addRule', { body: { effect: 'allow', tool: 'workspace_create_file' } })
  const params = { sessionId: product.sessionId }
  const body = { text: 'Go on.', toolset: 'workspace', approve }
  const { status } = await product.ask('sendMessage', { params, body })
  expect(status).toBe(200)
}

async function untilEnded(product: Embedded): Promise<Answer[]> {
  const params = { sessionId: product.sessionId }
  return vi.waitFor(async () => {
    const { value } = await product.ask('log', { params, query: { limit: '5000' } })
    const rows = value.rows.map((row: Answer) => row.body)
    const { type, reason } = rows.at(-1)
    expect([type, reason]).toEqual(['run-end', expect.not.stringMatching('waiting')])
    return rows
  }, PATIENCE)
}
