import { fetchHere } from '../../dialects/ai-sdk/fetch-here.ts'
import type { HostedOptions } from '../../dialects/ai-sdk/hosted.ts'
import { createSdkModel } from '../../dialects/ai-sdk/model.ts'
import type { Model } from '../../port/model.ts'

const BASE_URL = 'https://api.anthropic.com/v1' // always passed: without it the package reads the environment
const CONTEXT_TOKENS = 200_000

/** Anthropic keeps a prefix only up to where a request marks it: the system prompt, and all that was said so far. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } }

export function createAnthropic({
  id,
  apiKey,
  baseUrl = BASE_URL,
  timeouts,
}: HostedOptions): Model {
  // the provider's own variable has no version; others write one
  const base = /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`
  return createSdkModel({
    name: `anthropic/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true },
    endpoint: new URL(`${base}/messages`),
    apiKey,
    timeouts,
    promptOptions: CACHED,
    load: async () => {
      const { createAnthropic: createProvider } = await import('@ai-sdk/anthropic')
      return createProvider({ apiKey, baseURL: base, fetch: fetchHere })(id)
    },
  })
}
