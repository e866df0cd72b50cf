import type { Model } from '../../port/model.ts'
import { fetchHere } from '../fetch-here.ts'
import type { HostedOptions } from '../hosted-options.ts'
import { createLanguageModel } from '../language-model.ts'

const BASE_URL = 'https://api.anthropic.com/v1' // given to the package always: it would look into the environment by itself
const CONTEXT_TOKENS = 200_000

export function createAnthropic({
  id,
  apiKey,
  baseUrl = BASE_URL,
  facts,
  timeouts,
}: HostedOptions): Model {
  // the provider's usual variable has no version, that of others has one
  const base = /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`
  return createLanguageModel({
    name: `anthropic/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true, ...facts },
    endpoint: new URL(`${base}/messages`),
    apiKey,
    timeouts,
    load: async () => {
      const { createAnthropic: createProvider } = await import('@ai-sdk/anthropic')
      return createProvider({ apiKey, baseURL: base, fetch: fetchHere })(id)
    },
  })
}
