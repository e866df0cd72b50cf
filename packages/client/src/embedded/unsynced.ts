/** What is on its way to the disk, and has to last before a line that is appended after it counts as durable. */
export interface Unsynced {
  readonly all: ReadonlySet<Promise<unknown>>
  /** What fails stays, and keeps every later line from counting as durable. */
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
        () => {}, // whoever appends hears of it
      )
    },
  }
}
