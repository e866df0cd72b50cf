import { createServer } from 'node:net'
import { unwrap } from '@filewright/protocol'
import { afterEach, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { type FaultServer, startFaultServer } from '../testing/fault-server.ts'
import { firstUseNotice } from './first-use-notice.ts'
import { findServers, localServers } from './model-servers.ts'
import { type ModelConfig, resolveModel } from './resolve-model.ts'

const values = { anthropic: { key: 'k' }, openai: { key: 'k' } }
const config: ModelConfig = { values }

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
  ['scripted/demo', undefined, 'scripted/demo', null],
]

for (const [model, baseUrl, name, destination] of found)
  test(`${model}${baseUrl ? ` at ${baseUrl}` : ''} is ${name} at ${destination}`, async () => {
    const resolved = unwrap(await resolveModel({ ...config, model, baseUrl }))
    expect([resolved.name, resolved.destination]).toEqual([name, destination])
  })

verifies(
  'CONTRACT §8 what was sent',
  'the endpoint of a model is shown without its credentials',
  async () => {
    const endpoint = async (more: ModelConfig) =>
      unwrap(await resolveModel({ ...config, ...more })).endpoint()
    expect(await endpoint({ model: 'x', baseUrl: 'https://me:pass@h:8000/v1/?key=abc#here' })).toBe(
      'https://h:8000/v1/chat/completions',
    )
    expect(await endpoint({ model: 'x', baseUrl: 'https://h/my-key/v1', apiKey: 'my-key' })).toBe(
      'https://h/[key]/v1/chat/completions',
    )
    expect(await endpoint({ model: 'gpt-9' })).toBe('https://api.openai.com/v1/responses')
    const proxied = { anthropic: { key: 'k', address: 'http://proxy:8080/' } }
    expect(await endpoint({ model: 'claude-x', values: proxied })).toBe(
      'http://proxy:8080/v1/messages',
    )
    expect(await endpoint({ model: 'scripted/demo' })).toBeNull()
    const secret = { openai: { key: 'k', address: 'https://me:pass@h/v1' } }
    expect(await resolveModel({ model: 'gpt-9', values: secret })).toMatchObject({
      failure: { code: 'INVALID_ARGUMENT', message: expect.not.stringContaining('pass@') },
    })
  },
)

const refused: [model: string | undefined, message: RegExp][] = [
  [undefined, /No model is chosen/],
  ['google/gemini-x', /no key for google\. Set GEMINI_API_KEY, or run/],
  ['nobody/x', /known providers \(anthropic, google, openai, ollama, lmstudio, llamacpp, vllm\)/],
  ['scripted/other', /The scripts are demo/],
  ['constructor/x', /known providers/],
  ['__proto__/x', /known providers/],
  ['scripted/constructor', /The scripts are demo/],
]

for (const [model, message] of refused)
  test(`${model ?? 'no model'} is refused with what would work`, async () => {
    expect(await resolveModel({ ...config, model })).toMatchObject({
      failure: { message: expect.stringMatching(message) },
    })
  })

test('Ollama is asked where its variable says that it listens', async () => {
  for (const [host, destination] of [
    ['box', 'box:11434'],
    [':9', '127.0.0.1:9'],
    ['0.0.0.0', '127.0.0.1:11434'],
    ['https://box/ollama', 'box'],
    ['no address', '127.0.0.1:11434'],
  ] as const) {
    const resolved = await resolveModel({ model: 'ollama/m', values: { ollama: { host } } })
    expect(unwrap(resolved).destination).toBe(destination)
  }
})

test('an Ollama elsewhere is not looked for on this machine', () => {
  const titles = (host: string) => localServers({ ollama: { host } }).map(({ title }) => title)
  expect(titles('127.0.0.1:9')).toEqual(['Ollama', 'LM Studio', 'llama.cpp', 'vLLM'])
  expect(titles('box')).toEqual(['LM Studio', 'llama.cpp', 'vLLM'])
})

test('a model that is not on this machine is announced with what is sent where', async () => {
  const notice = async (model: string, baseUrl?: string) =>
    firstUseNotice(unwrap(await resolveModel({ ...config, model, baseUrl })))
  expect(await notice('claude-x')).toMatch(
    /^anthropic\/claude-x runs at api\.anthropic\.com\. .* sent there\.$/,
  )
  expect(await notice('ollama/qwen3:8b')).toBeUndefined()
  expect(await notice('x', 'http://localhost:1/v1')).toBeUndefined()
  expect(await notice('x', 'http://localhost.evil.example/v1')).toContain('localhost.evil.example')
  expect(await notice('scripted/demo')).toBeUndefined()
})

let server: FaultServer | undefined
afterEach(() => server?.close())

const at = (title: string, baseUrl: string) => ({ title, prefix: `${title}/`, baseUrl })

test('a local server is found with its models, and other services are passed over', async () => {
  server = await startFaultServer([], { '/v1/models': { data: [{ id: 'a' }, { id: 'b' }, {}] } })
  const servers = await findServers(
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
  expect(await findServers([at('silent', `http://127.0.0.1:${port}/v1`)], 200)).toEqual([])
  silent.close()
})
