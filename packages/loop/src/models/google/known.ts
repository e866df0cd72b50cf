import type { ModelFacts } from '../../port/model.ts'
import type { KnownModels } from '../../port/provider.ts'

const THREE = ['low', 'medium', 'high']
const FOUR = ['minimal', ...THREE]

/** Tokens that a Gemini 2.5 may think, for each level. */
export const BUDGETS: Readonly<Record<string, number>> = { low: 2_048, medium: 8_192, high: 24_576 }
const BUDGETED = Object.keys(BUDGETS)

/** From the pages of the models and of their prices; a prompt of more than 200,000 tokens costs the Pro models' users more. */
export const known: KnownModels = {
  asOf: '2026-11-16',
  models: {
    'gemini-3.8-flash': facts([0.75, 3.75], THREE),
    'gemini-3.7-flash': facts([1.5, 7.5], THREE),
    'gemini-3.5-flash': facts([1.5, 9], FOUR),
    'gemini-3.1-pro': facts([2, 12], THREE),
    'gemini-3.1-flash-lite': facts([0.25, 1.5], FOUR),
    'gemini-3-pro': facts([2, 12], ['low', 'high']),
    'gemini-3-flash': facts([0.5, 3], FOUR),
    'gemini-2.5-pro': facts([1.25, 10], BUDGETED),
    'gemini-2.5-flash': facts([0.3, 2.5], BUDGETED),
    'gemini-2.5-flash-lite': facts([0.1, 0.4], BUDGETED),
  },
}

/** These think by a budget of tokens instead of a level. */
export const THINKS_BY_BUDGET = /^gemini-2\.5/

/** Reading from the cache costs a tenth of the input. */
function facts(
  [input, output]: readonly [number, number],
  effortLevels: readonly string[],
): ModelFacts {
  const sizes = { contextTokens: 1_048_576, outputTokens: 65_536 }
  return {
    ...sizes,
    seesImages: true,
    price: { input, output, cachedInput: input / 10 },
    effortLevels,
  }
}
