import type { Change, ChangeId } from '@filewright/protocol'
import { operationKey } from './operation-key.ts'

/** The refused changes and those that depend on them. */
export function closeOverDependants(
  changes: readonly Change[],
  refused: Iterable<ChangeId>,
): { readonly refused: ReadonlySet<ChangeId>; readonly dropped: readonly ChangeId[] } {
  const gone = new Set(refused)
  const given = new Set(gone)
  if (gone.size === 0) return { refused: gone, dropped: [] }
  const cut = new Set<string>()
  const drop = (change: Change) => {
    gone.add(change.id)
    if (isPlaceOfAtomic(change)) cut.add(atomicKey(change))
  }
  for (const change of changes) if (gone.has(change.id)) drop(change)
  const isCut = (change: Change) => isPlaceOfAtomic(change) && cut.has(atomicKey(change))
  for (let grew = true; grew; ) {
    grew = false
    for (const change of changes)
      if (!gone.has(change.id) && (isCut(change) || change.dependsOn.some(id => gone.has(id)))) {
        drop(change)
        grew = true
      }
  }
  return { refused: gone, dropped: [...gone].filter(id => !given.has(id)) }
}

/** All places of an atomic operation go together. */
function atomicKey({ docPath, operation }: Change): string {
  return `${operationKey(operation)} ${docPath}`
}

function isPlaceOfAtomic({ atomic, kind }: Change): boolean {
  return atomic === true && kind !== 'file'
}

/** The other changes that these depend on. */
export function neededBy(changes: readonly Change[], ids: readonly ChangeId[]): ChangeId[] {
  const byId = new Map(changes.map(change => [change.id, change]))
  const places = new Map<string, Change[]>()
  for (const change of changes.filter(isPlaceOfAtomic)) {
    const together = places.get(atomicKey(change))
    if (together) together.push(change)
    else places.set(atomicKey(change), [change])
  }
  const asked = new Set(ids)
  const needed = new Set(ids)
  for (const id of needed) {
    const change = byId.get(id)!
    for (const other of change.dependsOn) if (byId.has(other)) needed.add(other)
    if (!isPlaceOfAtomic(change)) continue
    for (const other of places.get(atomicKey(change)) ?? []) needed.add(other.id)
    places.delete(atomicKey(change)) // once is enough for all of them
  }
  return changes.map(({ id }) => id).filter(id => needed.has(id) && !asked.has(id))
}
