import { parse, tokenize } from '@borgar/fx/xlsx'

const MOST_CHARACTERS = 8192 // Excel specifications and limits, "Length of formula contents"

/** Why a conditional format cannot have that formula; undefined: it can. */
export function whyNotRuleFormula(formula: string): string | undefined {
  if (formula.trim() === '') return 'is empty'
  if (formula.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`
  if (/\[\d+\]|\[[^\]]+\.xl\w+\]/i.test(formula))
    return 'names another workbook, which a rule cannot'
  if (/[{}]/.test(formula.replace(/"[^"]*"/g, '')))
    return 'has a list in braces, which a rule cannot'
  try {
    parse(tokenize(formula, { mergeRefs: true }))
    return undefined
  } catch {
    return 'cannot be read; it takes English functions and commas'
  }
}
