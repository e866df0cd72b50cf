import type { OperationTable } from '@filewright/documents'
import { type Fields, isFields } from '@filewright/protocol'

/** Whether an operation is among them that the document refuses with the one that does the same there. */
export function asksDocument(given: unknown, { answered, operations }: OperationTable): boolean {
  if (!answered || !isFields(given) || typeof given.path !== 'string') return false
  const list = given.operations
  if (!Array.isArray(list) || !list.every(isNamed)) return false
  const isAnswered = ({ op }: Named) => answered.test(op)
  const isOwn = ({ op }: Named) => Object.hasOwn(operations, op)
  return list.some(isAnswered) && list.every(each => isAnswered(each) || isOwn(each))
}

type Named = Fields & { readonly op: string }

function isNamed(operation: unknown): operation is Named {
  return isFields(operation) && typeof operation.op === 'string'
}
