import type { ModelFacts } from '../../port/model.ts'
import type { KnownModels } from '../../port/provider.ts'

const MILLION = { contextTokens: 922_000, outputTokens: 128_000 } // of 1,050,000, the rest is output
const LARGE = { contextTokens: 272_000, outputTokens: 128_000 } // of 400,000
const OLDER = { contextTokens: 100_000, outputTokens: 100_000 } // of 200,000
const FROM_NONE = ['none', 'low', 'medium', 'high', 'xhigh']
const SIX = [...FROM_NONE, 'max']
const MINIMAL = ['minimal', 'low', 'medium', 'high']
const THREE = ['low', 'medium', 'high']

/** From the pages of the models and of their prices; a prompt of more than 272,000 tokens costs more. */
export const known: KnownModels = {
  asOf: '2026-11-16',
  models: {
    'gpt-6.1-sol': facts(MILLION, [2, 0.2, 10], SIX.slice(1)),
    'gpt-6-sol': facts(MILLION, [2, 0.2, 10], SIX),
    'gpt-5.6-sol': facts(MILLION, [5, 0.5, 30], FROM_NONE),
    'gpt-5.6-terra': facts(MILLION, [2.5, 0.25, 15], FROM_NONE),
    'gpt-5.6-luna': facts(MILLION, [1, 0.1, 6], FROM_NONE),
    'gpt-5.5': facts(MILLION, [5, 0.5, 30], FROM_NONE),
    'gpt-5.4': facts(MILLION, [2.5, 0.25, 15], FROM_NONE),
    'gpt-5.4-mini': facts(LARGE, [0.75, 0.075, 4.5], FROM_NONE),
    'gpt-5.4-nano': facts(LARGE, [0.2, 0.02, 1.25], FROM_NONE),
    'gpt-5.2': facts(LARGE, [1.75, 0.175, 14], FROM_NONE),
    'gpt-5.1': facts(LARGE, [1.25, 0.125, 10], ['none', ...THREE]),
    'gpt-5': facts(LARGE, [1.25, 0.125, 10], MINIMAL),
    'gpt-5-mini': facts(LARGE, [0.25, 0.025, 2], MINIMAL),
    'gpt-5-nano': facts(LARGE, [0.05, 0.005, 0.4], MINIMAL),
    o3: facts(OLDER, [2, 0.5, 8], THREE),
    'o4-mini': facts(OLDER, [1.1, 0.275, 4.4], THREE),
    'gpt-4.1': facts({ contextTokens: 1_047_576, outputTokens: 32_768 }, [2, 0.5, 8], []),
    'gpt-4.1-mini': facts({ contextTokens: 1_047_576, outputTokens: 32_768 }, [0.4, 0.1, 1.6], []),
    'gpt-4o': facts({ contextTokens: 128_000, outputTokens: 16_384 }, [2.5, 1.25, 10], []),
    'gpt-4o-mini': facts({ contextTokens: 128_000, outputTokens: 16_384 }, [0.15, 0.075, 0.6], []),
  },
}

function facts(
  sizes: Pick<ModelFacts, 'contextTokens' | 'outputTokens'>,
  [input, cachedInput, output]: readonly [number, number, number],
  effortLevels: readonly string[],
): ModelFacts {
  return { ...sizes, seesImages: true, price: { input, output, cachedInput }, effortLevels }
}
