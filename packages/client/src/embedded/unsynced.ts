/** Syncs under way that must succeed before a line appended after them counts as durable. */
export interface Unsynced {
  readonly all: ReadonlySet<Promise<unknown>>
  /** A failed sync stays, so that no later line counts as durable. */
  add(syncing: Promise<unknown>): void
}

export function createUnsynced(): Unsynced {
  const all = new Set<Promise<unknown>>()
  return {
    all,
    add(syncing) {
      all.add(syncing)
      syncing.then(
        () => all.delete(syncing),
        () => {}, // the next append reports it
      )
    },
  }
}
