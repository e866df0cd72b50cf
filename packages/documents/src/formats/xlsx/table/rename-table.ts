import { stringifyTokens, type Token, tokenize } from '@borgar/fx/xlsx'
import { columnsIn, isSameColumn } from './structured-references.ts'

/** `Sales[Net]` and `Sales` with another name for the table. */
export function renameTableIn(formula: string, from: string, to: string): string {
  const tokens: Token[] = tokenize(formula, { mergeRefs: false })
  let isChanged = false
  for (const [index, token] of tokens.entries()) {
    if (!isTable(tokens, index, from)) continue
    token.value = to
    isChanged = true
  }
  return isChanged ? stringifyTokens(tokens) : formula
}

/** Whether a formula names the table, or one of these columns of it where they are given. */
export function mentionsTable(
  formula: string,
  table: string,
  columns?: readonly string[],
): boolean {
  const tokens: Token[] = tokenize(formula, { mergeRefs: false })
  return tokens.some((_, index) => {
    if (!isTable(tokens, index, table)) return false
    if (!columns) return true
    const next = tokens[index + 1]
    if (next?.type !== 'structured') return false
    const named = columnsIn(next.value.slice(1, -1))
    return named.some(name => columns.some(column => isSameColumn(column, name)))
  })
}

function isTable(tokens: readonly Token[], index: number, table: string): boolean {
  const token = tokens[index]!
  return (
    token.type === 'range_named' &&
    tokens[index - 1]?.value !== '!' &&
    token.value.toLowerCase() === table.toLowerCase()
  )
}
