import type { Model } from '../../model.ts'
import type { HostedOptions } from '../hosted-options.ts'
import { createLanguageModel } from '../language-model.ts'

const CONTEXT_TOKENS = 200_000

export function createAnthropic({ id, apiKey, baseUrl, facts, timeouts }: HostedOptions): Model {
  return createLanguageModel({
    name: `anthropic/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true, ...facts },
    destination: baseUrl ? new URL(baseUrl).host : 'api.anthropic.com',
    timeouts,
    load: async () => {
      const { createAnthropic: createProvider } = await import('@ai-sdk/anthropic')
      return createProvider({ apiKey, baseURL: baseUrl })(id)
    },
  })
}
