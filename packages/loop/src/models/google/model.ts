import { fetchHere } from '../../dialects/ai-sdk/fetch-here.ts'
import type { HostedModelOptions } from '../../dialects/ai-sdk/hosted.ts'
import { createSdkModel } from '../../dialects/ai-sdk/model.ts'
import type { Model } from '../../port/model.ts'
import { BUDGETS, THINKS_BY_BUDGET } from './known.ts'

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta' // always passed: without it the package reads the environment
const CONTEXT_TOKENS = 1_000_000

export function createGoogle({
  id,
  apiKey,
  baseUrl = BASE_URL,
  facts,
  outputTokens,
  timeouts,
}: HostedModelOptions): Model {
  return createSdkModel({
    name: `google/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true, ...facts },
    endpoint: new URL(`${baseUrl}/models/${id}:streamGenerateContent`),
    apiKey,
    timeouts,
    outputTokens,
    providerOptions: ({ effort }) =>
      effort === undefined ? undefined : { google: { thinkingConfig: thinkingFor(id, effort) } },
    load: async () => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ apiKey, baseURL: baseUrl, fetch: fetchHere })(id)
    },
  })
}

function thinkingFor(id: string, effort: string) {
  return THINKS_BY_BUDGET.test(id)
    ? { thinkingBudget: BUDGETS[effort]! }
    : { thinkingLevel: effort }
}
