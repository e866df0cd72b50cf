import { fail, lookUp, ok } from '@filewright/protocol'
import { openChatModel } from '../dialects/chat-completions/open-chat-model.ts'
import type { FactsByModel, Model, ModelFacts, ModelResult } from '../port/model.ts'
import type { Provider } from '../port/provider.ts'
import { knownFacts } from './known-model.ts'
import { missingSetting, type ValuesByProvider, valuesFor } from './provider-settings.ts'
import { findProvider, providers } from './provider-table.ts'

/** What the environment and the settings say, as data. */
export interface ModelConfig {
  /** `provider/id`, or an id alone, which goes to the base URL. */
  readonly model?: string
  /** An endpoint that speaks chat completions, up to and with its version: `http://127.0.0.1:8000/v1`. */
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly values?: ValuesByProvider
  /** What the person set; it goes before what is known and what an endpoint says. */
  readonly facts?: FactsByModel
}

/** Finds the model for a name and the settings. */
export async function resolveModel(config: ModelConfig): Promise<ModelResult> {
  const { baseUrl, apiKey, values = {} } = config
  const name = config.model?.trim() ?? ''
  if (name === '') return fail('INVALID_ARGUMENT', noModel())
  const slash = name.indexOf('/')
  const id = name.slice(slash + 1)
  const provider = slash > 0 && id !== '' ? findProvider(name.slice(0, slash)) : undefined
  const { facts = {} } = config
  if (provider && !isGatewayId(provider, config)) return open(provider, id, values, facts)
  // An id may contain a slash: with a base URL it is used as it is.
  if (baseUrl) {
    const set = lookUp(facts, name) ?? {}
    const outputTokens = set.outputTokens
    return withFacts(await openChatModel(name, name, { baseUrl, apiKey, outputTokens }), set)
  }
  const family = providers.find(each => each.family?.test(name))
  if (family) return open(family, name, values, facts)
  return fail(
    'NOT_FOUND',
    `Cannot tell where the model "${name}" is: no base URL is set, and the name has none of the known providers (${knownProviders()}). Use provider/id, or set FILEWRIGHT_BASE_URL.`,
  )
}

/** Gateways such as openrouter.ai use the same names: without the provider's own key, the name is meant for the base URL. */
function isGatewayId(provider: Provider, { baseUrl, values = {} }: ModelConfig): boolean {
  return baseUrl !== undefined && missingSetting(provider, values) !== undefined
}

async function open(
  provider: Provider,
  id: string,
  values: ValuesByProvider,
  settings: FactsByModel,
): Promise<ModelResult> {
  const missing = missingSetting(provider, values)
  if (!missing) {
    const set = lookUp(settings, `${provider.id}/${id}`) ?? lookUp(settings, id) ?? {}
    const facts = { ...knownFacts(provider, id), ...set }
    return withFacts(await provider.model(id, valuesFor(provider.id, values), { facts, set }), set)
  }
  const { field, setting } = missing
  const saving =
    setting.name && `, or run "filewright config set ${setting.name} ${field.toUpperCase()}"`
  return fail(
    'INVALID_ARGUMENT',
    `Cannot use ${provider.id}/${id}: there is no ${field} for ${provider.id}. Set ${setting.variables[0]}${saving ?? ''}.`,
  )
}

/** What an endpoint says of a model does not go before what the person set. */
function withFacts(found: ModelResult, set: ModelFacts): ModelResult {
  if (!found.ok || Object.keys(set).length === 0) return found
  const model = found.value
  const learn: Model['learn'] =
    model.learn && (async signal => ({ ...(await model.learn!(signal)), ...set }))
  return ok({ ...model, facts: { ...model.facts, ...set }, ...(learn && { learn }) })
}

function knownProviders(): string {
  return providers.flatMap(({ id, demonstration }) => (demonstration ? [] : id)).join(', ')
}

function noModel(): string {
  const local = providers.find(({ local }) => local)
  return `No model is chosen. Use --model provider/id, set FILEWRIGHT_MODEL${local ? `, or start a local server such as ${local.title}` : ''}.`
}
