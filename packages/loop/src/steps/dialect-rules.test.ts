import { expect, onTestFinished, test } from 'vitest'
import { createChatModel } from '../dialects/chat-completions/model.ts'
import { createAnthropic } from '../models/anthropic/model.ts'
import { createGoogle } from '../models/google/model.ts'
import { createOpenAi } from '../models/openai/model.ts'
import type { Model } from '../port/model.ts'
import { dialects, named, play } from '../testing/dialects.ts'
import { chunk, events, type Reply, startFaultServer, status } from '../testing/fault-server.ts'
import { runSession } from '../testing/run-session.ts'
import {
  anthropic,
  deepSeek,
  gemini,
  mistral,
  type Rule,
  responses,
  startStrictServer,
} from '../testing/strict-server.ts'
import {
  ask,
  createProcess,
  createWorld,
  linesOf,
  send,
  type TestTool,
  type World,
} from '../testing/world.ts'

const bye = events([chunk.text('Bye.'), chunk.finish('stop'), chunk.usage(20, 5)])
const thought = (reasoning_content: string) => ({ choices: [{ delta: { reasoning_content } }] })
const reading = (path: string, ...before: readonly unknown[]) =>
  events([
    ...before,
    chunk.call(0, 'call_1', 'read', JSON.stringify({ path })),
    chunk.finish('tool_calls'),
    chunk.usage(10, 5),
  ])

/** Opens another active file with each read, so that a late layer follows the result. */
const tools: Readonly<Record<string, TestTool>> = {
  read: {
    readOnly: true,
    run: ({ path }, { world }) => {
      const text = `text of ${path}`
      world.active = { files: [{ path: String(path), version: '1', isDirty: false, text }] }
      return { text }
    },
  },
}

test('DeepSeek gets its reasoning back with each turn that called tools, an empty one too', async () => {
  const rule = deepSeek(['I should look.', ''])
  const replies = [
    reading('a', thought('I should '), thought('look.')),
    reading('b', thought('')),
    bye,
  ]
  const { outcome, server } = await converse(rule, replies)
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(server.refusals).toHaveLength(0)
})

test('turns of another model get an empty reasoning once DeepSeek misses it', async () => {
  const world = createWorld()
  await converse(() => undefined, [reading('a'), bye], { world, name: 'test/other' })
  const { outcome, server } = await converse(deepSeek([]), [bye], { world })
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(server.refusals).toHaveLength(1)
})

test('an endpoint that takes no reasoning gets none after its first refusal', async () => {
  const strict: Rule = ({ messages }: { messages: object[] }) =>
    messages.some(message => 'reasoning_content' in message)
      ? { code: 400, body: { error: { message: "property 'reasoning_content' is unsupported" } } }
      : undefined
  const { outcome, server } = await converse(strict, [
    reading('a', thought('Hm.')),
    reading('b'),
    bye,
  ])
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(server.refusals).toHaveLength(1)
})

test('Mistral gets its ids and its order of roles after one refusal each', async () => {
  const { outcome, server, world } = await converse(mistral, [reading('a'), reading('b'), bye])
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(server.refusals).toHaveLength(2)
  const { messages } = server.requests.at(-1)!.body
  expect(messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(
      /^text of b\n\n\[Filewright\] Not part of the result above:\nActive/,
    ),
  })
  expect(linesOf(world, 'retry')).toEqual([])
})

test('a message of the person after a result reaches Mistral with that result', async () => {
  const world = createWorld()
  const server = await startStrictServer(mistral, [reading('a'), bye])
  onTestFinished(server.close)
  const steering: Readonly<Record<string, TestTool>> = {
    read: {
      readOnly: true,
      run: () => {
        send(world, port, { type: 'steer', text: 'Use b.' })
        return { text: 'text of a' }
      },
    },
  }
  ask(world, 'Read a.', steering)
  const port = createProcess(world, { model: chatAt(server.url), tools: steering })
  expect(await runSession(port)).toMatchObject({ reason: 'final' })
  expect(server.requests.at(-1)!.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: 'text of a\n\n[Filewright] Not part of the result above:\nUse b.',
  })
})

test('a template that only alternates gets no user message after another', async () => {
  const alternating: Rule = ({ messages }: { messages: { role: string }[] }) =>
    messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'user')
      ? {
          code: 400,
          body: {
            error: {
              message:
                'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.',
            },
          },
        }
      : undefined
  const world = createWorld()
  world.active = { files: [{ path: 'a', version: '1', isDirty: false, text: 'here' }] }
  const { outcome, server } = await converse(alternating, [bye], { world })
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(server.refusals).toHaveLength(1)
})

test('Gemini gets its signatures back, and no other model gets them', async () => {
  const world = createWorld()
  const answer = (model: string) => [
    play(dialects.google.map(text => text.replace('s1g', `of ${model}`))),
    play([`data: ${JSON.stringify(GEMINI_BYE)}\n\n`]),
  ]
  const pro = 'gemini-3-pro-preview'
  const flash = 'gemini-3-flash-preview'
  for (const id of [pro, flash, pro]) {
    const server = await startStrictServer(gemini, answer(id))
    onTestFinished(server.close)
    const model = createGoogle({ id, apiKey: 'k', baseUrl: server.url })
    expect(await runWith(model, world)).toMatchObject({ reason: 'final' })
    expect(server.refusals).toHaveLength(0)
    const sent = JSON.stringify(server.requests.at(-1)!.body)
    expect(sent).toContain(`of ${id}`)
    expect(sent).not.toContain(`of ${id === pro ? flash : pro}`)
  }
})

test("Gemini's quota per minute is waited for", async () => {
  const minute = geminiQuota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '39s')
  const { outcome, world } = await gemini1([
    minute,
    play([`data: ${JSON.stringify(GEMINI_BYE)}\n\n`]),
  ])
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(linesOf(world, 'retry').map(({ wait_ms }) => wait_ms)).toEqual([39_000])
})

test("Gemini's quota per day ends the run with the time of its reset, and is no bad key", async () => {
  const day = geminiQuota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '51s')
  const { outcome, world, requests } = await gemini1([day])
  expect(outcome).toMatchObject({
    reason: 'failed',
    message: expect.stringMatching(
      /^Today's quota of google\/gemini-3-pro-preview is used up \(GenerateRequestsPerDay.*\)\. It resets at \d{4}-\d\d-\d\d 0[78]:00 UTC \(in \d+ h\)/,
    ),
  })
  expect(outcome).not.toMatchObject({ message: expect.stringMatching(/key/) })
  expect(linesOf(world, 'retry')).toEqual([])
  expect(requests).toBe(1)
})

test('Anthropic gets a request again with the output that its context has room for', async () => {
  const server = await startStrictServer(
    anthropic(200_000, () => 140_000),
    [play(ANTHROPIC_BYE)],
  )
  onTestFinished(server.close)
  const world = createWorld()
  const outcome = await runWith(anthropicAt(server.url), world)
  expect(outcome).toMatchObject({ reason: 'final' })
  expect(server.refusals).toHaveLength(1)
  expect(server.requests.at(-1)!.body.max_tokens).toBe(60_000)
  expect(linesOf(world, 'compaction')).toEqual([])
})

test('a conversation that leaves Anthropic no room for output is compacted', async () => {
  let reads = 0
  const reply: Reply = (response, request) => {
    const isSummary = JSON.stringify(request.body.system).includes('Sum up the work')
    const read = () => dialects.anthropic.map(text => text.replace('\\"a\\"', `\\"a${reads}\\"`))
    return play(isSummary || ++reads > 6 ? ANTHROPIC_BYE : read())(response, request)
  }
  const server = await startStrictServer(
    anthropic(100_000, body => JSON.stringify(body).length),
    [reply],
  )
  onTestFinished(server.close)
  const world = createWorld()
  const long = { read: { readOnly: true, run: () => ({ text: 'word '.repeat(3_900) }) } }
  expect(await runWith(anthropicAt(server.url), world, long)).toMatchObject({ reason: 'final' })
  expect(linesOf(world, 'compaction').length).toBeGreaterThan(0)
  expect(reads).toBe(7)
})

test("OpenAI's reasoning between calls keeps its place", async () => {
  const order = ['reasoning', 'assistant', 'function_call', 'reasoning', 'function_call']
  const server = await startStrictServer(responses(order), [play(INTERLEAVED), play(OPENAI_BYE)])
  onTestFinished(server.close)
  const model = createOpenAi({ id: 'gpt-5', apiKey: 'k', baseUrl: server.url })
  expect(await runWith(model, createWorld())).toMatchObject({ reason: 'final' })
  expect(server.refusals).toHaveLength(0)
  const sent = server.requests.at(-1)!.body.input
  expect(sent.filter((item: { type?: string }) => item.type === 'reasoning')).toMatchObject([
    { encrypted_content: 'one' },
    { encrypted_content: 'two' },
  ])
})

test.each([
  ['whole', ['<think>The sum is 4.</think>\n\nFour.']],
  ['in pieces', ['<th', 'ink>The sum', ' is 4.<', '/thi', 'nk>\n', '\nFo', 'ur.']],
])('thinking in tags is not part of the answer and not sent again: %s', async (_, pieces) => {
  const world = createWorld()
  const replies = [events([...pieces.map(chunk.text), chunk.finish('stop')]), bye]
  const { server } = await converse(() => undefined, [replies[0]!], { world })
  expect(world.deltas.join('')).toBe('Four.')
  expect(linesOf(world, 'assistant_message')[0]).toMatchObject({
    text: 'Four.',
    reasoning: 'The sum is 4.',
  })
  await server.close()
  const next = await converse(() => undefined, [bye], { world })
  expect(JSON.stringify(next.server.requests[0]!.body)).not.toContain('The sum')
})

test('an answer that quotes the tags keeps them', async () => {
  const text = 'The file has <think>in it</think>.'
  const { world } = await converse(
    () => undefined,
    [events([chunk.text(text), chunk.finish('stop')])],
  )
  expect(linesOf(world, 'assistant_message')[0]).toMatchObject({ text })
})

const filtered = /^The provider of \S+ stopped the answer with its content filter\.$/

test.each<[string, (url: string) => Model, Reply]>([
  ['chat completions', chatAt, events([chunk.role, chunk.finish('content_filter')])],
  [
    'Azure',
    chatAt,
    status(400, {
      error: {
        code: 'content_filter',
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      },
    }),
  ],
  [
    'Anthropic',
    anthropicAt,
    play(
      dialects.anthropic.slice(0, 1).concat(
        named([
          {
            type: 'message_delta',
            delta: { stop_reason: 'refusal' },
            usage: { output_tokens: 1 },
          },
          { type: 'message_stop' },
        ]),
      ),
    ),
  ],
  [
    'Gemini',
    googleAt,
    play([
      `data: ${JSON.stringify({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })}\n\n`,
    ]),
  ],
  [
    'OpenAI',
    openAiAt,
    play(
      named([
        openAiCreated(),
        {
          type: 'response.incomplete',
          response: { incomplete_details: { reason: 'content_filter' }, usage: openAiUsage() },
        },
      ]),
    ),
  ],
])(
  'a content filter ends the run in one sentence, without another request: %s',
  async (_, open, reply) => {
    const server = await startFaultServer([reply])
    onTestFinished(server.close)
    const outcome = await runWith(open(server.url), createWorld())
    expect(outcome).toMatchObject({ reason: 'failed', message: expect.stringMatching(filtered) })
    expect(server.requests).toHaveLength(1)
  },
)

const GEMINI_BYE = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Bye.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 3, totalTokenCount: 14 },
}

const ANTHROPIC_BYE = [
  ...dialects.anthropic.slice(0, 1),
  ...named([
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Bye.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]),
]

const INTERLEAVED = named([
  openAiCreated(),
  ...itemOf(0, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'one' }),
  ...messageOf(1, 'First.'),
  ...callOf(2, 'a'),
  ...itemOf(3, { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'two' }),
  ...callOf(4, 'b'),
  openAiCompleted(),
])

const OPENAI_BYE = named([openAiCreated(), ...messageOf(0, 'Bye.'), openAiCompleted()])

function itemOf(output_index: number, item: object) {
  return [
    { type: 'response.output_item.added', output_index, item },
    { type: 'response.output_item.done', output_index, item },
  ]
}

function messageOf(output_index: number, delta: string) {
  const item = { type: 'message', id: `msg_${output_index}` }
  const [added, done] = itemOf(output_index, item)
  return [added!, { type: 'response.output_text.delta', item_id: item.id, delta }, done!]
}

function callOf(output_index: number, path: string) {
  const id = `fc_${output_index}`
  const call = { type: 'function_call', id, call_id: `c${output_index}`, name: 'read' }
  const args = JSON.stringify({ path })
  const [added] = itemOf(output_index, { ...call, arguments: '' })
  const [, done] = itemOf(output_index, { ...call, arguments: args, status: 'completed' })
  return [added!, done!]
}

function openAiCreated() {
  return { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } }
}

function openAiUsage() {
  return {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
  }
}

function openAiCompleted() {
  const response = { incomplete_details: null, usage: openAiUsage() }
  return { type: 'response.completed', response }
}

function geminiQuota(quotaId: string, retryDelay: string): Reply {
  return status(429, {
    error: {
      code: 429,
      message: `You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10 Please retry in ${retryDelay}.`,
      status: 'RESOURCE_EXHAUSTED',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [
            { quotaMetric: 'generate_content_free_tier_requests', quotaId, quotaValue: '10' },
          ],
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
      ],
    },
  })
}

async function gemini1(replies: readonly Reply[]) {
  const server = await startFaultServer(replies)
  onTestFinished(server.close)
  const world = createWorld()
  world.clock.runFreely()
  const model = createGoogle({ id: 'gemini-3-pro-preview', apiKey: 'k', baseUrl: server.url })
  const outcome = await runWith(model, world)
  return { outcome, world, requests: server.requests.length }
}

function chatAt(baseUrl: string): Model {
  return createChatModel({ name: 'test/model', id: 'm', baseUrl })
}

function anthropicAt(baseUrl: string): Model {
  return createAnthropic({ id: 'claude-sonnet-4-5', apiKey: 'k', baseUrl })
}

function googleAt(baseUrl: string): Model {
  return createGoogle({ id: 'gemini-3-pro-preview', apiKey: 'k', baseUrl })
}

function openAiAt(baseUrl: string): Model {
  return createOpenAi({ id: 'gpt-5', apiKey: 'k', baseUrl })
}

function runWith(model: Model, world: World, offered = tools) {
  ask(world, 'Read a and b.', offered)
  return runSession(createProcess(world, { model, tools: offered }))
}

/** One run of a chat-completions model at an endpoint that enforces the rule. */
async function converse(
  rule: Rule,
  replies: readonly Reply[],
  options: { world?: World; name?: string; tools?: typeof tools } = {},
) {
  const { world = createWorld(), name = 'test/model' } = options
  const server = await startStrictServer(rule, replies)
  onTestFinished(server.close)
  const model = createChatModel({ name, id: 'm', baseUrl: server.url })
  const outcome = await runWith(model, world, options.tools)
  return { outcome, server, world }
}
