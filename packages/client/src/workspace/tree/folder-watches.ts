import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { isErrno } from '../paths/folder.ts'
import { createFolderLooks } from './folder-looks.ts'
import { RULE_FILES } from './ignore-rules.ts'
import { WATCH_LIMITS, type WatchLimits } from './watch-limits.ts'

export interface FolderWatches {
  /** Changes from then on are reported. */
  readonly ready: Promise<void>
  /** Looks at some of the folders that the system does not watch; called again and again. */
  look(): void
  close(): void
}

export interface WatchPorts {
  readonly isIgnored: (relative: string, isFolder: boolean) => boolean
  /** A file or link was created, changed or removed. */
  readonly note: (relative: string) => void
  readonly noteAll: () => void
  readonly onError: (error: unknown) => void
  /** More events than are kept: begin anew. */
  readonly onLost: () => void
  /** The root was removed or moved; what is at its path now may be another, even one with the same inode. */
  readonly onRootMoved: () => void
  readonly limits?: Partial<WatchLimits>
}

/** A folder that is watched, or looked at where the system cannot watch more. */
export interface WatchedFolder {
  readonly path: string
  readonly above?: WatchedFolder
  readonly identity: string
  /** Null: an ignored folder, of which only the name is known. */
  readonly inner: Map<string, WatchedFolder | null>
  watcher?: fs.FSWatcher
  /** It was removed or moved; a new folder can have its inode. */
  isMoved: boolean
  isGone: boolean
}

/** One watcher for each folder that is not ignored: files have none. */
export function createFolderWatches(rootPath: string, ports: WatchPorts): FolderWatches {
  const limits = { ...WATCH_LIMITS, ...ports.limits }
  const events = new Map<WatchedFolder, Map<string, string>>()
  const looks = createFolderLooks<WatchedFolder>(rootPath, limits.looks)
  let [watchers, waiting] = [0, 0]
  let isClosed = false
  let root: WatchedFolder | undefined
  let isHandling = false

  /** From now on its events come; its entries are not known yet. Undefined: gone, or not ours to read. */
  function enter(relative: string, above?: WatchedFolder): WatchedFolder | undefined {
    const status = statusAt(path.join(rootPath, relative))
    if (!status?.isDirectory()) return undefined
    const inner = new Map<string, WatchedFolder | null>()
    const identity = identityOf(status)
    const folder: WatchedFolder = {
      path: relative,
      above,
      identity,
      inner,
      isMoved: false,
      isGone: false,
    }
    if (watchers >= limits.folders)
      return lookInstead(folder, `${limits.folders} folders are watched`)
    try {
      folder.watcher = fs.watch(path.join(rootPath, relative), { persistent: true })
    } catch (error) {
      if (isErrno(error, 'ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'))
        return lookInstead(folder, `the system answered ${error.code}`)
      if (isErrno(error)) return undefined
      throw error
    }
    watchers++
    folder.watcher.on('change', (type, name) => onEvent(folder, type, name))
    folder.watcher.on('error', () => leave(folder)) // removed: the folder above has an event, too
    return folder
  }

  function lookInstead(folder: WatchedFolder, why: string): WatchedFolder {
    ports.onError(
      new Error(
        `The system cannot watch more folders (${why}). Changes in the others are noticed by looking at their times, which takes longer; reading and listing are not affected.`,
      ),
    )
    looks.add(folder)
    return folder
  }

  function leave(folder: WatchedFolder): void {
    if (folder.isGone) return
    folder.isGone = true
    if (folder.watcher) watchers--
    folder.watcher?.close()
    waiting -= events.get(folder)?.size ?? 0
    events.delete(folder)
    for (const inner of folder.inner.values()) if (inner) leave(inner)
    folder.inner.clear()
  }

  /** Watches the folders in it that are not watched yet; with `isNew` its files are reported. */
  async function walk(first: WatchedFolder, isNew: boolean): Promise<void> {
    const open = [first]
    for (let folder = open.pop(); folder && !isClosed; folder = open.pop()) {
      for (const entry of await entriesOf(path.join(rootPath, folder.path))) {
        if (folder.isGone) break
        const relative = join(folder.path, entry.name)
        if (!entry.isDirectory()) {
          if (isNew) ports.note(relative)
        } else if (!folder.inner.get(entry.name)) {
          const inner = ports.isIgnored(relative, true) ? null : enter(relative, folder)
          if (inner !== undefined) folder.inner.set(entry.name, inner)
          if (inner) open.push(inner)
        }
      }
    }
  }

  function onEvent(folder: WatchedFolder, type: string, name: string | Buffer | null): void {
    if (isClosed || folder.isGone) return
    const names = events.get(folder) ?? new Map<string, string>()
    waiting -= names.size
    const key = name === null ? '' : String(name)
    events.set(folder, names.set(key, names.get(key) === 'rename' ? 'rename' : type))
    waiting += names.size
    if (waiting > limits.events) return ports.onLost()
    if (!isHandling) handle().catch(ports.onError)
  }

  /** One after the other, in pieces: a program that writes without end holds up nobody. */
  async function handle(): Promise<void> {
    isHandling = true
    try {
      while (events.size > 0 && !isClosed) {
        await nextTick()
        const [folder, names] = events.entries().next().value ?? []
        if (!folder || !names) continue
        const some = [...names].slice(0, EVENTS_AT_ONCE)
        for (const [name] of some) names.delete(name)
        waiting -= some.length
        if (names.size === 0) events.delete(folder)
        for (const [name, type] of some) await handleOne(folder, name, type)
      }
    } finally {
      isHandling = false
    }
  }

  async function handleOne(folder: WatchedFolder, name: string, type: string): Promise<void> {
    if (folder.isGone) return
    if (name === '') return handleUnnamed(folder)
    const relative = join(folder.path, name)
    const known = folder.inner.get(name)
    const status = statusAt(path.join(rootPath, relative))
    const isSame = known?.isMoved === false && known.identity === (status && identityOf(status))
    if (isSame && status?.isDirectory()) return
    if (!status && known === undefined && isOwnName(folder, name)) return handleItself(folder, type)
    if (known !== undefined) folder.inner.delete(name)
    if (known) {
      leave(known)
      ports.noteAll() // what was in it is not known
    }
    if (status?.isDirectory()) {
      const inner = ports.isIgnored(relative, true) ? null : enter(relative, folder)
      if (inner !== undefined) folder.inner.set(name, inner)
      if (inner) await walk(inner, true)
    } else if (status || known === undefined) {
      ports.note(relative)
      if (RULE_FILES.has(name)) await walk(folder, false) // it may have made folders visible
    }
  }

  async function handleUnnamed(folder: WatchedFolder): Promise<void> {
    ports.noteAll()
    await walk(folder, true)
  }

  /** A folder's own events come with its own name, as if something in it were called so. */
  function isOwnName(folder: WatchedFolder, name: string): boolean {
    return name === path.basename(path.join(rootPath, folder.path))
  }

  function handleItself(folder: WatchedFolder, type: string): void {
    if (type !== 'rename') return // its permissions
    folder.isMoved = true
    if (folder.above) onEvent(folder.above, type, path.posix.basename(folder.path))
    else ports.onRootMoved()
  }

  async function begin(): Promise<void> {
    root = enter('')
    if (root) await walk(root, false)
  }

  return {
    ready: begin(),
    look() {
      for (const folder of looks.findChanged()) {
        ports.noteAll()
        walk(folder, false).catch(ports.onError)
      }
    },
    close() {
      isClosed = true
      if (root) leave(root)
    },
  }
}

const EVENTS_AT_ONCE = 200

async function entriesOf(folder: string): Promise<readonly fs.Dirent[]> {
  try {
    return await fs.promises.readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isErrno(error)) return [] // gone, or not ours to read
    throw error
  }
}

function statusAt(file: string): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(file, { bigint: true })
  } catch {
    return undefined
  }
}

function identityOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
