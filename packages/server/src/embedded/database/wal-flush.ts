import { close, fdatasync, fdatasyncSync, open } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { syncFolder } from '../sync-folder.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)
const nextTurn = promisify(setImmediate)

const QUICK_MS = 0.4
const SOON_MS = 5

export interface WalFlush {
  /** Resolves when everything committed before the call is on the disk. */
  flush(): Promise<void>
  /** The same for callers that can wait a few milliseconds: it joins the next flush. */
  flushSoon(): Promise<void>
  close(): Promise<void>
}

/**
 * Flushes the -wal of an SQLite file with `synchronous=NORMAL`: a commit is in the -wal or, after a checkpoint, in the
 * file that the checkpoint flushed. SQLite keeps the -wal while a connection is open and locks other files, so our own
 * descriptor is safe. Concurrent waiters share one `fdatasync`.
 */
export function openWalFlush(databaseFile: string, commit: () => void): WalFlush {
  let wal: Promise<number> | undefined
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let broken: Error | undefined
  let averageMs = 10 * QUICK_MS // assumed slow until measured

  /** Covers everyone who asks before it starts; a running one may have started before their commit. */
  async function flushNext(): Promise<void> {
    await running.catch(() => {})
    await nextTurn() // everyone woken by the last flush commits again before this one starts
    commit()
    next = undefined
    running = flushNow()
    await running
  }

  async function flushNow(): Promise<void> {
    if (broken) throw broken
    try {
      wal ??= openWal(databaseFile)
      await flushFile(await wal)
    } catch (error) {
      // The system may have dropped the pages it could not write: a later success would prove nothing.
      broken = error as Error
      throw error
    }
  }

  /** On a disk that answers sooner than a thread would, waiting in place is faster. */
  async function flushFile(file: number): Promise<void> {
    const start = performance.now()
    if (averageMs < QUICK_MS) fdatasyncSync(file)
    else await syncData(file)
    averageMs += (performance.now() - start - averageMs) / 8
  }

  let soon: { readonly flushed: Promise<void>; go(): void } | undefined

  function wait() {
    let go = () => {}
    const flushed = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => flush(), SOON_MS)
      go = () => {
        clearTimeout(timer)
        flush().then(resolve, reject)
      }
    })
    return { flushed, go }
  }

  function flush(): Promise<void> {
    next ??= flushNext()
    const waiting = soon
    soon = undefined
    waiting?.go()
    return next
  }

  return {
    flush,
    flushSoon() {
      if (next) return next
      soon ??= wait()
      return soon.flushed
    },
    async close() {
      if (soon) flush()
      await (next ?? running).catch(() => {}) // the waiters get the error
      if (wal) await closeFile(await wal)
    },
  }
}

async function openWal(databaseFile: string): Promise<number> {
  const wal = await openFile(`${databaseFile}-wal`, 'r+')
  await syncFolder(dirname(databaseFile)) // each open creates the -wal again: its directory entry must survive too
  return wal
}
