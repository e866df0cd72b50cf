import type { OperationTable } from '@filewright/documents'
import { type Fields, isFields, type Lack, lookUp, parseIfJson } from '@filewright/protocol'
import { wordFor } from '../synonyms.ts'

const MOST_LACKS = 200

/** Operations that do not exist, and requests that existing ones do not serve. */
export function lackedOperations(given: unknown, table: OperationTable): Lack[] {
  const operations = isFields(given) ? parseIfJson(given.operations) : undefined
  if (!Array.isArray(operations)) return []
  const lacks: Lack[] = []
  for (const [index, operation] of operations.entries()) {
    const message = isFields(operation) ? lackOf(operation, table) : undefined
    if (message !== undefined) lacks.push({ place: `operations[${index}]`, message })
    if (lacks.length === MOST_LACKS) break
  }
  return lacks
}

function lackOf(
  operation: Fields,
  { operations, advice = [] }: OperationTable,
): string | undefined {
  const { op } = operation
  if (typeof op !== 'string') return undefined
  const words = Object.keys(operations)
  const word = wordFor(op, words)
  if (word !== undefined) return lookUp(operations, word)?.lacks?.(operation)
  const nearest = advice.find(([pattern]) => pattern.test(op.toLowerCase()))?.[1]
  return `there is no operation ${JSON.stringify(op)}${nearest ? `: ${nearest}` : ''}. The operations are ${words.join(', ')}.`
}
