import type { SqliteStatement } from './sqlite.ts'

/** What one commit holds. */
export interface Group {
  readonly committed: Promise<void>
  /** Asked for by the first who waits for the disk; all of the group share it. */
  durable?: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/**
 * Gathers what is written in one turn of the event loop into one transaction: a commit costs system calls and writes
 * every page it touched anew, so sixteen sessions that append at once share both.
 */
export function createCommitGroup(prepare: (sql: string) => SqliteStatement) {
  let open: Group | undefined
  let working = false
  let undone = 0
  const later: (() => void)[] = []

  /** Runs at once; a throw undoes this work alone. Work inside work joins it. */
  function add<Value>(work: () => Value, { writesOnce = false } = {}) {
    if (!working) doLater()
    open ??= begin()
    const group = open
    if (working) return { value: work(), group }
    // One statement is all or none by itself.
    if (!writesOnce) prepare('savepoint work').run()
    working = true
    try {
      const value = work()
      if (!writesOnce) prepare('release work').run()
      return { value, group }
    } catch (error) {
      undone++
      if (!writesOnce) undo()
      throw error
    } finally {
      working = false
    }
  }

  /** Runs before whatever comes next: an `add`, or the commit. Inside work it is part of it, and runs at once. */
  function addLater(work: () => void): Group {
    open ??= begin()
    if (working) work()
    else later.push(work)
    return open
  }

  function doLater(): void {
    for (let work = later.shift(); work; work = later.shift()) work()
  }

  function begin(): Group {
    prepare('begin immediate').run()
    setImmediate(commit)
    let resolve = () => {}
    let reject: Group['reject'] = () => {}
    const committed = new Promise<void>((onCommit, onFailure) => {
      resolve = onCommit
      reject = onFailure
    })
    committed.catch(() => {}) // each who waits hears of it; nobody may
    return { committed, resolve, reject }
  }

  function commit(): void {
    doLater()
    const group = open
    if (!group) return
    open = undefined
    try {
      prepare('commit').run()
      group.resolve()
    } catch (error) {
      undone++
      tryTo('rollback')
      group.reject(error)
    }
  }

  function undo() {
    tryTo('rollback to work')
    tryTo('release work')
  }

  /** A full disk ends the transaction by itself, and then there is nothing to go back to. */
  function tryTo(sql: string) {
    try {
      prepare(sql).run()
    } catch {
      // The cause that matters is on its way to the caller.
    }
  }

  return { add, addLater, commit, isWorking: () => working, undone: () => undone }
}
