import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { createChatModel } from '../dialects/chat-completions/model.ts'
import type { Model } from '../port/model.ts'
import {
  chunk,
  cutAfter,
  events,
  type FaultServer,
  keptAlive,
  type Reply,
  startFaultServer,
  status,
} from '../testing/fault-server.ts'
import { foldAll, runSession } from '../testing/run-session.ts'
import { ask, createProcess, createWorld, linesOf, type TestTool } from '../testing/world.ts'

interface ProviderFault {
  readonly fault: string
  readonly about?: string
  /** What the server answers first; then it writes one file and says goodbye. */
  readonly replies: readonly Reply[]
  readonly expected: {
    readonly retries?: number
    /** Each `retry` row's wait. */
    readonly waits?: readonly number[]
    readonly reason?: 'final' | 'limit' | 'failed'
    readonly message?: string | RegExp
    /** What the tools did; one write unless said otherwise. */
    readonly effects?: readonly string[]
    readonly codes?: readonly (string | null)[]
    /** Requests of unknown cost. */
    readonly unknownSpend?: number
    readonly compactions?: number
    /** The first answer never comes to its end, so that our patience does. */
    readonly isSilent?: true
  }
}

const WRITE = 'write {"path":"a.txt"}'
const BYE = [chunk.role, chunk.text('Bye.'), chunk.finish('stop'), chunk.usage(20, 5)]
const writeCall = chunk.call(0, 'call_1', 'write', '{"path":"a.txt"}')
const write = events([chunk.role, writeCall, chunk.finish('tool_calls'), chunk.usage(10, 5)])
const bye = events(BYE)
const cutText = (reason: string) =>
  events([chunk.text('Once upon'), chunk.finish(reason), chunk.usage(1, 1)])
const brokenText = events([
  chunk.text('<tool_call>{"name": "write", "arguments": {"path": </tool_call>'),
  chunk.finish('stop'),
  chunk.usage(1, 1),
])
const refused = (message: string) => ({ error: { message } })

/** Faults of a provider × their outcome: the log stays valid, and nothing is run twice. */
const faults: readonly ProviderFault[] = [
  {
    fault: 'no fault',
    about: 'streaming',
    replies: [],
    expected: {},
  },
  {
    fault: 'a stream cut in its text',
    about: 'broken stream',
    replies: [cutAfter([chunk.role, chunk.text('I wi')])],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'a stream cut within a tool call',
    about: 'broken stream',
    replies: [cutAfter([chunk.role, chunk.call(0, 'call_1', 'write', '{"path":"a')])],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'a stream cut after a whole tool call',
    about: 'broken stream',
    replies: [cutAfter([chunk.role, writeCall])],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'a stream that ends politely after a tool call, without a finish',
    about: 'broken stream',
    replies: [events([chunk.role, writeCall], { done: false })],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: '[DONE] after a tool call, without a finish',
    replies: [events([chunk.role, writeCall])],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'a malformed delta',
    about: 'broken stream',
    replies: [events([chunk.role, '{"choices":[{"delta":'])],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'chunks without a role',
    replies: [events([writeCall, chunk.finish('tool_calls'), chunk.usage(10, 5)]), bye],
    expected: {},
  },
  {
    fault: 'chunks without choices, null deltas, comments and pings',
    replies: [
      response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': processing\r\n\r\nevent: ping\r\ndata: {}\r\n\r\n')
        response.write('data: {"choices":[{"delta":null}]}\r\n\r\ndata:{"choices":[]}\r\n\r\n')
        response.end(
          `data: ${JSON.stringify(writeCall)}\r\n\r\ndata: ${JSON.stringify(chunk.finish('stop'))}\n\n`,
        )
      },
      bye,
    ],
    expected: { unknownSpend: 1 },
  },
  {
    fault: 'the same id for two calls',
    about: 'ids',
    replies: [
      events([
        chunk.call(0, 'dup', 'write', '{"path":"a.txt"}'),
        chunk.call(1, 'dup', 'write', '{"path":"b.txt"}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { effects: [WRITE, 'write {"path":"b.txt"}'], codes: [null, null] },
  },
  {
    fault: 'two calls with one index and two ids',
    replies: [
      events([
        chunk.call(0, 'c1', 'write', '{"path":"a.txt"}'),
        chunk.call(0, 'c2', 'write', '{"path":"b.txt"}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { effects: [WRITE, 'write {"path":"b.txt"}'], codes: [null, null] },
  },
  {
    fault: 'calls without an index, in pieces',
    replies: [
      events([
        chunk.call(undefined, 'c1', 'write', '{"path":'),
        chunk.call(undefined, undefined, undefined, '"a.txt"}'),
        chunk.call(undefined, 'c2', 'write', '{"path":"b.txt"}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { effects: [WRITE, 'write {"path":"b.txt"}'], codes: [null, null] },
  },
  {
    fault: 'an answer in one piece',
    about: 'one piece',
    replies: [
      status(200, {
        choices: [
          {
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: 'x',
                  type: 'function',
                  function: { name: 'write', arguments: '{"path":"a.txt"}' },
                },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      }),
      bye,
    ],
    expected: {},
  },
  {
    fault: 'broken JSON in the arguments of one of two calls',
    replies: [
      events([
        chunk.call(0, 'c1', 'write', '{"path":"b.txt'),
        chunk.call(1, 'c2', 'write', '{"path":"a.txt"}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { codes: ['INVALID_ARGUMENT', null] },
  },
  {
    fault: 'a call truncated at the output limit',
    replies: [
      events([
        chunk.call(0, 'c1', 'write', '{"path":"a.txt"}'),
        chunk.call(1, 'c2', 'write', '{"path":"b.t'),
        chunk.finish('length'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { effects: [], codes: ['INVALID_ARGUMENT', 'INVALID_ARGUMENT'] },
  },
  {
    fault: 'arguments as a JSON text within JSON',
    replies: [
      events([
        chunk.call(0, 'c', 'write', '"{\\"path\\":\\"a.txt\\"}"'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: {},
  },
  {
    fault: 'an answer with neither text nor calls',
    replies: [events([chunk.role, chunk.finish('stop'), chunk.usage(10, 0)])],
    expected: { retries: 1, unknownSpend: 0 },
  },
  {
    fault: '429 with Retry-After',
    about: 'rate limit',
    replies: [status(429, refused('slow down'), { 'retry-after': '7' })],
    expected: { retries: 1, waits: [7_000] },
  },
  {
    fault: '429 that asks for a day',
    about: 'rate limit',
    replies: [status(429, refused('enough for today'), { 'retry-after': '86400' })],
    expected: {
      retries: 0,
      reason: 'failed',
      message: /today\. It asks to wait 24 hours/,
      effects: [],
    },
  },
  {
    fault: '429 without Retry-After, twice',
    about: 'rate limit',
    replies: [status(429, refused('slow down')), status(429, refused('slow down'))],
    expected: { retries: 2, waits: [750, 1_500] },
  },
  {
    fault: '500, 502 with a page of HTML, 503',
    replies: [
      status(500, refused('oops')),
      status(502, '<html>Bad gateway</html>'),
      status(503, refused('busy')),
    ],
    expected: { retries: 3 },
  },
  {
    fault: '500 for ever',
    replies: [status(500, refused('broken'))].concat(Array(9).fill(status(500, refused('broken')))),
    expected: { retries: 5, reason: 'failed', message: /6 attempts.*broken/, effects: [] },
  },
  {
    fault: 'a page of HTML where the protocol should be',
    replies: [status(200, '<!doctype html><title>Login</title>')],
    expected: { reason: 'failed', message: /web page.*base URL/, effects: [] },
  },
  {
    fault: 'a refused key, quoted in the message',
    replies: [status(401, refused('Incorrect API key provided: sk-abcdefgh12345678'))],
    expected: { reason: 'failed', message: /key.*\[key\]$/, effects: [] },
  },
  {
    fault: 'a model that is not there',
    replies: [status(404, refused('model "x" not found'))],
    expected: { reason: 'failed', message: /no test\/model/, effects: [] },
  },
  {
    fault: 'no money left',
    replies: [status(429, refused('You exceeded your current quota, check your billing'))],
    expected: { reason: 'failed', message: /quota/, effects: [] },
  },
  {
    fault: 'a model that cannot call tools',
    about: 'no tools',
    replies: [status(400, refused('registry.ollama.ai/library/x does not support tools'))],
    expected: {
      reason: 'failed',
      message: 'test/model cannot call tools, so it cannot work on files: choose a model that can.',
      effects: [],
    },
  },
  {
    fault: 'a server that was started without tool calls',
    about: 'no tools',
    replies: [status(500, refused('tools param requires --jinja flag'))],
    expected: { reason: 'failed', message: /start its server with --jinja\.$/, effects: [] },
  },
  {
    fault: 'a model that writes its calls as text, and broken',
    about: 'no tools',
    replies: [brokenText, brokenText],
    expected: { reason: 'failed', message: /wrote a tool call as text/, effects: [] },
  },
  {
    fault: 'an answer stopped by a content filter',
    replies: [events([chunk.text('I'), chunk.finish('content_filter'), chunk.usage(1, 1)])],
    expected: { reason: 'failed', message: /content filter/, effects: [] },
  },
  {
    fault: 'an answer cut at the output limit is continued',
    about: 'cut answer',
    replies: [cutText('length')],
    expected: {},
  },
  {
    fault: 'an answer that is cut again and again is not done',
    about: 'cut answer',
    replies: [cutText('length'), cutText('length'), cutText('length')],
    expected: { reason: 'limit', message: /3 answers in a row were cut/, effects: [] },
  },
  ...['MAX_TOKENS', 'model_length', 'incomplete'].map(
    (reason): ProviderFault => ({
      fault: `an answer cut for the reason ${reason}`,
      about: 'cut answer',
      replies: [cutText(reason), cutText(reason), cutText(reason)],
      expected: { reason: 'limit', effects: [] },
    }),
  ),
  {
    fault: 'calls that are cut again and again',
    about: 'cut answer',
    replies: Array(3).fill(
      events([
        chunk.call(0, 'c', 'write', '{"path":"b.txt","content":"half of '),
        chunk.finish('length'),
        chunk.usage(1, 1),
      ]),
    ),
    expected: { reason: 'limit', codes: Array(3).fill('INVALID_ARGUMENT'), effects: [] },
  },
  {
    fault: 'an output limit that is reached before the first word',
    about: 'cut answer',
    replies: Array(3).fill(events([chunk.role, chunk.finish('length'), chunk.usage(1, 1)])),
    expected: { retries: 2, reason: 'failed', message: /output limit/, effects: [] },
  },
  {
    fault: 'a call in an answer stopped by a content filter',
    replies: [events([writeCall, chunk.finish('content_filter'), chunk.usage(1, 1)])],
    expected: { codes: ['INVALID_ARGUMENT', null] },
  },
  ...['error', 'abort', 'insufficient_system_resource'].map(
    (reason): ProviderFault => ({
      fault: `an answer that ended for the reason ${reason}`,
      about: 'broken stream',
      replies: [events([chunk.text('I'), writeCall, chunk.finish(reason), chunk.usage(1, 1)])],
      expected: { retries: 1 },
    }),
  ),
  {
    fault: 'a name that no tool can have',
    replies: [
      events([
        chunk.call(0, 'c', 'write file!', '{}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
    ],
    expected: { codes: ['UNKNOWN_TOOL', null] },
  },
  {
    fault: 'a context that is too small for the first request',
    replies: Array(9).fill(
      status(400, refused("This model's maximum context length is 4096 tokens.")),
    ),
    expected: {
      reason: 'failed',
      message: /context of test\/model: .* is 4096 tokens\. Choose a model with a larger/,
      effects: [],
    },
  },
  {
    fault: 'a context that is full in the middle of a run',
    replies: [
      write,
      status(400, refused('context_length_exceeded')),
      bye, // so little was said that there is nothing to sum up
    ],
    expected: { compactions: 1 },
  },
  {
    fault: 'an error within the stream',
    about: 'broken stream',
    replies: [events([chunk.role, { error: { message: 'Overloaded', code: 529 } }])],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'a first token that does not come',
    about: 'broken stream',
    replies: [() => {}],
    expected: { retries: 1, unknownSpend: 1, isSilent: true },
  },
  {
    fault: 'silence in the middle of an answer',
    about: 'broken stream',
    replies: [events([chunk.role, chunk.text('I')], { done: false, open: true })],
    expected: { retries: 1, unknownSpend: 1, isSilent: true },
  },
  {
    fault: 'a response that stays open after [DONE]',
    replies: [
      events([writeCall, chunk.finish('tool_calls'), chunk.usage(1, 1)], { open: true }),
      bye,
    ],
    expected: {},
  },
  {
    fault: 'a server that knows no stream_options',
    replies: [status(400, refused('unknown field stream_options'))],
    expected: {},
  },
  {
    fault: 'CRLF, comments, keep-alives, names and ids between events, data over two lines',
    about: 'streaming',
    replies: [
      raw(
        ': keep-alive\r\n\r\nevent: message\r\nid: 7\r\n',
        `data: ${JSON.stringify(writeCall)}\r\n\r`,
        '\n: still here\r\n\r\nretry: 3000\r\n',
        'data: {"choices":[{"index":0,"delta":{},\r\ndata: "finish_reason":"tool_calls"}]}\r\n\r\n',
        `data:${JSON.stringify(chunk.usage(1, 1))}\r\n\r\ndata: [DONE]\r\n\r\n`,
      ),
      bye,
    ],
    expected: {},
  },
  {
    fault: 'two calls whose pieces come interleaved',
    about: 'ids',
    replies: [
      events([
        chunk.call(0, 'a', 'write', '{"pa'),
        chunk.call(1, 'b', 'write', '{"path'),
        chunk.call(0, undefined, undefined, 'th":"a.txt"}'),
        chunk.call(1, undefined, undefined, '":"b.txt"}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { effects: [WRITE, 'write {"path":"b.txt"}'] },
  },
  {
    fault: 'two whole calls at one index, without ids',
    about: 'ids',
    replies: [
      events([
        chunk.call(0, '', 'write', '{"path":"a.txt"}'),
        chunk.call(0, '', 'write', '{"path":"b.txt"}'),
        chunk.finish('stop'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { effects: [WRITE, 'write {"path":"b.txt"}'] },
  },
  {
    fault: 'an answer in one piece with calls that have neither index nor id',
    about: 'one piece',
    replies: [
      status(200, {
        choices: [
          {
            message: {
              content: [{ type: 'text', text: 'Both.' }],
              tool_calls: [
                { function: { name: 'write', arguments: '{"path":"a.txt"}' } },
                { function: { name: 'write', arguments: { path: 'b.txt' } } },
              ],
            },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      }),
      bye,
    ],
    expected: { effects: [WRITE, 'write {"path":"b.txt"}'] },
  },
  {
    fault: 'a call without a name',
    replies: [
      events([
        chunk.text('I write.'),
        chunk.call(0, 'a', '', '{"path":"a.txt"}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
    ],
    expected: { retries: 1 },
  },
  {
    fault: 'lists that are none, and members that are null',
    replies: [
      events([
        { choices: {} },
        { choices: [null] },
        { choices: [{ delta: { tool_calls: {} } }] },
        { choices: [{ delta: { tool_calls: [null, { index: 0, function: null }] } }] },
        { choices: [{ delta: 'text', finish_reason: 7 }] },
        writeCall,
        { choices: [], usage: { prompt_tokens: 5, completion_tokens: 'five' } },
        chunk.finish('tool_calls'),
      ]),
      bye,
    ],
    expected: {},
  },
  {
    fault: '200 with an error as its body',
    replies: [status(200, refused('the engine is loading'))],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'an error object in the stream, as older servers send it',
    replies: [events([{ object: 'error', message: 'out of memory', code: 500 }])],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'a line that never ends',
    about: 'endless answer',
    replies: [raw('data: ', 'x'.repeat(17 * 1024 * 1024))],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'lines of one event that never ends',
    about: 'endless answer',
    replies: [raw(...Array(18).fill(`data: ${'x'.repeat(1024 * 1024)}\n`))],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'comments without an end',
    about: 'endless answer',
    replies: [raw(...Array(66).fill(`: ${'x'.repeat(1024 * 1024)}\n`))],
    expected: { retries: 1, unknownSpend: 1 },
  },
  {
    fault: 'calls without an end',
    about: 'endless answer',
    replies: [
      events([
        ...Array.from({ length: 200_000 }, (_, index) =>
          chunk.call(index, `c${index}`, 'write', '{}'),
        ),
        chunk.finish('tool_calls'),
      ]),
    ],
    expected: { reason: 'failed', message: /did not end its answer/, effects: [], unknownSpend: 1 },
  },
  {
    fault: 'a connection that is kept alive and says nothing',
    about: 'broken stream',
    replies: [keptAlive()],
    expected: { retries: 1, unknownSpend: 1, isSilent: true },
  },
  {
    fault: 'ids in each piece of a call, and no index',
    about: 'ids',
    replies: [
      events([
        chunk.call(undefined, 'c1', 'write', '{"path":'),
        chunk.call(undefined, 'c1', 'write', '"a.txt"}'),
        chunk.call(undefined, 'c1', 'write', '{"path":"b.txt"}'),
        chunk.finish('tool_calls'),
        chunk.usage(1, 1),
      ]),
      bye,
    ],
    expected: { effects: [WRITE, 'write {"path":"b.txt"}'], codes: [null, null] },
  },
  {
    fault: 'a use of less than nothing',
    replies: [events([writeCall, chunk.finish('tool_calls'), chunk.usage(-1e9, -1e9)]), bye],
    expected: { unknownSpend: 1 },
  },
  {
    fault: 'a redirect',
    replies: [status(308, '', { location: 'https://elsewhere.example/v1' })],
    expected: {
      reason: 'failed',
      message: /\(308, to https:\/\/elsewhere\.example\/v1\).*base URL/,
      effects: [],
    },
  },
  {
    fault: 'a body that is packed although nobody asked',
    replies: [
      response => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync(asText([writeCall, chunk.finish('tool_calls'), chunk.usage(1, 1)])))
      },
      bye,
    ],
    expected: {},
  },
  {
    fault: 'events without data, and a mark of the byte order before all',
    about: 'streaming',
    replies: [
      raw(
        '\ufeff',
        `data: ${JSON.stringify(writeCall)}\n\n`,
        'data:\n\n',
        'data: \n\n',
        asText([chunk.finish('stop')]),
      ),
      bye,
    ],
    expected: { unknownSpend: 1 },
  },
  {
    fault: 'a packed body that is cut',
    about: 'broken stream',
    replies: [
      response => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync(asText([writeCall, chunk.finish('tool_calls')])).subarray(0, 60))
      },
    ],
    expected: { retries: 1, unknownSpend: 1 },
  },
]

/** Pieces of a body, each in a packet of its own. */
function raw(...pieces: readonly string[]): Reply {
  return async response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) {
      response.write(piece)
      await new Promise(setImmediate)
    }
    response.end()
  }
}

function asText(chunks: readonly unknown[]): string {
  return [...chunks.map(one => JSON.stringify(one)), '[DONE]']
    .map(data => `data: ${data}\n\n`)
    .join('')
}

let server: FaultServer | undefined
afterEach(() => server?.close())

for (const fault of faultsAbout('streaming'))
  verifies(
    ['ADR-0010 §OpenAI Client streaming', 'ADR-0010 §OpenAI Client response'],
    fault.fault,
    () => expectOutcome(fault),
  )

for (const fault of faultsAbout('broken stream'))
  verifies(['CONTRACT §7 retry broken streams', 'CONTRACT §7 spend unknown'], fault.fault, () =>
    expectOutcome(fault),
  )

for (const fault of faultsAbout('ids'))
  verifies('ADR-0010 §OpenAI Client tool call', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('one piece'))
  verifies('ADR-0010 §OpenAI Client without streaming', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('rate limit'))
  verifies('CONTRACT §7 retry rate limits', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('cut answer'))
  verifies('CONTRACT §7 cut answer', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('endless answer'))
  verifies('CONTRACT §7 answer bounded', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout('no tools'))
  verifies('CONTRACT §7 model without tools', fault.fault, () => expectOutcome(fault))

for (const fault of faultsAbout(undefined)) test(fault.fault, () => expectOutcome(fault))

function faultsAbout(about: string | undefined): readonly ProviderFault[] {
  return faults.filter(fault => fault.about === about)
}

async function expectOutcome({ replies, expected }: ProviderFault): Promise<void> {
  const hasOwnEnd = replies.includes(bye)
  server = await startFaultServer(hasOwnEnd ? replies : [...replies, write, bye])
  const world = createWorld()
  const tools: Record<string, TestTool> = {
    write: { run: ({ path }) => ({ text: `wrote ${path}${' and looked at it'.repeat(1_000)}` }) },
  }
  const { url: baseUrl, requests } = server
  const waiting = (ms: number) =>
    createChatModel({
      name: 'test/model',
      id: 'x',
      baseUrl,
      timeouts: { firstByteMs: ms, silenceMs: ms, stallMs: ms },
    })
  const patient = waiting(60_000) // a busy machine is not silence
  const model: Model = {
    ...patient,
    stream: request =>
      (expected.isSilent && requests.length === 0 ? waiting(150) : patient).stream(request),
  }
  ask(world, 'go', tools)
  world.clock.runFreely()
  const outcome = await runSession(createProcess(world, { model, tools }))

  const { reason = 'final', message, effects = [WRITE], codes, unknownSpend = 0 } = expected
  expect(outcome).toMatchObject({ type: 'ended', reason })
  if (message && outcome.type === 'ended') expect(outcome.message).toMatch(message)
  expect(world.effects).toEqual(effects)
  expect(linesOf(world, 'retry')).toHaveLength(expected.retries ?? 0)
  if (expected.waits)
    expect(linesOf(world, 'retry').map(line => line.wait_ms)).toEqual(expected.waits)
  if (codes) expect(linesOf(world, 'tool_result').map(line => line.error_code)).toEqual(codes)
  expect(linesOf(world, 'usage').filter(line => line.usage.unknown)).toHaveLength(unknownSpend)
  expect(linesOf(world, 'compaction')).toHaveLength(expected.compactions ?? 0)
  expectValidLog(world.rows)
}

function expectValidLog(rows: ReturnType<typeof createWorld>['rows']): void {
  expect(rows.map(row => row.seq)).toEqual(rows.map((_, index) => index + 1))
  expect(foldAll(rows).run).toBeNull()
  const calls = rows.flatMap(({ body }) =>
    body.type === 'assistant_message' ? (body.tool_calls ?? []) : [],
  )
  const answered = rows.flatMap(({ body }) =>
    body.type === 'tool_result' ? [body.tool_call_id] : [],
  )
  expect(new Set(calls.map(call => call.id)).size).toBe(calls.length)
  expect([...answered].sort()).toEqual(calls.map(call => call.id).sort())
}
