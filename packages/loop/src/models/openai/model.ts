import type { Model } from '../../model.ts'
import type { HostedOptions } from '../hosted-options.ts'
import { createLanguageModel } from '../language-model.ts'

const CONTEXT_TOKENS = 128_000 // the smallest of the models on offer; a larger one is set in the settings

export function createOpenAi({ id, apiKey, baseUrl, facts, timeouts }: HostedOptions): Model {
  return createLanguageModel({
    name: `openai/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true, ...facts },
    destination: baseUrl ? new URL(baseUrl).host : 'api.openai.com',
    timeouts,
    // Not stored over there: our ids name the calls, and what was sent is looked up in our log.
    providerOptions: { openai: { store: false } },
    load: async () => {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ apiKey, baseURL: baseUrl })(id)
    },
  })
}
