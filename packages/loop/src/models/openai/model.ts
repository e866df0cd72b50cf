import { fetchHere } from '../../dialects/ai-sdk/fetch-here.ts'
import type { HostedOptions } from '../../dialects/ai-sdk/hosted.ts'
import { createSdkModel } from '../../dialects/ai-sdk/model.ts'
import type { Model } from '../../port/model.ts'

const BASE_URL = 'https://api.openai.com/v1' // always passed: without it the package reads the environment
const CONTEXT_TOKENS = 128_000 // the smallest of the models on offer

export function createOpenAi({ id, apiKey, baseUrl = BASE_URL, timeouts }: HostedOptions): Model {
  return createSdkModel({
    name: `openai/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true },
    endpoint: new URL(`${baseUrl}/responses`),
    apiKey,
    timeouts,
    // Nothing is stored there: our ids name the calls, and our log shows what was sent.
    providerOptions: { openai: { store: false } },
    load: async () => {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ apiKey, baseURL: baseUrl, fetch: fetchHere })(id)
    },
  })
}
