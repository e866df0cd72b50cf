import type { ChangeId, LoggedOperation } from '@filewright/protocol'

const WITHDRAW = 'withdraw'

/**
 * An operation of a log, in every format with `has.withdraw`: it takes back earlier changes and those that depend on
 * them. A person refused them, or undid what was published. No tool offers it.
 */
export function toWithdrawal(
  changeIds: readonly ChangeId[],
  about: Omit<LoggedOperation, 'operation'>,
): LoggedOperation {
  return { ...about, operation: { op: WITHDRAW, changeIds } }
}

/** The changes that it takes back; undefined for every other operation. */
export function withdrawnBy({ operation }: LoggedOperation): ReadonlySet<ChangeId> | undefined {
  return operation.op === WITHDRAW ? new Set(operation.changeIds as ChangeId[]) : undefined
}
