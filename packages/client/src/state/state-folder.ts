import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Sha256 } from '@filewright/protocol'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import {
  type LineLog,
  openLineLog,
  parseLines,
  type Salvaged,
  salvageLines,
  writeAll,
} from './line-log.ts'

const datasync = promisify(fdatasync)
const OPEN_LOGS = 16 // written lately
const MOST_REMEMBERED = 20_000 // names of blobs known to be sound: some 2 MB
const DAMAGED = 'damaged'

/** Where a client remembers what must outlive it: logs of lines, and bytes by hash. Never inside the workspace. */
export interface StateFolder {
  readonly root: string
  /** The end of its path: enough to find it, and no path of the machine. */
  readonly name: string
  /** Resolves when the lines would survive a loss of power. They are there whole or not at all. */
  append(name: string, lines: readonly unknown[]): Promise<void>
  /** The same for who goes on meanwhile: resolves when they are written, in the order asked; `kept` when they last. */
  begin(name: string, lines: readonly unknown[]): Promise<{ readonly kept: Promise<void> }>
  /** A last line that a crash cut off is left out, and gone with the next append. Throws `DamagedLog`. */
  read<Line>(name: string): Promise<Line[]>
  /** What can be read of a log that must not keep anybody from starting; one with a loss is kept aside as it is. */
  salvage<Line>(
    name: string,
    isLine: (line: unknown) => line is Line,
  ): Promise<Salvaged<Line> & { readonly keptAs: string | null }>
  /** The log with these lines alone, durably; a crash leaves the old one or the new one. */
  replace(name: string, lines: readonly unknown[]): Promise<void>
  /** The log as it lies there, readable or not. */
  readText(name: string): Promise<string>
  list(folder: string): Promise<string[]>
  /** Durable with the next `append`. */
  move(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
  /** Durable with the next `append`: the line that names it. */
  putBlob(bytes: Uint8Array): Promise<Sha256>
  /** Undefined: it is not there, or is not what its name says. */
  getBlob(sha256: Sha256): Promise<Uint8Array | undefined>
  /** Null: it is not there. */
  sizeOfBlob(sha256: Sha256): Promise<number | null>
  listBlobs(): Promise<{ readonly sha256: Sha256; readonly sizeBytes: number }[]>
  /** False where it was put again since that moment: somebody is about to name it. */
  removeBlob(sha256: Sha256, options: { readonly unusedSince: number }): boolean
  close(): void
}

export async function openStateFolder(root: string): Promise<StateFolder> {
  await mkdir(join(root, 'blobs'), { recursive: true, mode: 0o700 })
  const logs = new Map<string, LineLog>()
  const openings = new Map<string, Promise<LineLog>>()
  const madeFolders = new Set<string>()
  const unsynced = new Set<Promise<unknown>>()
  /** Blobs that this process wrote or compared with their names: a loss of power may have torn any other. */
  const sound = new Set<Sha256>()
  const ownName = `${basename(dirname(root))}/${basename(root)}`
  const pathOf = (name: string) => join(root, name)
  const blobPath = (sha256: string) => join(root, 'blobs', sha256.slice(0, 2), sha256)

  function closeLog(name: string) {
    logs.get(name)?.close()
    logs.delete(name)
  }

  /** What fails stays, and keeps every later line from counting as durable. */
  function awaitInAppends(syncing: Promise<unknown>): void {
    unsynced.add(syncing)
    syncing.then(
      () => unsynced.delete(syncing),
      () => {}, // told to who appends
    )
  }

  async function begin(name: string, lines: readonly unknown[]) {
    const log = logs.get(name) ?? (await openOnce(name))
    log.append(lines)
    return { kept: log.sync() }
  }

  /** The oldest that nobody waits for. */
  function closeOld(): void {
    for (const [name, log] of logs) {
      if (logs.size < OPEN_LOGS) return
      if (!log.isBusy) closeLog(name)
    }
  }

  function remember(sha256: Sha256): void {
    if (sound.size >= MOST_REMEMBERED) sound.delete(sound.values().next().value!)
    sound.add(sha256)
  }

  /** Whether the blob that is there can be relied on; one of another process may not be on the disk yet. */
  function takeFound(path: string, sha256: Sha256, bytes: Uint8Array): boolean {
    if (!sound.has(sha256)) {
      if (!readFileSync(path).equals(bytes)) return false
      awaitInAppends(Promise.all([syncAndClose(openSync(path, 'r+')), syncFolder(dirname(path))]))
      remember(sha256)
    }
    const now = new Date()
    utimesSync(path, now, now)
    return true
  }

  /** Who comes while it is opened waits for the same, in order. */
  function openOnce(name: string): Promise<LineLog> {
    const opening = openings.get(name) ?? openLog(name).finally(() => openings.delete(name))
    openings.set(name, opening)
    return opening
  }

  async function openLog(name: string): Promise<LineLog> {
    const path = pathOf(name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    closeOld()
    const log = openLineLog(path, unsynced)
    if (log.isEmpty) awaitInAppends(syncFolder(dirname(path)))
    logs.set(name, log)
    return log
  }

  return {
    root,
    name: ownName,

    begin,
    async append(name, lines) {
      await (await begin(name, lines)).kept
    },

    async read<Line>(name: string) {
      const bytes = await readFile(pathOf(name)).catch(ignoreMissing)
      return bytes ? parseLines<Line>(bytes, name) : []
    },

    async salvage<Line>(name: string, isLine: (line: unknown) => line is Line) {
      const bytes = await readFile(pathOf(name)).catch(ignoreMissing)
      const salvaged = salvageLines(bytes ?? Buffer.alloc(0), isLine)
      if (!bytes || salvaged.lost === 0) return { ...salvaged, keptAs: null }
      const aside = join(
        DAMAGED,
        `${basename(name, '.jsonl')}-${sha256Of(bytes).slice(0, 8)}.jsonl`,
      )
      await mkdir(pathOf(DAMAGED), { recursive: true, mode: 0o700 })
      await writeDurably(pathOf(aside), bytes)
      return { ...salvaged, keptAs: `${ownName}/${aside}` }
    },

    async replace(name, lines) {
      await openings.get(name)
      await logs.get(name)?.settled()
      closeLog(name)
      await writeDurably(pathOf(name), Buffer.from(lines.map(toJsonLine).join('')))
    },

    async readText(name) {
      return (await readFile(pathOf(name), 'utf8').catch(ignoreMissing)) ?? ''
    },

    async list(folder) {
      const names = await readdir(pathOf(folder)).catch(ignoreMissing)
      return (names ?? []).sort()
    },

    async move(from, to) {
      closeLog(from)
      await mkdir(dirname(pathOf(to)), { recursive: true, mode: 0o700 })
      await rename(pathOf(from), pathOf(to))
      const folders = new Set([to, from].map(name => dirname(pathOf(name))))
      awaitInAppends(Promise.all([...folders].map(syncFolder)))
    },

    async remove(name) {
      closeLog(name)
      await rm(pathOf(name), { force: true, recursive: true })
    },

    async putBlob(bytes) {
      const sha256 = sha256Of(bytes)
      const path = blobPath(sha256)
      if (existsSync(path) && takeFound(path, sha256, bytes)) return sha256
      const folder = dirname(path)
      if (!madeFolders.has(folder)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        madeFolders.add(folder)
      }
      const temporary = `${path}.${randomBytes(4).toString('hex')}`
      const fd = openSync(temporary, 'wx', 0o600)
      try {
        writeAll(fd, bytes, 0)
        renameSync(temporary, path)
      } catch (error) {
        closeSync(fd)
        rmSync(temporary, { force: true })
        throw error
      }
      awaitInAppends(Promise.all([syncAndClose(fd), syncFolder(folder)]))
      remember(sha256)
      return sha256
    },

    async getBlob(sha256) {
      const bytes = await readFile(blobPath(sha256)).catch(ignoreMissing)
      if (!bytes || sound.has(sha256)) return bytes
      if (sha256Of(bytes) !== sha256) return undefined
      remember(sha256)
      return bytes
    },

    async sizeOfBlob(sha256) {
      return (await stat(blobPath(sha256)).catch(ignoreMissing))?.size ?? null
    },

    async listBlobs() {
      const entries = await readdir(join(root, 'blobs'), { recursive: true, withFileTypes: true })
      return entries
        .filter(entry => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
        .map(({ name }) => ({ sha256: name as Sha256, sizeBytes: statSync(blobPath(name)).size }))
    },

    // without an await between look and removal, so that no `putBlob` comes in between
    removeBlob(sha256, { unusedSince }) {
      const path = blobPath(sha256)
      if (statSync(path).mtimeMs >= unusedSince) return false
      rmSync(path)
      sound.delete(sha256)
      return true
    },

    close() {
      for (const name of [...logs.keys()]) closeLog(name)
    },
  }
}

function toJsonLine(line: unknown): string {
  return `${JSON.stringify(line)}\n`
}

/** In place of what is there, all of it or none. */
async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    writeAll(fd, bytes, 0)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  await syncAndClose(fd)
  renameSync(temporary, path)
  await syncFolder(dirname(path))
}

async function syncAndClose(fd: number): Promise<void> {
  try {
    await datasync(fd)
  } finally {
    closeSync(fd)
  }
}

async function syncFolder(path: string) {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (process.platform !== 'win32') throw error // Windows cannot sync a folder
  } finally {
    await handle.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
