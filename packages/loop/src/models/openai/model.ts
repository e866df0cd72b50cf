import { fetchHere } from '../../dialects/ai-sdk/fetch-here.ts'
import type { HostedModelOptions } from '../../dialects/ai-sdk/hosted.ts'
import { createSdkModel } from '../../dialects/ai-sdk/model.ts'
import type { Model } from '../../port/model.ts'

const BASE_URL = 'https://api.openai.com/v1' // always passed: without it the package reads the environment
const CONTEXT_TOKENS = 128_000 // the smallest of the models on offer

export function createOpenAi({
  id,
  apiKey,
  baseUrl = BASE_URL,
  facts,
  outputTokens,
  timeouts,
}: HostedModelOptions): Model {
  return createSdkModel({
    name: `openai/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true, ...facts },
    endpoint: new URL(`${baseUrl}/responses`),
    apiKey,
    timeouts,
    outputTokens,
    // Nothing is stored there: our ids name the calls, and our log shows what was sent.
    providerOptions: ({ effort: reasoningEffort, cacheKey: promptCacheKey }) => ({
      openai: {
        store: false,
        ...(reasoningEffort && { reasoningEffort }),
        ...(promptCacheKey && { promptCacheKey }),
      },
    }),
    load: async () => {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ apiKey, baseURL: baseUrl, fetch: fetchHere })(id)
    },
  })
}
