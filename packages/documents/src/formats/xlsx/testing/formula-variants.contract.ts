import { stringifyTokens, tokenize } from '@borgar/fx/xlsx'

/** The formula with each of its single values replaced by each of those cells. */
export function variantsOf(formula: string, cells: readonly string[]): string[] {
  const tokens = tokenize(formula, { mergeRefs: true })
  return tokens.flatMap(({ type, value }, place) => {
    const isCell = type === 'range' && /^[A-Z]\d+$/.test(value)
    if (!isCell && type !== 'number' && type !== 'string') return []
    return cells.map(cell =>
      stringifyTokens(
        tokens.map((token, index) => (index === place ? { ...token, value: cell } : token)),
      ),
    )
  })
}
