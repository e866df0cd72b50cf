import { ROUTE_DETAILS, ROUTES, type RouteDetails, type RouteName } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import type { FakeStep } from '../fake-model.ts'
import { verifies } from '../verifies.ts'
import { prepareRpc } from './rpc-peer.ts'

const create = (path: string) => ({
  name: 'workspace_create_file',
  arguments: { path, content: `${path}\n` },
})

const ASKS: readonly FakeStep[] = [
  { text: 'I write two.', calls: [create('b.txt'), create('c.txt')] },
  { text: 'Done.' },
]

const RUN = { text: 'Write b and c.', model: 'fake', toolset: 'workspace' }

describe('rpc', () => {
  verifies(
    'CONTRACT §9 rpc',
    'a run that waits names its approvals, and each is answered by its id until the run ends',
    async () => {
      const { peer, box } = await prepareRpc(ASKS)
      const { result: waiting } = await peer.ask('WorkshopRunAgent', RUN)
      expect(waiting).toMatchObject({ reason: 'waiting', sessionId: waiting.session_id })
      expect(waiting.approvals).toMatchObject([
        { approvalId: expect.stringMatching(/^apr_/), label: 'Create b.txt' },
      ])
      const [b] = waiting.approvals
      const { result: shown } = await peer.ask('listApprovals', {})
      expect(shown).toMatchObject([{ id: b.approvalId, changes: [{ path: 'b.txt' }] }])
      const still = await peer.ask('WorkshopApprove', { approvalId: b.approvalId, model: 'fake' })
      expect(still.result).toMatchObject({
        reason: 'waiting',
        approvals: [{ label: 'Create c.txt' }],
      })
      expect(box.read('b.txt')).toBe('b.txt\n')
      const [c] = still.result.approvals
      const denied = { approval_id: c.approvalId, reason: 'Not this.', model: 'fake' }
      expect((await peer.ask('WorkshopDeny', denied)).result).toMatchObject({
        reason: 'final',
        text: 'Done.',
      })
      expect(box.exists('c.txt')).toBe(false)
      expect((await peer.ask('undo', {})).result).toMatchObject({ files: [{ path: 'b.txt' }] })
      expect(box.exists('b.txt')).toBe(false)
      expect((await peer.ask('redo', {})).result).toMatchObject({ files: [{ path: 'b.txt' }] })
      const { result: written } = await peer.ask('listChangeSets', {})
      expect(written.changeSets).toMatchObject([{ isStanding: true }, {}, {}])
      await peer.close()
    },
  )

  verifies(
    ['CONTRACT §9 rpc', 'CONTRACT §7 client cursor'],
    'a session is followed from a cursor, also by the next process, without a gap or a repetition',
    async () => {
      const { peer, start, model } = await prepareRpc([
        { text: 'I write one.', calls: [create('b.txt')] },
        { text: 'Done.' },
      ])
      const { result } = await peer.ask('WorkshopRunAgent', RUN)
      const { sessionId, approvals } = result
      const [{ approvalId }] = approvals
      peer.write(request(1, 'events', { sessionId, after: 0 }))
      const approval = await peer.heard(({ params }) => rowIn(params)?.type === 'approval')
      const seen = rowsOf(peer.notifications)
      expect(seen.map(({ seq }) => seq).slice(0, 3)).toEqual([1, 2, 3])
      const after = rowIn(approval.params)!.seq
      peer.child.kill('SIGKILL')

      const next = start()
      next.write(request(1, 'events', { sessionId, after }))
      await next.ask('WorkshopApprove', { approvalId, model: 'fake' })
      await next.heard(
        ({ params }) =>
          rowIn(params)?.type === 'run-end' &&
          (rowIn(params)!.body as { reason: string }).reason === 'final',
      )
      const later = rowsOf(next.notifications).map(({ seq }) => seq)
      expect(later).toEqual(later.map((_, index) => after + 1 + index))
      next.write(notice('$/cancelRequest', { id: 1 }))
      expect((await next.answerTo(1)).result).toEqual({ after: later.at(-1) })
      const { result: log } = await next.ask('log', { sessionId, after, limit: 1 })
      expect(log).toMatchObject({ rows: [{ seq: after + 1 }], last: later.at(-1) })
      expect((await next.ask('events', { sessionId, after: 9999 })).error).toMatchObject({
        code: -32000,
        data: { last: later.at(-1), kind: 'invalid' },
      })
      expect(model.requests.length).toBe(2)
      await next.close()
    },
  )

  test('there is a method for each route of a product, and none for those of a client', async () => {
    const { peer } = await prepareRpc([])
    const { error } = await peer.ask('none', {})
    const known = error!.message.replace(/.*The methods are /, '').split(/, |\./)
    const wanted = (Object.keys(ROUTES) as RouteName[]).filter(name => {
      const { isForClients }: RouteDetails = ROUTE_DETAILS[name]
      return !isForClients
    })
    expect(known).toEqual(expect.arrayContaining(wanted))
    expect(known).not.toContain('moveHeads')
    const { result: tools } = await peer.ask('tools', {})
    expect(tools.map(({ name }: { name: string }) => name)).toContain('read_file')
    expect((await peer.ask('models', {})).result).toMatchObject({ current: { name: 'fake' } })
    expect((await peer.ask('listFiles', { limit: 1 })).result.files).toMatchObject([
      { path: 'a.txt' },
    ])
    await peer.close()
  })

  test('a file is read and written by its path, byte for byte', async () => {
    const { peer, box } = await prepareRpc([])
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    const base64 = bytes.toString('base64')
    expect((await peer.ask('putContent', { path: 'new.bin', base64 })).result).toMatchObject({
      files: [{ path: 'new.bin' }],
    })
    expect(box.readBytes('new.bin')).toEqual(bytes)
    expect((await peer.ask('getContent', { path: 'new.bin' })).result).toMatchObject({
      base64,
      sizeBytes: 5,
      isDrafted: false,
    })
    expect((await peer.ask('putContent', { path: 'new.bin', base64 })).error).toMatchObject({
      data: { kind: 'conflict' },
    })
    expect((await peer.ask('putContent', { path: 'x', base64: '#' })).error).toMatchObject({
      code: -32602,
    })
    expect((await peer.ask('getContent', { path: 'none' })).error).toMatchObject({
      data: { errorCode: 'NOT_FOUND' },
    })
    await peer.close()
  })

  test('a picture is put, and goes with a message to a model that sees', async () => {
    const { peer, model } = await prepareRpc([{ text: 'A dot.' }])
    model.sees = true
    const base64 =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const { sha256 } = (await peer.ask('putBlob', { base64 })).result
    const { sessionId } = (await peer.ask('createSession', {})).result
    const images = [{ sha256, mediaType: 'image/png' }]
    const sent = await peer.ask('sendMessage', { sessionId, text: 'What is it?', images })
    expect(sent.result).toMatchObject({ sessionId })
    await expect.poll(() => model.requests.length).toBe(1)
    expect(JSON.stringify(model.requests[0]!.messages)).toContain(base64)
    expect((await peer.ask('putBlob', { base64: '#' })).error).toMatchObject({ code: -32602 })
    await peer.close()
  })

  test('a parameter that the method does not know is refused by its name', async () => {
    const { peer } = await prepareRpc([])
    expect((await peer.ask('WorkshopRunAgent', { text: 'Hi.', sesion_id: 'x' })).error).toEqual({
      code: -32602,
      message: expect.stringMatching(/has no parameter "sesion_id"; it takes text, .*sessionId/),
    })
    expect((await peer.ask('undo', { changeset: 'x' })).error).toMatchObject({
      message: expect.stringContaining('it takes workspaceId, changeSetId, draftId, named'),
    })
    expect((await peer.ask('getSession', {})).error).toEqual({
      code: -32602,
      message: 'getSession needs "sessionId".',
    })
    expect((await peer.ask('getSession', { sessionId: { a: 1 } })).error).toEqual({
      code: -32602,
      message: '"sessionId" is a text, a number, true or false.',
    })
    expect((await peer.ask('WorkshopCancel', {})).error).toMatchObject({ code: -32602 })
    peer.write('{"jsonrpc":"2.0","id":{"a":1},"method":"health"}')
    expect((await peer.next()).error).toMatchObject({ code: -32600 })
    await peer.close()
  })

  test('a request that is cancelled stops its run, and is answered', async () => {
    const { peer, model } = await prepareRpc(ASKS)
    const reached = new Promise<void>(resolve => {
      model.onRequest = async () => {
        resolve()
        return false // it hangs
      }
    })
    peer.write(request(7, 'WorkshopRunAgent', RUN))
    await reached
    peer.write(notice('$/cancelRequest', { id: 7 }))
    expect((await peer.answerTo(7)).result).toMatchObject({ reason: 'cancelled' })
    await peer.close()
  })

  test('when stdin ends, runs are finished and followers let go', async () => {
    const { peer, model } = await prepareRpc([{ text: 'Done.' }])
    const { result: session } = await peer.ask('createSession', {})
    peer.write(request(1, 'events', { sessionId: session.sessionId }))
    await peer.ask('clear', { sessionId: session.sessionId })
    await peer.heard(({ method }) => method === 'events')
    const reached = new Promise<void>(resolve => {
      model.onRequest = async () => {
        peer.child.stdin!.end()
        resolve()
        return true
      }
    })
    peer.write(request(2, 'WorkshopRunAgent', { text: 'Hi.', model: 'fake' }))
    await reached
    expect((await peer.answerTo(2)).result).toMatchObject({ reason: 'final', text: 'Done.' })
    expect((await peer.answerTo(1)).result).toMatchObject({ after: expect.any(Number) })
    await peer.close()
  })
})

function request(id: number, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

function notice(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

interface Row {
  readonly seq: number
  readonly type: string
  readonly body: unknown
}

function rowIn(params: Readonly<Record<string, unknown>>): Row | undefined {
  return params.row as Row | undefined
}

function rowsOf(notifications: readonly { readonly params: Readonly<Record<string, unknown>> }[]) {
  return notifications.flatMap(({ params }) => rowIn(params) ?? [])
}
