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
  /** Resolves when all that was committed before the call is on the disk. */
  flush(): Promise<void>
  /** The same for whom a few milliseconds are nothing: it goes with the next flush that somebody waits for. */
  flushSoon(): Promise<void>
  close(): Promise<void>
}

/**
 * Flushes the -wal of an SQLite file with `synchronous=NORMAL`: a commit is there or, after a checkpoint, in the file
 * that the checkpoint itself flushed. SQLite keeps the -wal while a connection is open and locks other files, so a
 * descriptor of our own is safe. All who wait at one time share one `fdatasync`.
 */
export function openWalFlush(databaseFile: string, commit: () => void): WalFlush {
  let wal: Promise<number> | undefined
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let broken: Error | undefined
  let averageMs = 10 * QUICK_MS // slow until it has shown otherwise

  /** Covers whoever asks until it begins; one that runs already may have begun before their commit. */
  async function flushNext(): Promise<void> {
    await running.catch(() => {})
    await nextTurn() // all who were woken by the last flush commit again before this one begins
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

  /** On a disk that answers sooner than a thread would, waiting in place is the shorter way for all. */
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
      await (next ?? running).catch(() => {}) // whoever waits for it hears of it
      if (wal) await closeFile(await wal)
    },
  }
}

async function openWal(databaseFile: string): Promise<number> {
  const wal = await openFile(`${databaseFile}-wal`, 'r+')
  await syncFolder(dirname(databaseFile)) // the -wal is made anew at each open: its name must survive too
  return wal
}
