import {
  CallToolResultSchema,
  DiscoverResultSchema,
  ElicitRequestSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  JSONRPCMessageSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ProgressNotificationSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/core'
import { expect } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a message has
export type Message = any

/** The published schema of what a request answers. */
const RESULTS: Readonly<Record<string, { parse(value: unknown): unknown }>> = {
  initialize: InitializeResultSchema,
  'server/discover': DiscoverResultSchema,
  'tools/list': ListToolsResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'tools/call': CallToolResultSchema,
}

/** Every frame is a message, and its inside what the schemas of the protocol ask for. */
export function checkFrame(message: Message, method: string | undefined): void {
  JSONRPCMessageSchema.parse(message)
  if (message.method === 'elicitation/create') ElicitRequestSchema.parse(message)
  if (message.method === 'notifications/progress') ProgressNotificationSchema.parse(message)
  if (message.result === undefined || method === undefined) return
  if (message.result.resultType === 'input_required') return checkInputRequired(message.result)
  RESULTS[method]?.parse(message.result)
}

function checkInputRequired({ inputRequests, requestState }: Message): void {
  expect(requestState).toEqual(expect.any(String))
  for (const asked of Object.values(inputRequests)) ElicitRequestSchema.parse(asked)
}

export type Era = '2026-07-28' | '2025-11-25' | '2025-06-18'

/** What a host can do. */
export interface HostOptions {
  readonly era: Era
  readonly capabilities?: object
}

const CLIENT = { name: 'raw-client', version: '1' }

/** Since 2026-07-28 every request says what the client is; there is no session that could. */
export function withEnvelope({ era, capabilities = {} }: HostOptions, params: object): object {
  if (era !== '2026-07-28') return params
  return {
    ...params,
    _meta: {
      ...(params as { _meta?: object })._meta,
      'io.modelcontextprotocol/protocolVersion': era,
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    },
  }
}

export function openingOf({ era, capabilities = {} }: HostOptions) {
  if (era === '2026-07-28') return { method: 'server/discover', params: {} }
  return {
    method: 'initialize',
    params: { protocolVersion: era, capabilities, clientInfo: CLIENT },
  }
}

/** What the model reads. */
export function textOf(result: Message): string {
  return result.content[0].text
}

/** The person has answered; on a slow machine the call had given up waiting by then, and the next one finds the answer. */
export async function untilDecided(
  calling: Promise<Message>,
  again: () => Promise<Message>,
): Promise<string> {
  const text = textOf(await calling)
  return text.startsWith('pending') ? textOf(await again()) : text
}
