import { version } from '@filewright/host'
import type { Result } from '@filewright/protocol'
import type {
  ClientCapabilities,
  InputRequiredResult,
  McpRequestContext,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server'
import type { Agent } from './agent/agent.ts'
import { type HostForm, hasForms } from './gate/host-form.ts'
import { digestOf, type FormState, isFor, type RequestStates } from './gate/request-state.ts'
import type { Sdk } from './protocol/sdk.ts'
import { APP_TYPE, REVIEW_ADDRESS, showsReview } from './review-app/app-host.ts'
import { withReview } from './review-app/offered.ts'
import type { ReviewApp } from './review-app/review-app.ts'
import { callTool } from './work/call-tool.ts'
import { instructionsFor } from './work/instructions.ts'
import { type Offer, offerOf, withoutReview } from './work/offer.ts'
import { withProgress } from './work/progress.ts'
import { findPrompt, listedPrompts } from './work/prompts.ts'
import { listResources, RESOURCE_TEMPLATES, readResource } from './work/resources.ts'

export interface ServedAgent {
  readonly sdk: Sdk
  readonly agent: Agent
  readonly states: RequestStates
  readonly reviewApp: ReviewApp
}

const INFO = { name: 'filewright', title: 'Filewright', version }
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
const LIST_TTL_MS = 60 * 60_000 // the tools of a connection never change

/** One definition for both eras: the library translates it. */
export function createServer(served: ServedAgent, { era }: Pick<McpRequestContext, 'era'>): Server {
  const { sdk, agent, states, reviewApp } = served
  const server = new sdk.Server(INFO, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: instructionsFor(agent.toolset),
    cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    inputRequired: { legacyShim: false },
    requestState: { verify: (text, context) => states.verify(text, context) },
  })
  addReadings(server, served)
  const offerTo = (context: ServerContext) =>
    offerOf(
      agent.toolset,
      showsReview(capabilitiesOf({ server, context })) ? withReview : withoutReview,
    )
  server.setRequestHandler(
    'tools/list',
    (_, context) => ({ tools: [...offerTo(context).listed] }) as never,
  )
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = findOffered(sdk, offerTo(context), params.name)
    const given = params.arguments ?? {}
    const host = hostName(server, context)
    const inFrame = reviewApp.call(tool, given, host)
    if (inFrame) return inFrame as never
    const call = digestOf({ name: tool.name, arguments: given })
    const asking = {
      form: hostForm(served, { server, context, isModern: era === 'modern', call }),
      showsReview: showsReview(capabilitiesOf({ server, context })),
      host,
      signal: context.mcpReq.signal,
    }
    return withProgress(context, tool, given, () =>
      callTool(agent, { tool, arguments: given }, asking),
    ) as never
  })
  return server
}

/** It loads nothing, and has a border of its own. */
const PAGE_META = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true }

/** What a host shows and attaches by itself: files, drafts and prompts. */
function addReadings(server: Server, { sdk, agent, reviewApp }: ServedAgent): void {
  const orThrow = <Value>(result: Result<Value>): Value => {
    if (result.ok) return result.value
    const { code, message } = result.failure
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `${code}: ${message}`)
  }
  server.setRequestHandler(
    'resources/list',
    async ({ params }) => orThrow(await listResources(agent, params?.cursor)) as never,
  )
  server.setRequestHandler(
    'resources/templates/list',
    () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }) as never,
  )
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const isFrame = uri === REVIEW_ADDRESS && showsReview(capabilitiesOf({ server, context }))
    const page = isFrame ? reviewApp.page() : undefined
    if (page !== undefined)
      return { contents: [{ uri, mimeType: APP_TYPE, text: page, _meta: { ui: PAGE_META } }] }
    const text = orThrow(await agent.turns.read(() => readResource(agent, uri)))
    return { contents: [{ uri, mimeType: 'text/plain', text }] }
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: listedPrompts }) as never)
  server.setRequestHandler('prompts/get', ({ params }) => {
    const { description, text } = orThrow(findPrompt(params.name, params.arguments))
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
}

function findOffered(sdk: Sdk, offer: Offer, name: string) {
  const found = offer.find(name)
  if (found.ok) return found.value
  const { code, message, details } = found.failure
  throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `${code}: ${message}`, {
    errorCode: code,
    ...details,
  })
}

interface FormCall {
  readonly server: Server
  readonly context: ServerContext
  readonly isModern: boolean
  readonly call: string
}

/** What the host can show; a host without forms is asked nothing, and its person answers elsewhere. */
function hostForm({ sdk, states }: ServedAgent, given: FormCall): HostForm {
  const { context, isModern, call } = given
  if (!hasForms(capabilitiesOf(given))) return {}
  if (!isModern)
    return {
      async ask(form, signal) {
        const asked = {
          ...form,
          mode: 'form' as const,
          requestedSchema: { ...form.requestedSchema },
        }
        const reply = await context.mcpReq.elicitInput(asked as never, {
          signal,
          timeout: 60_000,
          relatedRequestId: context.mcpReq.id, // over HTTP, on the stream of the call
        })
        return { action: reply.action, content: reply.content }
      },
    }
  return {
    later: {
      replyTo(deed) {
        const state = context.mcpReq.requestState<FormState & { readonly once: string }>()
        if (!state || !isFor(state, call, deed)) return undefined
        const reply = sdk.inputResponse(context.mcpReq.inputResponses, 'confirm')
        states.use(state.once)
        if (reply.kind !== 'elicit') return { action: 'cancel' }
        return { action: reply.action, content: reply.content }
      },
      async toAnswer(deed, form): Promise<InputRequiredResult> {
        const requestState = await states.mint({ call, subject: deed.subject }, context)
        const confirm = sdk.inputRequired.elicit(form as never)
        return sdk.inputRequired({ inputRequests: { confirm }, requestState })
      },
    },
  }
}

function capabilitiesOf({
  server,
  context,
}: Pick<FormCall, 'server' | 'context'>): ClientCapabilities | undefined {
  const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  const own = envelope?.[CAPABILITIES_KEY] as ClientCapabilities | undefined
  return own ?? server.getClientCapabilities()
}

const LONGEST_NAME = 80

/** The product that asks, for the log and for tracked changes. */
function hostName(server: Server, { mcpReq }: ServerContext): string {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  const info =
    (envelope?.[CLIENT_KEY] as { name?: string } | undefined) ?? server.getClientVersion()
  return (info?.name ?? 'agent').slice(0, LONGEST_NAME) || 'agent'
}
