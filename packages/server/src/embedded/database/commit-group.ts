import type { SqliteStatement } from './sqlite.ts'

/** The contents of one commit. */
export interface Group {
  readonly committed: Promise<void>
  /** Created by the first waiter; the whole group shares it. */
  durable?: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/**
 * Gathers the writes of one event-loop turn into one transaction. A commit costs system calls and rewrites every page
 * it touched, so sixteen sessions that append at once share both.
 */
export function createCommitGroup(prepare: (sql: string) => SqliteStatement) {
  let open: Group | undefined
  let working = false
  let undone = 0
  const later: (() => void)[] = []

  /** Runs at once; a throw undoes only this work. Nested work joins its outer work. */
  function add<Value>(work: () => Value, { writesOnce = false } = {}) {
    if (!working) doLater()
    open ??= begin()
    const group = open
    if (working) return { value: work(), group }
    // A single statement is atomic by itself.
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

  /** Runs before the next `add` or the commit. Inside work it runs at once, as part of it. */
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
    committed.catch(() => {}) // each waiter gets the error; there may be no waiter
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

  /** A full disk ends the transaction by itself, so there is nothing to roll back. */
  function tryTo(sql: string) {
    try {
      prepare(sql).run()
    } catch {
      // The cause that matters is on its way to the caller.
    }
  }

  return { add, addLater, commit, isWorking: () => working, undone: () => undone }
}
