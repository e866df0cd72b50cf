import { afterEach, expect, test } from 'vitest'
import { type FaultServer, startFaultServer } from '../testing/fault-server.ts'
import { findModel } from './find-model.ts'
import type { ModelServer } from './model-servers.ts'
import { findProvider } from './provider-table.ts'

const servers: FaultServer[] = []
afterEach(() => Promise.all(servers.splice(0).map(server => server.close())))

async function serve(
  provider: string,
  models: readonly string[],
  more: { pages?: Record<string, unknown>; capabilities?: Record<string, readonly string[]> } = {},
) {
  const data = models.map(id => ({ id }))
  const pages = { '/v1/models': { data }, ...more.pages }
  const server = await startFaultServer(
    [
      (response, { path, body }) => {
        const capabilities = path === '/api/show' ? more.capabilities?.[body.model] : undefined
        response.writeHead(capabilities ? 200 : 404).end(JSON.stringify({ capabilities }))
      },
    ],
    pages,
  )
  servers.push(server)
  const { callsTools } = findProvider(provider)!.local!
  return { title: provider, prefix: `${provider}/`, baseUrl: server.url, callsTools }
}

const PATIENCE_MS = 60_000 // a busy machine is not silence
const find = (places: readonly ModelServer[]) => findModel(places, PATIENCE_MS)

const GONE = { title: 'Gone', prefix: 'gone/', baseUrl: 'http://127.0.0.1:1/v1' }

test('of a server that lists abilities, a model that calls tools is taken, and none that cannot', async () => {
  const ollama = await serve('ollama', ['nomic-embed-text', 'gemma', 'qwen3:8b', 'llama3'], {
    capabilities: {
      'nomic-embed-text': ['embedding'],
      gemma: ['completion'],
      'qwen3:8b': ['completion', 'tools'],
      llama3: ['completion', 'tools'],
    },
  })
  expect(await find([GONE, ollama])).toEqual({ name: 'ollama/qwen3:8b', title: 'ollama' })
  const plain = await serve('ollama', ['gemma'], { capabilities: { gemma: ['completion'] } })
  expect(await find([plain])).toBeUndefined()
})

test('one that is known to call tools goes before one of which nothing is known', async () => {
  const llama = await serve('llamacpp', ['some.gguf'])
  const studio = await serve('lmstudio', ['embedder', 'qwen'], {
    pages: {
      '/api/v0/models': {
        data: [
          { id: 'embedder', type: 'embeddings' },
          { id: 'qwen', type: 'llm', capabilities: ['tool_use'] },
        ],
      },
    },
  })
  expect(await find([llama, studio])).toEqual({
    name: 'lmstudio/qwen',
    title: 'lmstudio',
  })
  expect(await find([llama])).toEqual({ name: 'llamacpp/some.gguf', title: 'llamacpp' })
})

test('with nothing there the search is over at once', async () => {
  const started = performance.now()
  expect(await find([GONE])).toBeUndefined()
  expect(performance.now() - started).toBeLessThan(PATIENCE_MS / 2)
})
