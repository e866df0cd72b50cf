import type { ModelFacts, Price } from '../../port/model.ts'
import { endpointUrl } from '../../wire/endpoint-url.ts'
import { getJson } from '../../wire/http-json.ts'
import type { ChatEndpoint } from './endpoint.ts'
import { field, listEntries } from './list-model-ids.ts'

/** What the usual servers say of a model, each in its own words; nothing when they say nothing. */
export async function learnFacts(
  id: string,
  endpoint: ChatEndpoint,
  signal: AbortSignal,
): Promise<ModelFacts> {
  const entries = await listEntries(endpoint, signal)
  const entry = entries?.find(one => field(one, 'id') === id)
  const contextTokens = contextOf(entry) ?? (await loadedContext(id, endpoint, signal))
  return {
    ...(contextTokens !== undefined && { contextTokens }),
    ...imagesOf(entry),
    ...toolsOf(entry),
    ...priceOf(entry),
  }
}

/** vLLM: max_model_len; llama.cpp: meta.n_ctx; LM Studio: loaded_context_length; OpenRouter and others: context_length. */
function contextOf(entry: unknown): number | undefined {
  const told = [
    field(entry, 'loaded_context_length'),
    field(entry, 'max_model_len'),
    field(field(entry, 'meta'), 'n_ctx'),
    field(entry, 'context_length'),
    field(entry, 'context_window'),
    field(entry, 'max_context_length'),
  ]
  return told.find(isCount)
}

/** Ollama silently cuts a prompt at the context that a model was loaded with; only this list shows it. */
async function loadedContext(
  id: string,
  { baseUrl }: ChatEndpoint,
  signal: AbortSignal,
): Promise<number | undefined> {
  const origin = endpointUrl(baseUrl, '')?.origin
  if (origin === undefined) return undefined
  const loaded = field(await getJson(new URL('/api/ps', origin), {}, signal), 'models')
  if (!Array.isArray(loaded)) return undefined
  const entry = loaded.find(one => field(one, 'name') === id || field(one, 'model') === id)
  const told = field(entry, 'context_length')
  return isCount(told) ? told : undefined
}

function imagesOf(entry: unknown): Pick<ModelFacts, 'seesImages'> {
  const inputs = field(field(entry, 'architecture'), 'input_modalities')
  if (Array.isArray(inputs)) return { seesImages: inputs.includes('image') }
  return field(entry, 'type') === 'vlm' ? { seesImages: true } : {}
}

function toolsOf(entry: unknown): Pick<ModelFacts, 'callsTools'> {
  const parameters = field(entry, 'supported_parameters')
  return Array.isArray(parameters) ? { callsTools: parameters.includes('tools') } : {}
}

/** OpenRouter: dollars a token, as text. */
function priceOf(entry: unknown): { price?: Price } {
  const pricing = field(entry, 'pricing')
  const input = Number(field(pricing, 'prompt'))
  const output = Number(field(pricing, 'completion'))
  if (!(input >= 0 && output >= 0)) return {}
  const cached = Number(field(pricing, 'input_cache_read'))
  return {
    price: {
      input: input * 1e6,
      output: output * 1e6,
      ...(cached > 0 && { cachedInput: cached * 1e6 }),
    },
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}
