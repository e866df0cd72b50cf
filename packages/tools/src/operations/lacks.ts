import type { OperationTable } from '@filewright/documents'
import { type Fields, isFields, type Lack, lookUp, parseIfJson } from '@filewright/protocol'
import { wordFor } from '../synonyms.ts'

/** Operations that do not exist, and requests that existing ones do not serve. */
export function lackedOperations(given: unknown, table: OperationTable): Lack[] {
  const operations = isFields(given) ? parseIfJson(given.operations) : undefined
  if (!Array.isArray(operations)) return []
  return operations.flatMap((operation, index) => {
    const message = isFields(operation) ? lackOf(operation, table) : undefined
    return message === undefined ? [] : [{ place: `operations[${index}]`, message }]
  })
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
