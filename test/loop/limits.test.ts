import type { Model } from '@filewright/loop'
import { LIMITS, routeMethod, routePath } from '@filewright/protocol'
import { describe, expect, test, vi } from 'vitest'
import { createMemoryBlobs } from '../../packages/server/src/memory/blobs-memory.ts'
import { embedded, TOKEN } from '../embedded.ts'
import { PATIENCE } from '../patience.ts'
import { attachIndependent } from '../specs/independent-client.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, runTo, says } from './running.ts'

const CREATE = 'workspace_create_file'

describe('limits at the edge', () => {
  verifies(
    ['CONTRACT §7 limit text content', 'TUL-004 §5.3 TooLarge'],
    'every tool that takes text writes 10 MB and refuses one byte more',
    async () => {
      const product = await embedded()
      const most = 'x'.repeat(LIMITS.textFileBytes)
      expect(LIMITS.textFileBytes).toBe(10 * 1024 * 1024)
      const fits = await product.call('write_text_file', { path: 'most.txt', content: most })
      expect(fits).toMatchObject({ success: true })
      const written = await product.call('write_text_file', {
        path: 'over.txt',
        content: `${most}x`,
      })
      expect(written).toMatchObject({ success: false, kind: 'limit' })
      expect(written.message).toMatch(/^Nothing was written/)
      const created = await product.call(CREATE, { path: 'over.txt', content: `${most}x` })
      expect(created).toMatchObject({ success: false, errorCode: 'TooLarge', kind: 'limit' })
    },
  )

  verifies(
    'CONTRACT §7 limit request body',
    'a request body over 4 MB is refused, one below it is not',
    async () => {
      const product = await embedded()
      const statusOf = async (bytes: number) => {
        const url = `http://localhost${routePath('createSession', { workspaceId: product.workspaceId })}`
        const response = await product.server.fetch(
          new Request(url, {
            method: routeMethod('createSession'),
            headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
            body: JSON.stringify({ ignored: 'x'.repeat(bytes) }),
          }),
        )
        return response.status
      }
      expect(await statusOf(LIMITS.requestBodyBytes)).toBe(413)
      expect(await statusOf(LIMITS.requestBodyBytes - 1000)).not.toBe(413)
    },
  )

  verifies(
    'CONTRACT §7 limit blob',
    'a blob comes in pieces and is refused as soon as it is over its bound, which is 2 GB',
    async () => {
      expect(LIMITS.blobBytes).toBe(2 * 1024 ** 3)
      let taken = 0
      async function* pieces() {
        for (;;) {
          taken += 1024
          yield new Uint8Array(1024)
        }
      }
      const blobs = createMemoryBlobs({ maxBytes: 10 * 1024 })
      expect(await blobs.put(pieces())).toMatchObject({ ok: false, failure: { kind: 'limit' } })
      expect(taken).toBeLessThan(20 * 1024) // it did not wait for the end, which never comes
    },
  )
})

describe('on the wire', () => {
  verifies(
    ['CONTRACT §7 turn envelope fields', 'CONTRACT §7 turn results by id'],
    'two calls wait at a client at once; each result finds its call by id',
    async () => {
      const product = await embedded()
      await product.detach()
      const other = await attachIndependent(product, { isHeld: true })
      const second = await product.newSession()
      const calls = [
        product.call(CREATE, { path: 'one.txt', content: '1' }),
        product.call(CREATE, { path: 'two.txt', content: '22' }, { sessionId: second }),
      ]
      while (other.requests.filter(({ method }) => method === 'tool-call').length < 2)
        await new Promise(resolve => setTimeout(resolve, 5))
      const turns = other.requests.map(({ params }) => params.turn)
      expect(turns.map(turn => turn.sessionId).sort()).toEqual([product.sessionId, second].sort())
      for (const turn of turns)
        expect(turn).toMatchObject({
          turnId: expect.stringMatching(/^trn_/),
          toolCalls: [
            {
              toolCallId: expect.stringMatching(/^tc_/),
              name: CREATE,
              argumentsJson: expect.stringContaining('.txt'),
            },
          ],
        })
      other.release()
      const [one, two] = await Promise.all(calls)
      expect([one.path, one.sizeBytes, two.path, two.sizeBytes]).toEqual([
        'one.txt',
        1,
        'two.txt',
        2,
      ])
      expect(new Set([one.toolCallId, two.toolCallId]).size).toBe(2)
      other.close()
    },
  )

  verifies(
    ['CONTRACT §7 turn envelope kind', 'CONTRACT §7 turn envelope fields'],
    'a turn with calls is client_tool_continuation, the last one of a run is final',
    async () => {
      const { model } = recorder([says('I look.', call('list_files')), says('Nothing is here.')])
      const product = await embedded({}, { model })
      const { rows } = await runTo(product, 'What is here?')
      const [first, last] = bodies(rows, 'assistant_message')
      const turn = async (turnId: string) =>
        (await product.ask('getTurn', { params: { sessionId: product.sessionId, turnId } })).value
      expect(await turn(first!.turn_id)).toEqual({
        kind: 'client_tool_continuation',
        sessionId: product.sessionId,
        conversationId: rows[0]!.conversationId,
        turnId: first!.turn_id,
        text: 'I look.',
        toolCalls: [
          { toolCallId: first!.tool_calls![0]!.id, name: 'list_files', argumentsJson: '{}' },
        ],
      })
      expect(await turn('last')).toMatchObject({
        kind: 'final',
        turnId: last!.turn_id,
        text: 'Nothing is here.',
        toolCalls: [],
      })
      expect(await turn('trn_none')).toMatchObject({ errorCode: 'NOT_FOUND' })
    },
  )

  test('a turn that the output limit ended says so, and the next one does not', async () => {
    const { model } = recorder([says('Half of a sen'), says('tence.')])
    let answers = 0
    const cut: Model = {
      ...model,
      async *stream(request) {
        const isFirst = answers++ === 0
        for await (const event of model.stream(request))
          yield isFirst && event.type === 'finish' ? { ...event, reason: 'length' } : event
      },
    }
    const product = await embedded({}, { model: cut })
    const { rows } = await runTo(product, 'Say it.')
    const [first] = bodies(rows, 'assistant_message')
    const turn = async (turnId: string) =>
      (await product.ask('getTurn', { params: { sessionId: product.sessionId, turnId } })).value
    expect(await turn(first!.turn_id)).toMatchObject({ text: 'Half of a sen', isCut: true })
    const last = await turn('last')
    expect(last).toMatchObject({ kind: 'final', text: 'tence.' })
    expect(last).not.toHaveProperty('isCut')
  })

  verifies(
    'CONTRACT §7 wire log events',
    'creating and patching leave the log events of their specs, with their fields',
    async () => {
      const product = await embedded({ 'a.txt': 'one\n' })
      await product.call(CREATE, { path: 'b.txt', content: 'b\n' })
      const { sha256 } = (await product.call('workspace_read_file', { path: 'a.txt' })).file
      const change = {
        operation: 'replace',
        startLine: 1,
        endLine: 1,
        expectedOriginalLines: ['one'],
        newLines: ['ONE'],
      }
      const file = { docPath: 'a.txt', originalSha256: sha256, changes: [change] }
      await product.call('workspace_write_patch', { files: [file] })
      await product.call('workspace_write_patch', { files: [{ ...file, changes: [] }] })
      const event = (name: string) => product.logged.find(line => line.event === name)
      // the client reports it separately from its answer
      await vi.waitFor(() => expect(event('Tool.CreateFile.Executed')).toBeDefined(), PATIENCE)
      for (const name of ['Forwarded', 'Executed', 'ResultReceived'])
        expect(event(`Tool.CreateFile.${name}`), name).toMatchObject({
          SessionId: product.sessionId,
          ConversationId: expect.any(String),
          TurnId: expect.any(String),
        })
      expect(event('Tool.CreateFile.Forwarded')).toMatchObject({ Path: 'b.txt', Overwrite: false })
      expect(event('Tool.CreateFile.ResultReceived')).toMatchObject({
        Success: true,
        ErrorCode: null,
        SizeBytes: 2,
        Hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      for (const name of ['Received', 'Stored', 'Rejected'])
        expect(event(`Tool.WritePatch.${name}`), name).toMatchObject({
          SessionId: product.sessionId,
        })
    },
  )
})
