import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import type { FakeStep } from '../fake-model.ts'
import { verifies } from '../verifies.ts'
import { prepareRpc as prepare } from './rpc-peer.ts'

const STEPS: readonly FakeStep[] = [
  { text: 'I look.', calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
  {
    text: 'I write.',
    calls: [{ name: 'write_text_file', arguments: { path: 'b.txt', content: 'b\n' } }],
  },
  { text: 'Done.' },
]

verifies(
  [
    'CONTRACT §9 rpc',
    'ADR-0010 §New Workshop Flow one entry point',
    'ADR-0010 §New Workshop Flow final state',
  ],
  'rpc: WorkshopRunAgent runs the whole loop, reports progress, and answers with its final state',
  async () => {
    const { peer, box } = await prepare(STEPS)
    const ended = await peer.ask('WorkshopRunAgent', { text: 'Write b.', model: 'fake' })
    expect(ended.result).toMatchObject({
      session_id: expect.stringMatching(/^ses_/),
      reason: 'final',
      text: 'Done.',
      closing: '1 file in the draft: b.txt (created, 1 line)',
      draft_id: expect.any(String),
    })
    const { session_id, draft_id } = ended.result
    expect(peer.notifications.map(each => [each.method, each.params.tool_name])).toEqual([
      ['WorkshopAssistantStreamDelta', undefined],
      ['WorkshopToolExecuting', 'read_file'],
      ['WorkshopToolComplete', 'read_file'],
      ['WorkshopAssistantStreamDelta', undefined],
      ['WorkshopToolExecuting', 'write_text_file'],
      ['WorkshopToolComplete', 'write_text_file'],
      ['WorkshopAssistantStreamDelta', undefined],
    ])
    expect(peer.notifications[1]!.params).toMatchObject({ path: 'a.txt', session_id })
    expect(box.exists('b.txt')).toBe(false)
    const review = await peer.ask('WorkshopReview', { draft_id })
    expect(JSON.stringify(review.result)).toContain('b.txt')
    expect(await peer.ask('WorkshopPublish', { draft_id })).toMatchObject({
      result: { files: [{ path: 'b.txt', action: 'created' }] },
    })
    expect(box.read('b.txt')).toBe('b\n')
    await peer.close()
  },
)

test('rpc: a run whose model is not known leaves no session', async () => {
  const { peer, box } = await prepare([])
  expect(await peer.ask('WorkshopRunAgent', { text: 'Hi.', model: 'scripted/none' })).toMatchObject(
    {
      error: { message: expect.stringContaining('There is no script') },
    },
  )
  expect((await box.run(['log', '--sessions'])).stdout).toBe('')
  await peer.close()
})

verifies(
  'CONTRACT §7 cut answer',
  'rpc: the text of an answer that was cut at the output limit is whole',
  async () => {
    const { peer } = await prepare([{ text: 'Once upon', finish: 'length' }, { text: ' a time.' }])
    const ended = await peer.ask('WorkshopRunAgent', { text: 'Tell it.', model: 'fake' })
    expect(ended.result).toMatchObject({ reason: 'final', text: 'Once upon a time.' })
    await peer.close()
  },
)

verifies(
  ['CONTRACT §9 rpc', 'CONTRACT §7 steer at tool borders', 'CONTRACT §7 cancel at tool borders'],
  'rpc: a run is steered and cancelled while it runs',
  async () => {
    const { peer, model } = await prepare(STEPS)
    let reached = () => {}
    const atSecond = new Promise<void>(resolve => (reached = resolve))
    let goOn = () => {}
    const held = new Promise<void>(resolve => (goOn = resolve))
    model.onRequest = async step => {
      if (step === 1) {
        reached()
        await held
      }
      return true
    }
    const running = peer.ask('WorkshopRunAgent', { text: 'Write b.', model: 'fake' })
    await atSecond
    // The model gets its request over a socket and we get the notification over a pipe: either may come first.
    await expect.poll(() => peer.notifications.length).toBeGreaterThan(0)
    const { session_id } = peer.notifications[0]!.params as { session_id: string }
    expect(await peer.ask('WorkshopSteer', { session_id, text: 'Call it c.' })).toMatchObject({
      result: { steered: true },
    })
    const third = new Promise<void>(resolve => {
      const before = model.onRequest
      model.onRequest = async step => {
        if (step < 2) return before(step)
        resolve()
        return false
      }
    })
    goOn()
    await third
    expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('Call it c.')
    await peer.ask('WorkshopCancel', { session_id })
    expect((await running).result).toMatchObject({
      reason: 'cancelled',
      closing: 'No file was changed',
    })
    await peer.close()
  },
)

verifies(
  'CONTRACT §9 rpc',
  'rpc: a stopped run goes on, a message that waits is taken back, and an earlier message is gone back to',
  async () => {
    const { peer, model } = await prepare(STEPS)
    const asked = { text: 'Write b.', model: 'fake', max_turns: 1 }
    const first = await peer.ask('WorkshopRunAgent', asked)
    expect(first.result).toMatchObject({ reason: 'limit' })
    const { session_id } = first.result
    let goOn = () => {}
    const held = new Promise<void>(resolve => (goOn = resolve))
    model.onRequest = async () => {
      await held
      return true
    }
    const resumed = peer.ask('WorkshopResume', { session_id, model: 'fake', max_turns: 9 })
    await expect.poll(() => model.requests.length).toBe(2)
    const { result: sent } = await peer.ask('WorkshopSteer', { session_id, text: 'Call it c.' })
    const message = { messageId: sent.messageId, text: 'Call it c.' }
    expect((await peer.ask('WorkshopQueue', { session_id })).result.messages).toMatchObject([
      message,
    ])
    const taken = await peer.ask('WorkshopTakeBack', { session_id, message_id: sent.messageId })
    expect(taken.result).toMatchObject(message)
    goOn()
    expect((await resumed).result).toMatchObject({ reason: 'final', text: 'Done.' })
    const changes = peer.notifications.filter(({ method }) => method === 'WorkshopQueueChanged')
    expect(changes.map(({ params }) => params.messages)).toMatchObject([[message], []])
    expect(JSON.stringify(model.requests)).not.toContain('Call it c.')
    expect(await peer.ask('WorkshopResume', { session_id })).toMatchObject({
      error: { message: expect.stringContaining('nothing to resume') },
    })
    const rewound = await peer.ask('WorkshopRewind', { session_id, seq: 2 })
    expect(rewound.result).toMatchObject({ withdrawn: ['b.txt'], written: [] })
    await peer.close()
  },
)

verifies(
  'CONTRACT §9 rpc',
  'rpc: a failure is an error of JSON-RPC 2.0, and the next request is answered',
  async () => {
    const { peer } = await prepare([])
    peer.write('{"jsonrpc": "2.0", "id": 1, "method"')
    expect((await peer.next()).error).toMatchObject({ code: -32700 })
    peer.write('{"jsonrpc":"2.0","id":2}')
    expect((await peer.next()).error).toMatchObject({ code: -32600 })
    expect((await peer.ask('MakeCoffee', {})).error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('WorkshopRunAgent'),
    })
    expect((await peer.ask('constructor', {})).error).toMatchObject({ code: -32601 })
    expect((await peer.ask('WorkshopRunAgent', {})).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('"text"'),
    })
    expect((await peer.ask('WorkshopReview', { draft_id: 'none' })).error).toMatchObject({
      code: -32000,
      data: { errorCode: 'NOT_FOUND', kind: 'missing' },
    })
    const called = await peer.ask('CallTool', { tool: 'read_file', arguments: { path: 'a.txt' } })
    expect(called.result).toMatchObject({ success: true })
    await peer.close()
  },
)

verifies(
  'CONTRACT §9 rpc',
  'rpc: several requests in one line are answered in one; a notification is answered by nothing',
  async () => {
    const box = sandbox({ 'a.txt': 'one\u2028two\n' })
    const read = { tool: 'read_file', arguments: { path: 'a.txt', note: '\u2028' } }
    const lines = [
      { jsonrpc: '2.0', method: 'MakeCoffee' },
      [
        { jsonrpc: '2.0', id: 1, method: 'CallTool', params: read },
        { jsonrpc: '2.0', method: 'CallTool', params: read },
        { jsonrpc: '2.0', id: 2, method: 'WorkshopReview', params: [] },
        5,
      ],
      [],
    ]
    const ran = await box.run(['rpc'], {
      input: lines.map(line => JSON.stringify(line)).join('\n'),
    })
    const answers = ran.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const several = answers.find(answer => Array.isArray(answer))
    expect(several).toMatchObject([
      { id: 1, result: { success: true, content: 'one\u2028two\n' } },
      { id: 2, error: { code: -32602 } },
      { id: null, error: { code: -32600 } },
    ])
    const others = answers.filter(answer => answer !== several)
    expect(others).toMatchObject([{ id: null, error: { code: -32600 } }])
  },
)
