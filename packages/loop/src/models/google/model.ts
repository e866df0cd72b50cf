import type { Model } from '../../model.ts'
import type { HostedOptions } from '../hosted-options.ts'
import { createLanguageModel } from '../language-model.ts'

const CONTEXT_TOKENS = 1_000_000

export function createGoogle({ id, apiKey, baseUrl, facts, timeouts }: HostedOptions): Model {
  return createLanguageModel({
    name: `google/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true, ...facts },
    destination: baseUrl ? new URL(baseUrl).host : 'generativelanguage.googleapis.com',
    timeouts,
    load: async () => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ apiKey, baseURL: baseUrl })(id)
    },
  })
}
