import type { Server, ServerContext } from '@modelcontextprotocol/server'
import type { Sdk } from '../../../apps/mcp/src/protocol/sdk.ts'
import { AUDIO, contents, PICTURE, prompts, resources } from './fixture-readings.ts'
import { type Asker, askers } from './input-required.ts'

// The tools, resources and prompts that the conformance suite asks for by name, behind our own entry over HTTP.

// biome-ignore lint/suspicious/noExplicitAny: the suite decides what comes and goes
export type Loose = any

export interface Fixture {
  readonly sdk: Sdk
  /** Tells those who listen that a list changed. */
  readonly notify: () => { toolsChanged(): void; promptsChanged(): void }
}

type Tool = (given: Loose, context: ServerContext) => Promise<Loose> | Loose

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
const EMBEDDED = { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' }

/** What most scenarios call. */
const plain: Readonly<Record<string, Tool>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({
    content: [{ type: 'image', data: PICTURE, mimeType: 'image/png' }],
  }),
  test_audio_content: () => ({
    content: [{ type: 'audio', data: AUDIO, mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: () => ({ content: [{ type: 'resource', resource: EMBEDDED }] }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PICTURE, mimeType: 'image/png' },
      { type: 'resource', resource: EMBEDDED },
    ],
  }),
  test_error_handling: () => ({
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  async test_tool_with_logging(_, { mcpReq }) {
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ])
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
    return text('Logged.')
  },
  async test_tool_with_progress(_, { mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken ?? 0
    for (const progress of [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
    return text(String(progressToken))
  },
  async test_sampling({ prompt }, { mcpReq }) {
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }]
    const said: Loose = await mcpReq.requestSampling({ messages, maxTokens: 100 } as never)
    return text(`LLM response: ${said.content.text}`)
  },
  async test_elicitation({ message }, { mcpReq }) {
    const properties = { username: { type: 'string' }, email: { type: 'string' } }
    return text(await elicited(mcpReq, message, properties, ['username', 'email']))
  },
  async test_elicitation_sep1034_defaults(_, { mcpReq }) {
    return text(await elicited(mcpReq, 'Please review the form', WITH_DEFAULTS))
  },
  async test_elicitation_sep1330_enums(_, { mcpReq }) {
    return text(await elicited(mcpReq, 'Please select options', ENUMS))
  },
  test_streaming_elicitation: () => text('Streaming complete'),
  async test_logging_tool(_, { mcpReq }) {
    await mcpReq.log('info', 'Diagnostic') // only where the request asks for a level
    return text('Logging evaluated')
  },
}

const WITH_DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}
const THREE = ['option1', 'option2', 'option3']
const TITLED = ['value1', 'value2', 'value3'].map(value => ({
  const: value,
  title: `The ${value}`,
}))
const ENUMS = {
  untitledSingle: { type: 'string', enum: THREE },
  titledSingle: { type: 'string', oneOf: TITLED },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['One', 'Two', 'Three'],
  },
  untitledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { type: 'string', enum: THREE },
  },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: TITLED } },
}

async function elicited(
  mcpReq: ServerContext['mcpReq'],
  message: string,
  properties: object,
  required: readonly string[] = [],
): Promise<string> {
  const requestedSchema = { type: 'object', properties, required }
  const reply = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema } as never, {
    relatedRequestId: mcpReq.id,
  })
  return `action=${reply.action}, content=${JSON.stringify(reply.content ?? {})}`
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

export function createFixtureServer({ sdk, notify }: Fixture, states: Asker['states']): Server {
  const server = new sdk.Server(
    { name: 'conformance-fixture', version: '1' },
    {
      capabilities: CAPABILITIES,
      inputRequired: { legacyShim: false },
      requestState: { verify: (state, context) => states.verify(state, context) },
    },
  )
  const asking = askers({ sdk, states })
  const changes: Readonly<Record<string, Tool>> = {
    test_trigger_tool_change: () => {
      notify().toolsChanged()
      return text('Told.')
    },
    test_trigger_prompt_change: () => {
      notify().promptsChanged()
      return text('Told.')
    },
    test_missing_capability: (_, { mcpReq }) => {
      const envelope: Loose = mcpReq.envelope
      if (envelope?.['io.modelcontextprotocol/clientCapabilities']?.sampling) return text('There.')
      const data = { requiredCapabilities: { sampling: {} } }
      throw new sdk.ProtocolError(-32021, 'It needs sampling.', data)
    },
  }
  const tools: Readonly<Record<string, Tool>> = { ...plain, ...asking.tools, ...changes }
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map(name => ({
      name,
      description: name,
      inputSchema: { type: 'object' as const, properties: {} },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools[params.name]
    if (!tool) throw new sdk.ProtocolError(-32602, `There is no tool ${params.name}.`)
    return tool(params.arguments ?? {}, context)
  })
  addReadings(server, sdk, asking.prompt)
  return server
}

function addReadings(server: Server, sdk: Sdk, asksFirst: Tool): void {
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ name: 'template', uriTemplate: 'test://template/{id}/data' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = contents(uri)
    if (!found) throw new sdk.ProtocolError(-32602, `There is nothing at ${uri}.`, { uri })
    return { contents: [found] }
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('logging/setLevel', () => ({}))
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, arguments: given }) => ({
      name,
      description: `For the suite: ${name}`,
      arguments: given,
    })),
  }))
  server.setRequestHandler('prompts/get', (({ params }: Loose, context: ServerContext) => {
    if (params.name === 'test_input_required_result_prompt') return asksFirst({}, context)
    const found = prompts.find(({ name }) => name === params.name)
    if (!found) throw new sdk.ProtocolError(-32602, `There is no prompt ${params.name}.`)
    return { messages: found.messages(params.arguments ?? {}) }
  }) as never)
}
