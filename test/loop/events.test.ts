import type { Engine } from '@filewright/engine'
import {
  createIdSource,
  eventSchemas,
  LIMITS,
  type Notification,
  routeMethod,
  routePath,
  type SessionEvent,
} from '@filewright/protocol'
import { openMemoryStores, parseJsonl, toJsonl } from '@filewright/server'
import { describe, expect, test } from 'vitest'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, rowsOf, runTo, says, send, untilEnded } from './running.ts'

const SCRIPT = [
  says('I look first.', call('read_file', { path: 'a.txt' })),
  says('Now I write.', call('write_text_file', { path: 'b.txt', content: 'b\n' })),
  says('And one that fails.', call('read_file', { path: 'none.txt' })),
  says('Done.'),
]

describe('events of a session', () => {
  verifies(
    [
      'ADR-0010 §IPC Updates WorkshopToolExecuting',
      'ADR-0010 §IPC Updates WorkshopToolComplete',
      'ADR-0010 §IPC Updates WorkshopAssistantStreamDelta',
      'CONTRACT §7 wire stream delta',
      'CONTRACT §7 wire tool executing',
      'CONTRACT §7 wire tool complete',
      'CONTRACT §7 text streams',
    ],
    "carry ADR-0010's names, in the order in which things happen",
    async () => {
      const { model } = recorder(SCRIPT)
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      const stream = listen(product, 0)
      await stream.opened // before the first word: a later listener gets the text so far in one piece
      await send(product, 'Go.')
      const events = await stream.until(isRunEnd)
      const notes = events.flatMap(event => namedIn(event) ?? [])
      expect(notes.map(({ method, params }) => [method, params.tool_name ?? params.text])).toEqual([
        ['WorkshopAssistantStreamDelta', 'I look first.'],
        ['WorkshopToolExecuting', 'read_file'],
        ['WorkshopToolComplete', 'read_file'],
        ['WorkshopAssistantStreamDelta', 'Now I write.'],
        ['WorkshopToolExecuting', 'write_text_file'],
        ['WorkshopToolComplete', 'write_text_file'],
        ['WorkshopAssistantStreamDelta', 'And one that fails.'],
        ['WorkshopToolExecuting', 'read_file'],
        ['WorkshopToolComplete', 'read_file'],
        ['WorkshopAssistantStreamDelta', 'Done.'],
      ])
      expect(notes[1]!.params).toMatchObject({ tool_name: 'read_file', path: 'a.txt' })
      expect(notes[2]!.params).toMatchObject({ tool_name: 'read_file', success: true })
      expect(notes[8]!.params).toMatchObject({ tool_name: 'read_file', success: false })
    },
  )

  verifies(
    ['CONTRACT §7 client cursor', 'CONTRACT §7 events projected', 'CONTRACT §7 log journal types'],
    'resume at any cursor: no row twice, none missed, and all of them rows of the log',
    async () => {
      const { model } = recorder(SCRIPT)
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      await runTo(product, 'Go.')
      const rows = await rowsOf(product)
      expect(rows.map(row => row.type)).toEqual(
        expect.arrayContaining(['user_message', 'assistant_message', 'tool_result', 'call-start']),
      )
      for (const after of [0, 1, 5, rows.length - 1]) {
        const events = await listen(product, after).until(isRunEnd)
        expect(events.flatMap(event => (event.type === 'row' ? [event.row] : []))).toEqual(
          rows.slice(after),
        )
      }
      expect(JSON.stringify(rows)).not.toContain('text-delta')
    },
  )

  verifies(
    ['CONTRACT §7 client cursor', 'CONTRACT §7 Last-Event-ID'],
    'a stream that breaks is taken up behind the last event that was heard, as a browser asks for it, names included',
    async () => {
      const { model } = recorder(SCRIPT)
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      await runTo(product, 'Go.')
      const rows = await rowsOf(product)
      const begun = rows.find(row => row.type === 'call-start')!.seq
      const again = await listen(product, 0, String(begun)).until(isRunEnd)
      expect(again[0]).toMatchObject({ type: 'row', cursor: begun + 1 })
      expect(again.map(namedIn)[0]).toMatchObject({
        method: 'WorkshopToolComplete',
        params: { tool_name: 'read_file', success: true },
      })
    },
  )

  test('report that a run stopped because its log cannot be written, and it continues when it can', async () => {
    const stores = await openMemoryStores()
    let isFull = true
    const log: typeof stores.log = {
      ...stores.log,
      appendNow(lease, lines, options) {
        if (isFull && lines.some(({ body }) => body.type === 'call-start'))
          throw new Error('database or disk is full')
        return stores.log.appendNow(lease, lines, options)
      },
    }
    const { model } = recorder(SCRIPT)
    const product = await embedded({ 'a.txt': 'a\n' }, { model, stores: { ...stores, log } })
    const stream = listen(product, 0)
    await stream.opened
    await send(product, 'Go.')
    const events = await stream.until(({ type }) => type === 'run-lost')
    expect(events.at(-1)).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('could not be written: database or disk is full'),
    })
    isFull = false
    await product.ask('resume', { params: { sessionId: product.sessionId } })
    const rest = await stream.until(isRunEnd)
    const heard = [...events, ...rest].flatMap(event => (event.type === 'row' ? [event.row] : []))
    expect(heard).toEqual(await rowsOf(product))
    expect(bodies(heard, 'run-end')).toMatchObject([
      { reason: 'final', closing: expect.stringMatching(/^1 file/) },
    ])
  })

  test('say how far a long search has come, until it ends', async () => {
    const { model } = recorder([says('', call('search_files', { query: 'x' })), says('Done.')])
    const names = ['a.rtf', 'b.rtf', 'c.rtf', 'd.rtf'] // searched one by one
    const last = gate()
    const slow = (engine: Engine): Engine => ({
      ...engine,
      searchFiles: async (files, ...asked) => {
        await new Promise(resolve => setTimeout(resolve, 600))
        if (files[0]?.state.endsWith('d.rtf')) await last.opened
        return engine.searchFiles(files, ...asked)
      },
    })
    const files = Object.fromEntries(names.map(name => [name, `{\\rtf1 ${name}}`]))
    const product = await embedded(files, { model, wrapEngine: slow })
    const stream = listen(product, 0)
    await stream.opened
    await send(product, 'Go.')
    const heard = await stream.until(({ type }) => type === 'call-progress')
    last.open()
    expect(heard.at(-1)).toMatchObject({
      text: expect.stringMatching(/^[1-3] of 4 files searched$/),
      method: 'WorkshopToolProgress',
      params: { tool_name: 'search_files' },
    })
    await stream.until(isRunEnd)
    expect(JSON.stringify(await rowsOf(product))).not.toContain('of 4 files') // nobody keeps it
  })

  test('report that a run stopped on an internal fault, without its cause', async () => {
    const { model } = recorder(SCRIPT)
    const broken = { ...model, stream: () => fail() }
    const fail = (): never => {
      throw new TypeError('a secret of the house')
    }
    const product = await embedded({}, { model: broken })
    const stream = listen(product, 0)
    await stream.opened
    await send(product, 'Go.')
    const [lost] = (await stream.until(({ type }) => type === 'run-lost')).slice(-1)
    expect(lost).toMatchObject({
      kind: 'internal',
      message: expect.stringContaining('internal error'),
    })
    expect(JSON.stringify(lost)).not.toContain('secret')
    expect(JSON.stringify(product.logged)).toContain('a secret of the house')
  })

  test('more streams of one session than are served are refused with what would do', async () => {
    const product = await embedded({}, { model: recorder(SCRIPT).model })
    const streams = Array.from({ length: LIMITS.sessionStreams }, () => listen(product, 0))
    await Promise.all(streams.map(({ opened }) => opened))
    const refused = await listen(product, 0).opened
    expect(refused.status).toBe(413)
    expect(await refused.json()).toMatchObject({
      errorCode: 'LIMIT_REACHED',
      message: expect.stringContaining('in pages with GET …/log'),
    })
  })

  verifies(
    'CONTRACT §7 cursor beyond the end',
    'a cursor beyond the last row is refused with the end of the log, and the end itself is accepted',
    async () => {
      const { model } = recorder(SCRIPT)
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      await runTo(product, 'Go.')
      const last = (await rowsOf(product)).at(-1)!.seq
      const { workspaceId, sessionId } = product
      const params = { workspaceId, sessionId }
      const log = (after: number) => product.ask('log', { params, query: { after: `${after}` } })
      expect(await log(last)).toMatchObject({ status: 200, value: { rows: [] } })
      const stream = await listen(product, last + 1).opened
      const answers = [await log(last + 1), { status: stream.status, value: await stream.json() }]
      for (const { status, value } of answers) {
        expect(status).toBe(400)
        expect(value).toMatchObject({ last })
        expect(value.message).toContain(`ends at ${last}. Continue with after=${last}`)
      }
    },
  )

  verifies(
    ['CONTRACT §7 client cursor', 'CONTRACT §7 reconnect text in one piece'],
    'a client that comes in the middle of an answer hears the text until then in one piece, and each word once',
    async () => {
      const gates = [gate(), gate()]
      const pieces = ['Once ', 'upon a time ', 'it ended.']
      const product = await embedded(
        {},
        {
          model: {
            name: 'slow',
            facts: { callsTools: true, contextTokens: 100_000 },
            destination: null,
            endpoint: () => null,
            async *stream() {
              yield { type: 'text', text: pieces[0]! }
              yield { type: 'text', text: pieces[1]! }
              gates[0]!.open()
              await gates[1]!.opened
              yield { type: 'text', text: pieces[2]! }
              yield { type: 'finish', reason: 'stop' }
            },
          },
        },
      )
      await send(product, 'Tell me.')
      await gates[0]!.opened
      const late = listen(product, 0)
      const before = await late.until(event => event.type === 'text-so-far')
      expect(before.at(-1)).toMatchObject({ text: 'Once upon a time ' })
      gates[1]!.open()
      const after = await late.until(isRunEnd)
      expect(after.flatMap(event => (event.type === 'text-delta' ? [event.text] : []))).toEqual([
        'it ended.',
      ])
      const afterwards = await listen(product, 0).until(isRunEnd)
      expect(afterwards.every(event => event.type === 'row')).toBe(true)
    },
  )

  verifies(
    'CONTRACT §7 reconnect text in one piece',
    'between two tool calls there is no text so far: it is a row by then',
    async () => {
      const middle = gate()
      const { model } = recorder(SCRIPT, {
        before: async step => (step === 1 ? middle.opened : undefined),
      })
      const product = await embedded({ 'a.txt': 'a\n' }, { model })
      await send(product, 'Go.')
      await waitFor(async () => bodies(await rowsOf(product), 'tool_result').length === 1)
      const events = await listen(product, 0).until(
        event => event.type === 'row' && event.row.type === 'tool_result',
      )
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(events.filter(event => event.type !== 'row')).toEqual([])
      middle.open()
      await untilEnded(product)
    },
  )

  test('a session with an open draft is deleted only with its draft, when that is said', async () => {
    const { model } = recorder([
      says('', call('write_text_file', { path: 'b.txt', content: '1\n2\n3\n' })),
      says('Done.'),
    ])
    const product = await embedded({}, { model })
    const { end } = await runTo(product, 'Go.')
    expect(end.closing).toBe('1 file in the draft: b.txt (created, 3 lines)')
    const params = { sessionId: product.sessionId }
    const refused = await product.ask('deleteSession', { params })
    expect(refused).toMatchObject({ status: 409 })
    expect(JSON.stringify(refused.value)).toContain('its draft is open and holds b.txt (created)')
    expect((await product.ask('log', { params })).status).toBe(200)
    const query = { discard: 'true' }
    expect(await product.ask('deleteSession', { params, query })).toMatchObject({ status: 200 })
    expect((await product.ask('log', { params })).status).toBe(404)
    expect((await product.ask('listDrafts')).value).toMatchObject([{ state: 'discarded' }])
  })

  test('a session is not deleted below its run', async () => {
    const middle = gate()
    const { model } = recorder([says('Done.')], { before: () => middle.opened })
    const product = await embedded({}, { model })
    await send(product, 'Go.')
    const params = { sessionId: product.sessionId }
    expect(await product.ask('deleteSession', { params })).toMatchObject({ status: 409 })
    middle.open()
    await untilEnded(product)
    expect(await product.ask('deleteSession', { params })).toMatchObject({ status: 200 })
  })

  test('a session that is deleted takes its rows along', async () => {
    const { model } = recorder(SCRIPT)
    const product = await embedded({ 'a.txt': 'a\n' }, { model })
    await runTo(product, 'Go.')
    await product.ask('publish', { body: {} })
    const params = { sessionId: product.sessionId }
    expect(await product.ask('deleteSession', { params })).toMatchObject({ status: 200 })
    expect((await product.ask('log', { params })).status).toBe(404)
    expect((await product.ask('getSession', { params })).status).toBe(404)
  })
})

verifies(
  ['ADR-0010 §Conversation Message Format example'],
  "ADR-0010's own conversation is read and written back the same",
  () => {
    const ids = createIdSource(digits => '0'.repeat(digits))
    const parsed = parseJsonl(EXAMPLE, ids)
    if (!parsed.ok) throw new Error(parsed.failure.message)
    const rows = parsed.value.map((body, index) => ({
      sessionId: 'ses_1' as never,
      seq: index + 1,
      conversationId: 'con_1' as never,
      type: body.type,
      time: '2026-01-01T00:00:00.000Z',
      body,
    }))
    const written = toJsonl(rows).trim().split('\n')
    const given = EXAMPLE.trim().split('\n')
    expect(written).toHaveLength(6)
    for (const [index, line] of written.entries()) {
      const expected = given[index]!
      // our own fields follow ADR-0010's, which are identical to the byte
      expect(line.startsWith(expected.slice(0, -1))).toBe(true)
      expect(JSON.parse(line)).toMatchObject(JSON.parse(expected))
    }
  },
)

const EXAMPLE = `{"type":"user_message","message_id":"u-1","role":"user","text":"Translate the excel file..."}
{"type":"assistant_message","message_id":"a-1","role":"assistant","text":"I'll read the file first to understand its structure.","tool_calls":[{"id":"tc-1","function":{"name":"read_file","arguments":"{\\"path\\":\\"data.xlsx\\"}"}}]}
{"type":"tool_result","message_id":"tr-1","tool_call_id":"tc-1","content":"Sheet: Sales\\nA1: Product, B1: Price..."}
{"type":"assistant_message","message_id":"a-2","role":"assistant","text":"I can see the file has a Sales sheet. Let me create the translated copy.","tool_calls":[{"id":"tc-2","function":{"name":"xlsx_operations","arguments":"..."}}]}
{"type":"tool_result","message_id":"tr-2","tool_call_id":"tc-2","content":"Successfully created data_english.xlsx"}
{"type":"assistant_message","message_id":"a-3","role":"assistant","text":"Done! I've created data_english.xlsx with all text translated to English and prices converted to USD."}
`

function gate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  return { opened, open: () => open() }
}

function isRunEnd(event: SessionEvent): boolean {
  return event.type === 'row' && event.row.type === 'run-end'
}

/** ADR-0010's name for it and its params, where it has one. */
function namedIn(event: SessionEvent): Notification | undefined {
  const { method, params } = event as Partial<Notification>
  return method && params ? { method, params } : undefined
}

const described = eventSchemas().events

/** The event stream of the session, as any HTTP client reads it. */
function listen(product: Embedded, after: number, lastEventId?: string) {
  const { workspaceId, sessionId } = product
  const url = `http://localhost${routePath('events', { workspaceId, sessionId })}?after=${after}`
  const response = product.server.fetch(
    new Request(url, {
      method: routeMethod('events'),
      headers: {
        authorization: 'Bearer test-token',
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    }),
  )
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const decoder = new TextDecoder()
  let rest = ''
  return {
    opened: response,
    /** All events up to the expected one; the next call continues after it. */
    async until(isIt: (event: SessionEvent) => boolean): Promise<SessionEvent[]> {
      reader ??= (await response).body!.getReader()
      const events: SessionEvent[] = []
      for (;;) {
        const end = rest.indexOf('\n\n')
        if (end < 0) {
          const { value, done } = await reader.read()
          if (done) throw new Error('The event stream ended.')
          rest += decoder.decode(value, { stream: true })
          continue
        }
        const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1]
        rest = rest.slice(end + 2)
        if (data === undefined) continue
        const event = JSON.parse(data) as SessionEvent
        expect(described.safeParse(event).error).toBeUndefined()
        events.push(event)
        if (isIt(event)) return events
      }
    },
  }
}

async function waitFor(isTrue: () => Promise<boolean>) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    if (await isTrue()) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error('It did not happen.')
}
