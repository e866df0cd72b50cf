import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { ToolCallId } from '@filewright/protocol'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../../test/verifies.ts'
import type { ModelEvent, ModelMessage, ModelRequest } from '../../port/model.ts'
import {
  chunk,
  events,
  type FaultServer,
  keptAlive,
  type Reply,
  startFaultServer,
  status,
} from '../../testing/fault-server.ts'
import { createRequestEncoder } from './encode.ts'
import { learnFacts } from './learn.ts'
import { COMMON_MANNERS } from './manners.ts'
import { createChatModel } from './model.ts'

let server: FaultServer | undefined
afterEach(() => server?.close())

const tool = { name: 'read', description: 'Reads.', parameters: { type: 'object' } }
const request = (
  messages: readonly ModelMessage[],
  signal = new AbortController().signal,
): ModelRequest => ({
  system: 'System.',
  messages,
  tools: [tool],
  step: 0,
  signal,
})
const encoder = () => createRequestEncoder({ id: 'm' }, COMMON_MANNERS)
const id = 'tc_1' as ToolCallId
const history: ModelMessage[] = [
  { role: 'user', text: 'go' },
  { role: 'assistant', text: '', calls: [{ id, name: 'read', arguments: '{}' }] },
  { role: 'tool', callId: id, name: 'read', text: 'content', failed: false },
]

verifies(
  ['ADR-0010 §Tool Schema function calling format', 'ADR-0010 §OpenAI Client tool definition'],
  'a request is what chat completions ask for',
  () => {
    const body = JSON.parse(Buffer.concat(encoder().encode(request(history))).toString())
    expect(body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'System.' },
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'tc_1', type: 'function', function: { name: 'read', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'tc_1', content: 'content' },
      ],
      tools: [{ type: 'function', function: tool }],
    })
  },
)

test('pictures follow the last result of their turn', () => {
  const images = [{ mediaType: 'image/png', base64: 'AAAA' }]
  const seen = { ...history[2]!, images } as ModelMessage
  const messages = [
    ...history.slice(0, 2),
    seen,
    history[2]!,
    { role: 'user', text: 'and?' } as const,
  ]
  const body = JSON.parse(
    Buffer.concat(
      createRequestEncoder({ id: 'm' }, { ...COMMON_MANNERS, asksForUsage: false }).encode(
        request(messages),
      ),
    ).toString(),
  )
  const roles = body.messages.map((message: { role: string }) => message.role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user', 'user'])
  expect(JSON.stringify(body.messages[5])).toContain('data:image/png;base64,AAAA')
})

test.each([true, false])(
  'pictures of the person are part of their message: strict order %s',
  isStrictOrder => {
    const images = [{ mediaType: 'image/png', base64: 'AAAA' }]
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Before.' },
      { role: 'user', text: 'Look.', images },
    ]
    const manners = { ...COMMON_MANNERS, isStrictOrder }
    const body = createRequestEncoder({ id: 'm' }, manners).encode(request(messages))
    const last = JSON.parse(Buffer.concat(body).toString()).messages.at(-1)
    expect(last).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: isStrictOrder ? 'Before.\n\nLook.' : 'Look.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    })
  },
)

test('half a character does not make a request that servers refuse', () => {
  const body = encoder().encode(request([{ role: 'user', text: 'a\ud83db' }]))
  expect(Buffer.concat(body).toString()).not.toMatch(/\\ud83d/)
})

test('a request that goes on where the last one ended encodes and copies only what is new', () => {
  const images = [{ mediaType: 'image/png', base64: 'AAAA' }]
  const seen = { ...history[2]!, images } as ModelMessage
  const turns = [...history, ...history.slice(1), ...history.slice(1, 2), seen, ...history]
  const { encode } = encoder()
  const whole = (messages: readonly ModelMessage[]) =>
    Buffer.concat(encoder().encode(request(messages))).toString()
  const conversations = turns.map((_, index) => encode(request(turns.slice(0, index + 1)))[1]!)
  for (const index of turns.keys())
    expect(whole(turns.slice(0, index + 1))).toContain(conversations[index]!.toString())
  const [first, second] = [2, 3].map(index => conversations[index]!)
  expect(second!.buffer).toBe(first!.buffer)
})

test('a run goes over one connection', async () => {
  server = await startFaultServer([
    events([chunk.text('Hi.'), chunk.finish('stop'), chunk.usage(1, 1)]),
  ])
  const model = createChatModel({
    name: 'x',
    id: 'x',
    baseUrl: server.url,
    apiKey: 'secret',
  })
  for (let turn = 0; turn < 5; turn++) await read(model.stream(request(history)))
  expect(server.requests).toHaveLength(5)
  expect(server.connections).toBe(1)
  expect(server.requests[0]!.headers.authorization).toBe('Bearer secret')
})

test('a kept connection that the server drops is replaced unseen', async () => {
  const hello = events([chunk.text('Hi.'), chunk.finish('stop')])
  server = await startFaultServer([hello, response => void response.socket?.destroy(), hello])
  const model = createChatModel({ name: 'x', id: 'x', baseUrl: server.url })
  await read(model.stream(request(history)))
  const received = await read(model.stream(request(history)))
  expect(received.map(event => event.type)).toEqual(['text', 'finish'])
  expect(server.connections).toBe(2)
})

test.each([
  ['with its version', (url: string) => url],
  ['with a slash behind', (url: string) => `${url}/`],
  ['down to the route', (url: string) => `${url}/chat/completions`],
  ['without a scheme', (url: string) => url.replace('http://', '')],
  ['with spaces around', (url: string) => ` ${url} `],
])('a base URL may be written %s', async (_, spell) => {
  server = await startFaultServer([events([chunk.text('Hi.'), chunk.finish('stop')])])
  const model = createChatModel({ name: 'x', id: 'x', baseUrl: spell(server.url) })
  const received = await read(model.stream(request(history)))
  expect(received.map(event => event.type)).toEqual(['text', 'finish'])
  expect(server.requests[0]!.path).toBe('/v1/chat/completions')
})

test('a base URL keeps its query', async () => {
  server = await startFaultServer([events([chunk.text('Hi.'), chunk.finish('stop')])])
  const baseUrl = `${server.url}?api-version=1`
  await read(createChatModel({ name: 'x', id: 'x', baseUrl }).stream(request(history)))
  expect(server.requests[0]!.path).toBe('/v1/chat/completions?api-version=1')
})

test('without a version /v1 is tried when nothing is there, once', async () => {
  const missing: Reply = response => void response.writeHead(404).end('404 page not found')
  const hello = events([chunk.text('Hi.'), chunk.finish('stop')])
  server = await startFaultServer([missing, hello, hello])
  const baseUrl = server.url.replace(/\/v1$/, '')
  const model = createChatModel({ name: 'x', id: 'x', baseUrl })
  await read(model.stream(request(history)))
  await read(model.stream(request(history)))
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/chat/completions',
    '/v1/chat/completions',
    '/v1/chat/completions',
  ])
})

test('a line break around a key is ignored, and one within it is reported', async () => {
  server = await startFaultServer([events([chunk.text('Hi.'), chunk.finish('stop')])])
  const open = (apiKey: string) =>
    createChatModel({ name: 'x', id: 'x', baseUrl: server!.url, apiKey })
  await read(open('secret\n').stream(request(history)))
  expect(server.requests[0]!.headers.authorization).toBe('Bearer secret')
  expect(await read(open('sec\nret').stream(request(history)))).toMatchObject([
    { failure: { cause: 'denied', retry: false, message: expect.stringContaining('line break') } },
  ])
})

verifies(
  'CONTRACT §8 tokens not in the journal',
  "a server's message that quotes the key is shown without it, whatever its form and place",
  async () => {
    const apiKey = 'Zq7/recognisable+9f3b2c'
    const quoting: Reply[] = [
      status(401, { error: { message: `${'no '.repeat(95)}${apiKey} is not known` } }),
      status(400, `Bad header: Bearer ${apiKey}`),
      status(302, '', { location: `https://elsewhere.test/?key=${encodeURIComponent(apiKey)}` }),
      events([{ error: { message: `${apiKey} has no credit`, code: 402 } }]),
      events([`no JSON: ${apiKey}`]),
    ]
    server = await startFaultServer(quoting)
    const model = createChatModel({ name: 'x', id: 'x', baseUrl: server.url, apiKey })
    for (const _ of quoting) {
      const [event] = await read(model.stream(request(history)))
      expect(event).toMatchObject({ failure: { message: expect.stringContaining('[key]') } })
      expect(JSON.stringify(event)).not.toContain('recognisable')
    }
  },
)

test('a server that is not there may be tried again', async () => {
  const model = createChatModel({ name: 'x', id: 'x', baseUrl: 'http://127.0.0.1:1/v1' })
  expect(await read(model.stream(request(history)))).toMatchObject([
    { failure: { cause: 'unreachable', retry: true, spent: false } },
  ])
})

test('a refusal that arrives slowly is reported by its status', async () => {
  server = await startFaultServer([keptAlive(503)])
  const timeouts = { firstByteMs: 60_000, silenceMs: 100 }
  const model = createChatModel({ name: 'x', id: 'x', baseUrl: server.url, timeouts })
  expect(await read(model.stream(request(history)))).toMatchObject([
    { failure: { cause: 'overloaded', retry: true, spent: false } },
  ])
})

test('a head that dribbles is no answer', async () => {
  const sockets = new Set<Socket>()
  const dribbling = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\nx-long: ')
    const dribble = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(dribble))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    dribbling.close()
  })
  await once(dribbling, 'listening')
  const { port } = dribbling.address() as AddressInfo
  const model = createChatModel({
    name: 'x',
    id: 'x',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    timeouts: { firstByteMs: 150 },
  })
  expect(await read(model.stream(request(history)))).toMatchObject([
    { failure: { cause: 'timeout', retry: true } },
  ])
})

test('a cancel reaches the server', async () => {
  let closed: () => void = () => {}
  const disconnected = new Promise<void>(resolve => {
    closed = resolve
  })
  server = await startFaultServer([
    response => {
      response.on('close', closed)
      events([chunk.text('I am')], { done: false, open: true })(response, undefined as never)
    },
  ])
  const controller = new AbortController()
  const model = createChatModel({ name: 'x', id: 'x', baseUrl: server.url })
  const received: ModelEvent[] = []
  for await (const event of model.stream(request(history, controller.signal))) {
    received.push(event)
    controller.abort()
  }
  await disconnected
  expect(received.at(-1)).toMatchObject({ failure: { cause: 'aborted', retry: false } })
})

test('reasoning and marks on a call are kept apart from the text', async () => {
  server = await startFaultServer([
    events([
      { choices: [{ delta: { reasoning_content: 'Hm.' } }] },
      {
        choices: [
          {
            delta: {
              tool_calls: [
                {
                  index: 0,
                  id: 'c',
                  function: { name: 'read', arguments: '{}' },
                  extra_content: { google: { thought_signature: 's' } },
                },
              ],
            },
          },
        ],
      },
      chunk.finish('tool_calls'),
    ]),
  ])
  const model = createChatModel({ name: 'x', id: 'x', baseUrl: server.url })
  const received = await read(model.stream(request(history)))
  expect(received[0]).toEqual({ type: 'reasoning', text: 'Hm.' })
  const { provider } = received.at(-1) as { provider: unknown }
  const back: ModelMessage = {
    ...(history[1] as Extract<ModelMessage, { role: 'assistant' }>),
    provider,
  }
  const body = Buffer.concat(encoder().encode(request([back]))).toString()
  expect(body).toContain('"extra_content":{"google":{"thought_signature":"s"}}')
})

const told: [server: string, pages: Record<string, unknown>, facts: object][] = [
  [
    'vLLM',
    { '/v1/models': { data: [{ id: 'm', max_model_len: 32768 }] } },
    { contextTokens: 32768 },
  ],
  [
    'llama.cpp',
    { '/v1/models': { data: [{ id: 'm', meta: { n_ctx: 8192, n_ctx_train: 131072 } }] } },
    { contextTokens: 8192 },
  ],
  [
    'Ollama',
    {
      '/v1/models': { data: [{ id: 'm' }] },
      '/api/ps': { models: [{ name: 'm', context_length: 4096 }] },
    },
    { contextTokens: 4096 },
  ],
  [
    'OpenRouter',
    {
      '/v1/models': {
        data: [
          {
            id: 'm',
            context_length: 200_000,
            architecture: { input_modalities: ['text', 'image'] },
            supported_parameters: ['temperature'],
            pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' },
          },
        ],
      },
    },
    {
      contextTokens: 200_000,
      seesImages: true,
      callsTools: false,
      price: { input: 3, output: 15, cachedInput: 0.3 },
    },
  ],
  ['a server that tells nothing', {}, {}],
]

for (const [name, pages, facts] of told)
  test(`${name}: the facts of a model are learned`, async () => {
    server = await startFaultServer([], pages)
    const learned = await learnFacts('m', { baseUrl: server.url }, AbortSignal.timeout(60_000))
    expect(round(learned)).toEqual(facts)
  })

async function read(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = []
  for await (const event of stream) all.push(event)
  return all
}

function round(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, field) =>
      typeof field === 'number' ? Number(field.toPrecision(9)) : field,
    ),
  )
}
