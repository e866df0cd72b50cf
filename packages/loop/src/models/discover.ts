import { fail, lookUp, ok } from '@filewright/protocol'
import type { Model, ModelFacts, ModelResult } from '../port/model.ts'
import { createAnthropic } from './anthropic/model.ts'
import { endpointUrl } from './endpoint-url.ts'
import { createGoogle } from './google/model.ts'
import { LOCAL_SERVERS } from './local-servers.ts'
import { createOpenAi } from './openai/model.ts'
import { createOpenAiCompatible } from './openai-compatible/model.ts'
import { createScripted } from './scripted/model.ts'
import type { ScriptedAnswer } from './scripted/script.ts'

/** What the environment and the settings say, as data. */
export interface ModelConfig {
  /** `provider/id`, or an id alone, which goes to the base URL. */
  readonly model?: string
  /** An OpenAI-compatible endpoint, up to and with its version: `http://127.0.0.1:8000/v1`. */
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly keys?: Readonly<Partial<Record<HostedProvider, string>>>
  /** Where a hosted provider is reached, if not at its own address. */
  readonly baseUrls?: Readonly<Partial<Record<HostedProvider, string>>>
  /** Further OpenAI-compatible endpoints by name, from the settings. */
  readonly endpoints?: Readonly<
    Record<string, { readonly baseUrl: string; readonly apiKey?: string }>
  >
  /** Scripts by name: `scripted/demo`. */
  readonly scripts?: Readonly<Record<string, Script>>
  /** By full name, where the settings say more than the endpoint: context, price. */
  readonly facts?: Readonly<Record<string, ModelFacts>>
}

export interface Script {
  readonly answers: readonly ScriptedAnswer[]
  readonly notice?: string
  readonly delayMs?: number
}

export type HostedProvider = 'openai' | 'anthropic' | 'google'

const HOSTED = {
  openai: createOpenAi,
  anthropic: createAnthropic,
  google: createGoogle,
} as const

const KEY_VARIABLES = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
} as const

/** Ids that say themselves whose they are. */
const FAMILIES: readonly [RegExp, HostedProvider][] = [
  [/^(gpt-|o\d|chatgpt-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'google'],
]

/** The model that a name and the settings stand for. */
export function resolveModel(config: ModelConfig): ModelResult {
  const name = config.model?.trim() ?? ''
  if (name === '') return fail('INVALID_ARGUMENT', noModel())
  const slash = name.indexOf('/')
  const provider = name.slice(0, slash)
  const id = name.slice(slash + 1)
  if (slash > 0 && id !== '') {
    if (provider === 'scripted') return scripted(id, config)
    if (isHosted(provider) && !isGatewayId(provider, config)) return hosted(provider, id, config)
    const endpoint = lookUp(config.endpoints, provider) ?? localEndpoint(provider)
    if (endpoint) return compatible(name, id, endpoint, config)
  }
  // An id may hold a slash itself: with a base URL it is taken as it stands.
  if (config.baseUrl)
    return compatible(name, name, { baseUrl: config.baseUrl, apiKey: config.apiKey }, config)
  const family = FAMILIES.find(([pattern]) => pattern.test(name))?.[1]
  if (family) return hosted(family, name, config)
  return fail(
    'NOT_FOUND',
    `Cannot tell where the model "${name}" is: no base URL is set, and the name has none of the known providers (${providers(config).join(', ')}). Use provider/id, or set FILEWRIGHT_BASE_URL.`,
  )
}

/** What a person is told before the first request to a model that is not on this machine; nothing for one that is. */
export function firstUseNotice(model: Model): string | undefined {
  if (model.destination === null || isLoopback(model.destination)) return undefined
  return `${model.name} runs at ${model.destination}. What you write, the names of your files and the parts of them that the model reads are sent there.`
}

/** Gateways call their models so too, as openrouter.ai does: without the provider's own key it is meant for the base URL. */
function isGatewayId(provider: HostedProvider, { keys, baseUrl }: ModelConfig): boolean {
  return baseUrl !== undefined && !keys?.[provider]
}

function hosted(provider: HostedProvider, id: string, config: ModelConfig): ModelResult {
  const apiKey = config.keys?.[provider]
  if (!apiKey)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot use ${provider}/${id}: there is no key for ${provider}. Set ${KEY_VARIABLES[provider]}, or run "filewright config set ${provider}-key KEY".`,
    )
  const given = config.baseUrls?.[provider]
  const url = given === undefined ? undefined : endpointUrl(given, '')
  if (given !== undefined && !url) return noAddress(`${provider}/${id}`, given)
  if (url?.username || url?.password)
    return fail(
      'INVALID_ARGUMENT',
      `Cannot use ${provider}/${id}: its address holds a user or a password. Leave them out: requests carry the key.`,
    )
  const baseUrl = url?.href.replace(/\/+$/, '')
  const facts = lookUp(config.facts, `${provider}/${id}`)
  return ok(HOSTED[provider]({ id, apiKey, baseUrl, facts }))
}

function compatible(
  name: string,
  id: string,
  endpoint: { readonly baseUrl: string; readonly apiKey?: string },
  config: ModelConfig,
): ModelResult {
  if (!endpointUrl(endpoint.baseUrl, '')) return noAddress(name, endpoint.baseUrl)
  return ok(createOpenAiCompatible({ name, id, ...endpoint, facts: lookUp(config.facts, name) }))
}

function noAddress(name: string, baseUrl: string): ModelResult {
  return fail(
    'INVALID_ARGUMENT',
    `Cannot use ${name}: "${baseUrl}" is no address of an endpoint. Write it like http://127.0.0.1:8000/v1.`,
  )
}

function scripted(id: string, config: ModelConfig): ModelResult {
  const script = lookUp(config.scripts, id)
  if (script) return ok(createScripted({ name: `scripted/${id}`, ...script }))
  const names = Object.keys(config.scripts ?? {})
  return fail(
    'NOT_FOUND',
    `There is no script "${id}". ${names.length > 0 ? `The scripts are ${names.join(', ')}.` : 'No script is set.'}`,
  )
}

function localEndpoint(provider: string): { readonly baseUrl: string } | undefined {
  return LOCAL_SERVERS.find(server => server.provider === provider)
}

function isHosted(provider: string): provider is HostedProvider {
  return Object.hasOwn(HOSTED, provider)
}

function providers({ endpoints }: ModelConfig): string[] {
  const local = LOCAL_SERVERS.map(({ provider }) => provider)
  return [...new Set([...Object.keys(HOSTED), ...local, ...Object.keys(endpoints ?? {})])]
}

function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return (
    name === 'localhost' || name === '[::1]' || /^127\./.test(name) || name.endsWith('.localhost')
  )
}

function noModel(): string {
  return 'No model is chosen. Use --model provider/id, set FILEWRIGHT_MODEL, or start a local server such as Ollama.'
}
