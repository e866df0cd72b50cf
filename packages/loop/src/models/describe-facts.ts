import type { ModelFacts } from '../port/model.ts'

/** Sizes, prices and levels in one line. */
export function describeFacts({
  contextTokens,
  outputTokens,
  price,
  effortLevels,
}: ModelFacts): string {
  const parts = [
    contextTokens !== undefined && `context ${contextTokens} tokens`,
    outputTokens !== undefined && `output ${outputTokens}`,
    price && `$${price.input} in, $${price.output} out per million tokens`,
    price?.cachedInput !== undefined && `$${price.cachedInput} cached`,
    effortLevels && `effort ${effortLevels.join(', ') || 'cannot be set'}`,
  ]
  return parts.filter(Boolean).join(' · ')
}
