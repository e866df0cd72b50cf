import { pipeline, Readable } from 'node:stream'
import type { ToolCallId } from '@filewright/protocol'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Model, ModelEvent, ModelMessage } from '../port/model.ts'
import { cutDialects, dialects, play } from '../testing/dialects.ts'
import {
  cutAfter,
  type FaultServer,
  type Reply,
  startFaultServer,
  status,
} from '../testing/fault-server.ts'
import { createAnthropic } from './anthropic/model.ts'
import { createGoogle } from './google/model.ts'
import { createOpenAi } from './openai/model.ts'

const providers = { openai: createOpenAi, anthropic: createAnthropic, google: createGoogle }

let server: FaultServer | undefined
afterEach(() => server?.close())

for (const provider of ['openai', 'anthropic', 'google'] as const) {
  const answer = dialects[provider]

  test(`${provider}: text, call, usage and finish come in order`, async () => {
    const events = await ask(provider, [play(answer)])
    expect(events.filter(event => event.type !== 'reasoning')).toMatchObject([
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', name: 'read', arguments: '{"path":"a"}' },
      { type: 'usage', usage: { inputTokens: 11, outputTokens: 3, cachedTokens: 4 } },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  test(`${provider}: a stream that ends before its finish is cut, wherever it ends`, async () => {
    for (let count = 1; count < answer.length - (provider === 'anthropic' ? 2 : 0); count++) {
      const events = await ask(provider, [play(answer.slice(0, count))])
      expect(events.at(-1), `after ${count} events`).toMatchObject({
        type: 'failure',
        failure: { cause: 'cut', retry: true, spent: true },
      })
      await server!.close()
    }
  })

  verifies(
    'CONTRACT §7 cut answer',
    `${provider}: an answer cut at the output limit says so, its call in the middle too`,
    async () => {
      const events = await ask(provider, [play(cutDialects[provider])])
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' })
      const [call] = events.filter(event => event.type === 'tool-call')
      if (provider !== 'google') expect(call).toMatchObject({ arguments: '{"path":"' })
    },
  )

  test(`${provider}: a connection that breaks is a failure that may be retried`, async () => {
    const events = await ask(provider, [cutAfter([])])
    expect(events.at(-1)).toMatchObject({ type: 'failure', failure: { retry: true } })
  })

  verifies(
    'CONTRACT §7 retry rate limits',
    `${provider}: a rate limit says how long to wait`,
    async () => {
      const limited = status(429, { error: { message: 'slow' } }, { 'retry-after': '3' })
      expect(await ask(provider, [limited])).toMatchObject([
        { failure: { cause: 'rate-limit', retry: true, retryAfterMs: 3_000, spent: false } },
      ])
      expect(server!.requests).toHaveLength(1)
    },
  )

  verifies(
    'CONTRACT §8 what was sent',
    `${provider}: requests go to the configured endpoint`,
    async () => {
      await ask(provider, [play(answer)])
      const [path] = server!.requests[0]!.path.split('?')
      const { endpoint } = createModel(provider, server!.url)
      expect(endpoint()).toBe(`${new URL(server!.url).origin}${path}`)
    },
  )

  test(`${provider}: a redirect is reported, and the key is not sent there`, async () => {
    const elsewhere = await startFaultServer([play(answer)])
    onTestFinished(elsewhere.close)
    const location = `${elsewhere.url}/elsewhere`
    expect(await ask(provider, [status(307, '', { location })])).toMatchObject([
      { failure: { cause: 'invalid', retry: false, message: expect.stringContaining(location) } },
    ])
    expect(elsewhere.connections).toBe(0)
  })

  test(`${provider}: a web page in place of an answer is reported, and not requested again`, async () => {
    expect(await ask(provider, [status(200, '<html>Sign in</html>')])).toMatchObject([
      { failure: { cause: 'malformed', retry: false, message: expect.stringMatching(/web page/) } },
    ])
  })

  verifies(
    'CONTRACT §7 answer bounded',
    `${provider}: a line that never ends is given up`,
    async () => {
      const endless: Reply = response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const bytes = Buffer.alloc(1024 * 1024, 'x')
        const source = new Readable({ read: () => void source.push(bytes) })
        pipeline(source, response, () => {})
      }
      expect((await ask(provider, [endless], { patienceMs: 120_000 })).at(-1)).toMatchObject({
        failure: { retry: false, message: expect.stringMatching(/did not end its answer/) },
      })
    },
  )

  test(`${provider}: a refused key is not tried again`, async () => {
    expect(await ask(provider, [status(401, { error: { message: 'bad key' } })])).toMatchObject([
      { failure: { cause: 'denied', retry: false } },
    ])
  })

  verifies(
    'CONTRACT §8 tokens not in the journal',
    `${provider}: a refusal that quotes the key is reported without it`,
    async () => {
      const said = `${'no '.repeat(95)}${KEY} is not known`
      const [event] = await ask(provider, [status(401, { error: { message: said } })])
      expect(event).toMatchObject({ failure: { message: expect.stringContaining('[key]') } })
      expect(JSON.stringify(event)).not.toContain(KEY.slice(0, 8))
    },
  )

  test(`${provider}: silence and a cancel end the request`, async () => {
    const hang: Reply = () => {}
    const silent = await ask(provider, [hang], { patienceMs: 150 })
    expect(silent).toMatchObject([{ failure: { cause: 'timeout' } }])
    await server!.close()
    const aborted = await ask(provider, [hang], { signal: AbortSignal.timeout(20) })
    expect(aborted).toMatchObject([{ failure: { cause: 'aborted', retry: false } }])
  })

  test(`${provider}: signed content goes back, with our ids and with pictures`, async () => {
    const events = await ask(provider, [play(answer)])
    await server!.close()
    const finish = events.at(-1) as { provider?: unknown }
    const id = 'tc_1' as ToolCallId
    const picture = { mediaType: 'image/png', base64: 'iVBORw0KGgo=' }
    const messages: ModelMessage[] = [
      {
        role: 'user',
        text: 'go',
        images: [{ mediaType: 'image/png', base64: 'bXkgcGljdHVyZQ==' }],
      },
      {
        role: 'assistant',
        text: 'Hello',
        calls: [{ id, name: 'read', arguments: '{"path":"a"}' }],
        provider: JSON.parse(JSON.stringify(finish.provider ?? null)) ?? undefined,
      },
      {
        role: 'tool',
        callId: id,
        name: 'read',
        text: 'a picture',
        failed: false,
        images: [picture],
      },
    ]
    await ask(provider, [play(answer)], { messages })
    const sent = JSON.stringify(server!.requests[0]!.body)
    expect(sent).toContain('iVBORw0KGgo=')
    expect(sent).toContain('bXkgcGljdHVyZQ==')
    expect(sent).toContain('"read"')
    expect(sent).not.toContain('item_reference')
    if (provider !== 'google') expect(sent.match(/tc_1/g)).toHaveLength(2)
    if (provider !== 'openai') expect(sent).toContain('s1g')
    if (provider === 'openai')
      expect(server!.requests[0]!.body).toMatchObject({ store: false, prompt_cache_key: 'con_1' })
    if (provider === 'anthropic') expect(sent.match(/"cache_control"/g)).toHaveLength(2)
  })
}

const KEY = 'Zq7/recognisable+9f3b2c'

function createModel(
  provider: keyof typeof providers,
  baseUrl: string,
  patienceMs = 20_000, // a busy machine is not silence
): Model {
  const timeouts = { firstByteMs: patienceMs, silenceMs: patienceMs }
  return providers[provider]({ id: 'm', apiKey: KEY, baseUrl, timeouts })
}

async function ask(
  provider: keyof typeof providers,
  replies: readonly Reply[],
  more: { signal?: AbortSignal; messages?: readonly ModelMessage[]; patienceMs?: number } = {},
): Promise<ModelEvent[]> {
  server = await startFaultServer(replies)
  const model = createModel(provider, server.url, more.patienceMs)
  const events: ModelEvent[] = []
  const request = {
    system: 'You are a test.',
    messages: more.messages ?? [{ role: 'user' as const, text: 'go' }],
    tools: [
      { name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
    ],
    step: 0,
    cacheKey: 'con_1',
    signal: more.signal ?? new AbortController().signal,
  }
  for await (const event of model.stream(request)) events.push(event)
  return events
}
