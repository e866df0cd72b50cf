import type { ServerContext } from '@modelcontextprotocol/server'
import type { FormState, RequestStates } from '../../../apps/mcp/src/gate/request-state.ts'
import type { Sdk } from '../../../apps/mcp/src/protocol/sdk.ts'
import type { Loose } from './fixture-server.ts'

/** Tools that ask before they answer, with the states that our own forms use. */
export interface Asker {
  readonly sdk: Sdk
  readonly states: RequestStates
}

const form = (message: string, ...fields: string[]) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(field => [field, { type: 'string' }])),
      required: fields,
    },
  },
})
const yesNo = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Please confirm',
    requestedSchema: {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
    },
  },
}
const sample = (text: string) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 50 },
})
const roots = { method: 'roots/list', params: {} }
const said = (text: string) => ({ content: [{ type: 'text', text }] })

export function askers({ sdk, states }: Asker) {
  const ask = (inputRequests: object, requestState?: string) =>
    sdk.inputRequired({ inputRequests, ...(requestState && { requestState }) } as never)
  const mint = (subject: string, context: ServerContext) =>
    states.mint({ call: 'fixture', subject }, context)
  const stateOf = ({ mcpReq }: ServerContext) => mcpReq.requestState<FormState>()?.subject
  const replies = ({ mcpReq }: ServerContext): Loose => mcpReq.inputResponses ?? {}
  const named = (reply: Loose, field: string) => reply?.content?.[field]
  const once =
    (key: string, request: object, answer: (reply: Loose) => Loose) =>
    (_: Loose, context: ServerContext) => {
      const reply = replies(context)[key]
      return reply ? answer(reply) : ask({ [key]: request })
    }
  const stated =
    (subject: string, requests: object, answer: (replies: Loose) => Loose) =>
    async (_: Loose, context: ServerContext) => {
      const given = replies(context)
      const isWhole = Object.keys(requests).every(key => given[key])
      if (stateOf(context) === subject && isWhole) return answer(given)
      return ask(requests, await mint(subject, context))
    }
  return {
    prompt: once('user_context', form('Which context?', 'context'), reply => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Context: ${named(reply, 'context')}` } },
      ],
    })),
    tools: {
      test_input_required_result_elicitation: once('user_name', form('Your name?', 'name'), reply =>
        said(`Hello, ${named(reply, 'name')}!`),
      ),
      test_input_required_result_sampling: once('sample_request', sample('Say Paris.'), reply =>
        said(`Sampling result: ${reply.content?.text}`),
      ),
      test_input_required_result_list_roots: once('roots_request', roots, reply =>
        said(`Found ${reply.roots.length} root(s)`),
      ),
      test_input_required_result_request_state: stated('state', { confirm: yesNo }, () =>
        said('state-ok: requestState validated'),
      ),
      test_input_required_result_tampered_state: stated('tamper', { confirm: yesNo }, () =>
        said('integrity-ok: state verified'),
      ),
      test_input_required_result_multiple_inputs: stated(
        'many',
        {
          user_name: form('Your name?', 'name'),
          greeting: sample('Generate a greeting'),
          client_roots: roots,
        },
        ({ user_name, greeting, client_roots }) =>
          said(
            `${named(user_name, 'name')} ${greeting.content?.text} ${client_roots.roots.length}`,
          ),
      ),
      async test_input_required_result_multi_round(_: Loose, context: ServerContext) {
        const { step1, step2 } = replies(context)
        const state = stateOf(context)
        if (state?.startsWith('2 ') && step2)
          return said(`Multi-round complete for ${state.slice(2)}: ${named(step2, 'color')}`)
        if (state === '1' && step1)
          return ask(
            { step2: form('Step 2: your colour?', 'color') },
            await mint(`2 ${named(step1, 'name')}`, context),
          )
        return ask({ step1: form('Step 1: your name?', 'name') }, await mint('1', context))
      },
      async test_input_required_result_capabilities(_: Loose, context: ServerContext) {
        const given = Object.keys(replies(context))
        if (given.length > 0) return said(`capabilities-ok: ${given.join()}`)
        const envelope: Loose = context.mcpReq.envelope
        const can = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
        const requests = {
          ...(can.elicitation && { elicit_input: form('A value?', 'value') }),
          ...(can.sampling && { sample_input: sample('Sample') }),
        }
        if (Object.keys(requests).length === 0) return said('No supported capabilities declared')
        return ask(requests, await mint('capabilities', context))
      },
    },
  }
}
