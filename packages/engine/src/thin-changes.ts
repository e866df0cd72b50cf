import { type Change, changedLines } from '@filewright/protocol'

const TOLD = 1_000 // more than an answer names

/**
 * The changes of one call as its caller needs them: beyond the first thousand they are only counted, so their content stays
 * where it is. A review lists all of them.
 */
export function thinChanges(changes: readonly Change[]): readonly Change[] {
  if (changes.length <= TOLD) return changes
  return changes.map((change, i) => (i < TOLD ? change : countedOnly(change)))
}

function countedOnly(change: Change): Change {
  const count = changedLines(change.before?.lines ?? [], change.after?.lines ?? [])
  const after = count > 1 ? { lines: new Array<string>(count).fill('') } : null
  return { ...change, before: null, after }
}
