import type { ModelFacts } from '../../port/model.ts'
import type { KnownModels } from '../../port/provider.ts'

const LARGE = { contextTokens: 1_000_000, outputTokens: 128_000 }
const SMALL = { contextTokens: 200_000, outputTokens: 64_000 }
const FIVE = ['low', 'medium', 'high', 'xhigh', 'max']
const FOUR = ['low', 'medium', 'high', 'max']

/** Tokens that a model without adaptive thinking may think, for each level. */
export const BUDGETS: Readonly<Record<string, number>> = { low: 4_096, medium: 8_192, high: 24_576 }
const BUDGETED = Object.keys(BUDGETS)

/** From the pages of the models and of their prices. */
export const known: KnownModels = {
  asOf: '2026-11-16',
  models: {
    'claude-fable-5-1': facts(LARGE, [10, 50], FIVE),
    'claude-fable-5': facts(LARGE, [10, 50], FIVE),
    'claude-opus-5-5': facts(LARGE, [4, 20], FIVE),
    'claude-opus-5': facts(LARGE, [5, 25], FIVE),
    'claude-opus-4-8': facts(LARGE, [5, 25], FIVE),
    'claude-opus-4-7': facts(LARGE, [5, 25], FIVE),
    'claude-opus-4-6': facts(LARGE, [5, 25], FOUR),
    'claude-opus-4-5': facts(SMALL, [5, 25], BUDGETED),
    'claude-opus-4-1': facts({ ...SMALL, outputTokens: 32_000 }, [15, 75], BUDGETED),
    'claude-sonnet-5-5': facts(LARGE, [2, 10], FIVE),
    'claude-sonnet-5': facts(LARGE, [2, 10], FIVE),
    'claude-sonnet-4-6': facts({ ...LARGE, outputTokens: 64_000 }, [3, 15], FOUR),
    'claude-sonnet-4-5': facts(SMALL, [3, 15], BUDGETED),
    'claude-haiku-4-5': facts(SMALL, [1, 5], BUDGETED),
  },
}

/** These think by a budget of tokens; newer ones decide themselves how much to think. */
export const THINKS_BY_BUDGET = /^claude-(3-7|opus-4-[0125]|sonnet-4-[025]|haiku-4-5)/

/** Reading from the cache costs a tenth of the input. */
function facts(
  sizes: Pick<ModelFacts, 'contextTokens' | 'outputTokens'>,
  [input, output]: readonly [number, number],
  effortLevels: readonly string[],
): ModelFacts {
  return {
    ...sizes,
    seesImages: true,
    price: { input, output, cachedInput: input / 10 },
    effortLevels,
  }
}
