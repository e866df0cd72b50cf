import type { OperationRef } from '@filewright/protocol'

export function operationKeys(operations: readonly OperationRef[]): ReadonlySet<string> {
  return new Set(operations.map(operationKey))
}

export function operationKey({ toolCallId, index }: OperationRef): string {
  return `${index} ${toolCallId}`
}
