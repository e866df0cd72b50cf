import type { Change } from '@filewright/protocol'

/** A refused change takes with it what builds on it; an accepted one brings what it builds on. */
export function toggled(
  change: Change,
  refused: ReadonlySet<string>,
  changes: readonly Change[],
): ReadonlySet<string> {
  const next = new Set(refused)
  const accept = refused.has(change.id)
  const visit = (one: Change): void => {
    if (accept ? !next.delete(one.id) : next.has(one.id)) return
    if (!accept) next.add(one.id)
    for (const other of changes) {
      const [upper, lower] = accept ? [one, other] : [other, one]
      if (upper.dependsOn.includes(lower.id)) visit(other)
    }
  }
  visit(change)
  return next
}
