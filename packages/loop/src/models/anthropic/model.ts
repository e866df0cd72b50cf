import { fetchHere } from '../../dialects/ai-sdk/fetch-here.ts'
import type { HostedModelOptions } from '../../dialects/ai-sdk/hosted.ts'
import { createSdkModel } from '../../dialects/ai-sdk/model.ts'
import type { Model, ModelFacts } from '../../port/model.ts'
import { BUDGETS, THINKS_BY_BUDGET } from './known.ts'

const BASE_URL = 'https://api.anthropic.com/v1' // always passed: without it the package reads the environment
const CONTEXT_TOKENS = 200_000

/** Anthropic keeps a prefix only up to where a request marks it: the system prompt, and all that was said so far. */
const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } }

export function createAnthropic({
  id,
  apiKey,
  baseUrl = BASE_URL,
  facts = {},
  outputTokens,
  timeouts,
}: HostedModelOptions): Model {
  // the provider's own variable has no version; others write one
  const base = /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`
  return createSdkModel({
    name: `anthropic/${id}`,
    facts: { contextTokens: CONTEXT_TOKENS, seesImages: true, callsTools: true, ...facts },
    endpoint: new URL(`${base}/messages`),
    apiKey,
    timeouts,
    outputTokens,
    promptOptions: CACHED,
    providerOptions: ({ effort }) => ({ anthropic: thinkingFor(id, facts, effort) }),
    load: async () => {
      const { createAnthropic: createProvider } = await import('@ai-sdk/anthropic')
      return createProvider({ apiKey, baseURL: base, fetch: fetchHere })(id)
    },
  })
}

const ADAPTIVE = { type: 'adaptive' }
const DEFAULT_EFFORT = 'medium'

/** On by default, as in Anthropic's own tools: adaptive where the model has it, a budget only where it still takes one. */
function thinkingFor(id: string, { effortLevels = [] }: ModelFacts, effort: string | undefined) {
  if (effort === undefined && effortLevels.length === 0) return {}
  if (!THINKS_BY_BUDGET.test(id)) return { thinking: ADAPTIVE, ...(effort && { effort }) }
  const budgetTokens = BUDGETS[effort ?? DEFAULT_EFFORT] ?? BUDGETS[DEFAULT_EFFORT]!
  return { thinking: { type: 'enabled', budgetTokens } }
}
