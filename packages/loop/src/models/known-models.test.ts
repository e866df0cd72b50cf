import { unwrap } from '@filewright/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createChatModel } from '../dialects/chat-completions/model.ts'
import type { FactsByModel, Model } from '../port/model.ts'
import { chunk, events, startFaultServer } from '../testing/fault-server.ts'
import { type Refusal, type Rule, startStrictServer } from '../testing/strict-server.ts'
import { createAnthropic } from './anthropic/model.ts'
import { createGoogle } from './google/model.ts'
import { knownFacts } from './known-model.ts'
import { localServers } from './model-servers.ts'
import { createOpenAi } from './openai/model.ts'
import { findProvider, providers } from './provider-table.ts'
import { resolveModel } from './resolve-model.ts'

verifies('CONTRACT §7 limit prices', 'every table of models has its date and whole facts', () => {
  const tables = providers.flatMap(({ known }) => known ?? [])
  expect(tables.length).toBeGreaterThanOrEqual(3)
  for (const { asOf, models } of tables) {
    expect(asOf).toMatch(/^2026-\d\d-\d\d$/)
    for (const [id, { contextTokens, outputTokens, price, effortLevels }] of Object.entries(
      models,
    )) {
      expect(contextTokens, id).toBeGreaterThanOrEqual(100_000)
      expect(outputTokens, id).toBeGreaterThanOrEqual(16_384)
      expect(price!.output, id).toBeGreaterThan(price!.input)
      expect(price!.cachedInput, id).toBeLessThan(price!.input)
      expect(effortLevels, id).toBeInstanceOf(Array)
    }
  }
})

test('a snapshot has the facts of its model, and a model nobody listed has none', () => {
  const anthropic = findProvider('anthropic')!
  const openai = findProvider('openai')!
  const sonnet = knownFacts(anthropic, 'claude-sonnet-4-5')
  expect(sonnet).toMatchObject({ contextTokens: 200_000 })
  expect(knownFacts(anthropic, 'claude-sonnet-4-5-20250929')).toBe(sonnet)
  expect(knownFacts(openai, 'gpt-5-2025-08-07')).toBe(knownFacts(openai, 'gpt-5'))
  expect(knownFacts(openai, 'gpt-5-mini')).not.toBe(knownFacts(openai, 'gpt-5'))
  for (const id of ['gpt-5-giant', 'claude-opus-4', 'constructor', ''])
    expect(knownFacts(openai, id)).toBeUndefined()
})

test('what a person set goes before the table and before what an endpoint says', async () => {
  const set = { contextTokens: 5_000, price: { input: 1, output: 2 } }
  const values = { anthropic: { key: 'k' } }
  const opened = (facts: FactsByModel) => resolveModel({ model: 'claude-opus-5', values, facts })
  expect(unwrap(await opened({})).facts).toMatchObject({ contextTokens: 1_000_000 })
  for (const name of ['claude-opus-5', 'anthropic/claude-opus-5'])
    expect(unwrap(await opened({ [name]: set })).facts).toMatchObject({
      ...set,
      outputTokens: 128_000,
    })

  const server = await startFaultServer([], {
    '/v1/models': { data: [{ id: 'm', max_model_len: 9 }] },
  })
  onTestFinished(server.close)
  const model = unwrap(await resolveModel({ model: 'm', baseUrl: server.url, facts: { m: set } }))
  expect(await model.learn!(AbortSignal.timeout(5_000))).toMatchObject(set)
})

test('the output that a person set goes with each request, under the name that the endpoint takes', async () => {
  const rule: Rule = body =>
    'max_tokens' in body
      ? refused(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        )
      : undefined
  const server = await startStrictServer(rule, [events([chunk.text('Hi.'), chunk.finish('stop')])])
  onTestFinished(server.close)
  const facts = { m: { outputTokens: 1_000 } }
  await drain(unwrap(await resolveModel({ model: 'm', baseUrl: server.url, facts })))
  expect(server.requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 1_000 })
})

test('every provider can be given another address', async () => {
  for (const { id, takes, demonstration } of providers) {
    if (demonstration) continue
    const [field, setting] = Object.entries(takes)[0]!
    expect(setting!.name, id).toBe(`${id}-url`)
    const values = { [id]: { key: 'k', [field]: 'http://box:99/v1' } }
    const model = unwrap(await resolveModel({ model: `${id}/m`, values }))
    expect(model.destination, id).toBe('box:99')
    expect(localServers(values).map(({ prefix }) => prefix)).not.toContain(`${id}/`)
  }
})

test('an address that only looks like this machine is not searched for models', () => {
  const values = { vllm: { address: 'http://localhost.evil.example/v1' } }
  expect(localServers(values).map(({ prefix }) => prefix)).not.toContain('vllm/')
})

/** What Anthropic takes of each kind of model, in its words. */
const thinking: Rule = ({
  model,
  thinking: { type, budget_tokens } = {},
  output_config,
  max_tokens,
}) => {
  const isOld = /-4-5/.test(model)
  if (isOld && (type === 'adaptive' || output_config))
    return refused('adaptive thinking is not supported on this model')
  if (!isOld && type === 'enabled')
    return refused(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    )
  if (type === 'enabled' && budget_tokens >= max_tokens)
    return refused('`max_tokens` must be greater than `thinking.budget_tokens`')
  return undefined
}

const efforts: [id: string, effort: string | undefined, sent: object][] = [
  ['claude-opus-5-5', undefined, { thinking: { type: 'adaptive' } }],
  [
    'claude-opus-5-5',
    'xhigh',
    { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
  ],
  [
    'claude-sonnet-4-5-20250929',
    undefined,
    { thinking: { type: 'enabled', budget_tokens: 8_192 } },
  ],
  ['claude-haiku-4-5', 'high', { thinking: { type: 'enabled', budget_tokens: 24_576 } }],
  ['gpt-5', 'minimal', { reasoning: { effort: 'minimal' } }],
  ['gpt-6-sol', 'max', { reasoning: { effort: 'max' } }],
  [
    'gemini-3.1-pro-preview',
    'low',
    { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } },
  ],
  ['gemini-2.5-flash', 'low', { generationConfig: { thinkingConfig: { thinkingBudget: 2_048 } } }],
]

for (const [id, effort, sent] of efforts)
  test(`${id} with effort ${effort ?? 'unset'} is asked in its own words`, async () => {
    const server = await startStrictServer(thinking, [events([], { done: false })])
    onTestFinished(server.close)
    const options = { id, apiKey: 'k', baseUrl: server.url, facts: factsOf(id) }
    const create = /^claude/.test(id)
      ? createAnthropic
      : /^gpt/.test(id)
        ? createOpenAi
        : createGoogle
    await drain(create(options), effort)
    expect(server.refusals).toEqual([])
    expect(server.requests[0]!.body).toMatchObject(sent)
  })

test('an endpoint of chat completions gets the effort as it was given', async () => {
  const server = await startFaultServer([events([chunk.text('Hi.'), chunk.finish('stop')])])
  onTestFinished(server.close)
  await drain(createChatModel({ name: 'm', id: 'm', baseUrl: server.url }), 'high')
  expect(server.requests[0]!.body).toMatchObject({ reasoning_effort: 'high' })
})

function factsOf(id: string) {
  return knownFacts(providers.find(({ family }) => family?.test(id))!, id)
}

function refused(message: string): Refusal {
  return { code: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
}

async function drain(model: Model, effort?: string): Promise<void> {
  const signal = new AbortController().signal
  const messages = [{ role: 'user', text: 'Hi.' }] as const
  const request = { system: '', messages, tools: [], step: 0, signal, ...(effort && { effort }) }
  for await (const _ of model.stream(request));
}
