import type { Change } from '@filewright/protocol'

/** A refused change takes with it what builds on it, and the other places of an operation that is one whole. */
export function withRefused(
  chosen: readonly Change[],
  refused: ReadonlySet<string>,
  changes: readonly Change[],
): ReadonlySet<string> {
  const { dependants, together } = relate(changes)
  const gone = reach(chosen, change => [...dependants(change), ...together(change)])
  return new Set([...refused, ...gone])
}

/** An accepted change brings what it builds on. */
export function withAccepted(
  chosen: readonly Change[],
  refused: ReadonlySet<string>,
  changes: readonly Change[],
): ReadonlySet<string> {
  const { needed, together } = relate(changes)
  const back = reach(chosen, change => [...needed(change), ...together(change)])
  return new Set([...refused].filter(id => !back.has(id)))
}

export function reach(
  from: readonly Change[],
  beside: (change: Change) => readonly Change[],
): ReadonlySet<string> {
  const reached = new Set<string>()
  const left = [...from]
  for (let one = left.pop(); one; one = left.pop()) {
    if (reached.has(one.id)) continue
    reached.add(one.id)
    left.push(...beside(one))
  }
  return reached
}

/** Looked up, not searched for: a draft may have many thousands of changes. */
export function relate(changes: readonly Change[]) {
  const byId = new Map<string, Change>(changes.map(change => [change.id, change]))
  const dependants = new Map<string, Change[]>()
  const wholes = new Map<string, Change[]>()
  for (const change of changes) {
    for (const id of change.dependsOn) listIn(dependants, id).push(change)
    if (isPlaceOfWhole(change)) listIn(wholes, operationOf(change)).push(change)
  }
  return {
    needed: (change: Change) => change.dependsOn.flatMap(id => byId.get(id) ?? []),
    dependants: (change: Change) => dependants.get(change.id) ?? [],
    together: (change: Change) =>
      isPlaceOfWhole(change) ? (wholes.get(operationOf(change)) ?? []) : [],
  }
}

function listIn(lists: Map<string, Change[]>, key: string): Change[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function isPlaceOfWhole({ atomic, kind }: Change): boolean {
  return atomic === true && kind !== 'file'
}

function operationOf({ docPath, operation }: Change): string {
  return JSON.stringify([docPath, operation.toolCallId, operation.index])
}
