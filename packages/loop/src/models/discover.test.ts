import { createServer } from 'node:net'
import { unwrap } from '@filewright/protocol'
import { afterEach, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { type FaultServer, startFaultServer } from '../testing/fault-server.ts'
import { firstUseNotice, type ModelConfig, resolveModel } from './discover.ts'
import { findLocalServers } from './local-servers.ts'

const config: ModelConfig = {
  keys: { anthropic: 'k', openai: 'k' },
  endpoints: { office: { baseUrl: 'https://models.example/v1', apiKey: 'k' } },
  scripts: { demo: { answers: [{ text: 'Hi.', calls: [] }] } },
}

const found: [
  model: string,
  baseUrl: string | undefined,
  name: string,
  destination: string | null,
][] = [
  ['fake-model', 'http://127.0.0.1:9/v1', 'fake-model', '127.0.0.1:9'],
  ['meta-llama/Llama-3.3-70B', 'http://h:8000/v1', 'meta-llama/Llama-3.3-70B', 'h:8000'],
  ['google/gemini-x', 'http://h:8000/v1', 'google/gemini-x', 'h:8000'],
  ['anthropic/claude-x', 'http://h:8000/v1', 'anthropic/claude-x', 'api.anthropic.com'],
  ['anthropic/claude-x', undefined, 'anthropic/claude-x', 'api.anthropic.com'],
  ['claude-x', undefined, 'anthropic/claude-x', 'api.anthropic.com'],
  ['gpt-9', undefined, 'openai/gpt-9', 'api.openai.com'],
  ['ollama/qwen3:8b', undefined, 'ollama/qwen3:8b', '127.0.0.1:11434'],
  ['office/small', undefined, 'office/small', 'models.example'],
  ['scripted/demo', undefined, 'scripted/demo', null],
]

for (const [model, baseUrl, name, destination] of found)
  test(`${model}${baseUrl ? ` at ${baseUrl}` : ''} is ${name} at ${destination}`, () => {
    const resolved = unwrap(resolveModel({ ...config, model, baseUrl }))
    expect([resolved.name, resolved.destination]).toEqual([name, destination])
  })

verifies(
  'CONTRACT §8 what was sent',
  'the endpoint of a model is told without what opens it',
  () => {
    const endpoint = (more: ModelConfig) => unwrap(resolveModel({ ...config, ...more })).endpoint()
    expect(endpoint({ model: 'x', baseUrl: 'https://me:pass@h:8000/v1/?key=abc#here' })).toBe(
      'https://h:8000/v1/chat/completions',
    )
    expect(endpoint({ model: 'x', baseUrl: 'https://h/my-key/v1', apiKey: 'my-key' })).toBe(
      'https://h/[key]/v1/chat/completions',
    )
    expect(endpoint({ model: 'gpt-9' })).toBe('https://api.openai.com/v1/responses')
    expect(endpoint({ model: 'claude-x', baseUrls: { anthropic: 'http://proxy:8080/' } })).toBe(
      'http://proxy:8080/v1/messages',
    )
    expect(endpoint({ model: 'scripted/demo' })).toBeNull()
    const secret = { openai: 'https://me:pass@h/v1' }
    expect(resolveModel({ ...config, model: 'gpt-9', baseUrls: secret })).toMatchObject({
      failure: { code: 'INVALID_ARGUMENT', message: expect.not.stringContaining('pass@') },
    })
  },
)

const refused: [model: string | undefined, message: RegExp][] = [
  [undefined, /No model is chosen/],
  ['google/gemini-x', /no key for google\. Set GEMINI_API_KEY, or run/],
  [
    'nobody/x',
    /known providers \(openai, anthropic, google, ollama, lmstudio, llamacpp, vllm, office\)/,
  ],
  ['scripted/other', /The scripts are demo/],
  ['constructor/x', /known providers/],
  ['__proto__/x', /known providers/],
  ['scripted/constructor', /The scripts are demo/],
]

for (const [model, message] of refused)
  test(`${model ?? 'no model'} is refused with what would work`, () => {
    expect(resolveModel({ ...config, model })).toMatchObject({
      failure: { message: expect.stringMatching(message) },
    })
  })

test('a provider that is set up otherwise is named once', () => {
  const endpoints = { ollama: { baseUrl: 'http://box:1/v1' } }
  const refusal = resolveModel({ ...config, endpoints, model: 'nobody/x' })
  expect(!refusal.ok && refusal.failure.message.match(/ollama/g)).toHaveLength(1)
})

test('a model that is not on this machine is announced with what is sent where', () => {
  const notice = (model: string, baseUrl?: string) =>
    firstUseNotice(unwrap(resolveModel({ ...config, model, baseUrl })))
  expect(notice('claude-x')).toMatch(
    /^anthropic\/claude-x runs at api\.anthropic\.com\. .* sent there\.$/,
  )
  expect(notice('ollama/qwen3:8b')).toBeUndefined()
  expect(notice('x', 'http://localhost:1/v1')).toBeUndefined()
  expect(notice('x', 'http://localhost.evil.example/v1')).toContain('localhost.evil.example')
  expect(notice('scripted/demo')).toBeUndefined()
})

let server: FaultServer | undefined
afterEach(() => server?.close())

const at = (provider: string, baseUrl: string) => ({ provider, title: provider, baseUrl })

test('a local server is found with its models, and other services are passed over', async () => {
  server = await startFaultServer([], { '/v1/models': { data: [{ id: 'a' }, { id: 'b' }, {}] } })
  const servers = await findLocalServers(
    [
      at('here', server.url),
      at('none', 'http://127.0.0.1:1/v1'),
      at('other', server.url.replace('/v1', '/v2')),
    ],
    60_000,
  )
  expect(servers).toEqual([{ ...at('here', server.url), models: ['a', 'b'] }])
})

test('one that takes the connection and says nothing is not waited for', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  expect(await findLocalServers([at('silent', `http://127.0.0.1:${port}/v1`)], 200)).toEqual([])
  silent.close()
})
