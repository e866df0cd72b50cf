import fs from 'node:fs'
import { promisify } from 'node:util'
import {
  type Digest,
  errno,
  type FileAttributes,
  type Folder,
  type FolderEntry,
  isErrno,
  type NewFile,
  type NodeFacts,
  type NodeStatus,
  type OpenFile,
} from '../paths/folder.ts'
import { MAY_EXCHANGE } from './config.ts'
import {
  DiskFile,
  descriptorFolder,
  hashLarge,
  hashSmall,
  isEqual,
  readAt,
  takeAttributes,
} from './disk-file.ts'
import { factsAt, fstat, kindOf, lstat } from './disk-status.ts'
import type { Native } from './native/calls.ts'
import { loadNative } from './native/native.ts'

const fsync = promisify(fs.fsync)
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = fs.constants
const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants
const NO_CLONE = ['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOTTY']
const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0 // opening a pipe must not wait for its other end

export interface DiskFolderOptions {
  /**
   * Linux only, and the default there: names are reached through the open folder's descriptor, so that a folder
   * swapped for a link is never followed. Elsewhere the folder's identity is compared before and after each step.
   */
  readonly descriptorPaths?: boolean
  /** False: two files are never exchanged, as on a disk that cannot; for tests. */
  readonly exchange?: boolean
  /** A folder of this identity is hidden, under any name. */
  readonly isHidden?: (identity: string) => boolean
}

/** Opens an existing folder by an absolute path that is not itself a link. */
export function openDiskFolder(path: string, options: DiskFolderOptions = {}): Folder {
  const descriptors = options.descriptorPaths ?? descriptorFolder() !== null
  return new DiskFolder(descriptors ? descriptorHandle(path) : pathHandle(path), options)
}

/** How names inside an open folder are reached. */
interface Handle {
  readonly identity: string
  readonly path: string
  /** Throws when `path` no longer leads to this folder; absent where the path cannot be redirected. */
  readonly check?: () => void
  /** The plain path by which it was reached; absent when `path` is one. */
  readonly directPath?: string
  status(): NodeStatus
  openFolder(path: string, name: string): Handle
  sync(): Promise<void>
  close(): void
}

const closed = () => {
  throw new Error('the folder was closed')
}
const CLOSED: Handle = {
  identity: 'closed',
  get path() {
    return closed()
  },
  status: closed,
  openFolder: closed,
  sync: closed,
  close: () => {},
}

class DiskFolder implements Folder {
  #identity?: string
  #handle: Handle
  readonly #options: DiskFolderOptions

  constructor(handle: Handle, options: DiskFolderOptions) {
    this.#handle = handle
    this.#options = options
  }

  /** Asked of the system on first use, unless the status had it. */
  get identity(): string {
    this.#identity ??= this.#handle.identity
    return this.#identity
  }

  async status(): Promise<NodeStatus> {
    const status = this.#handle.status()
    this.#identity ??= status.identity
    return status
  }

  async entries(): Promise<FolderEntry[]> {
    const entries = this.#checked(() => fs.readdirSync(this.#handle.path, { withFileTypes: true }))
    return entries.map(entry => ({ name: entry.name, kind: kindOf(entry) }))
  }

  async statusOf(name: string): Promise<NodeStatus | null> {
    return this.#checked(() => lstat(this.#at(name)))
  }

  async isWritable(name: string, status: NodeStatus): Promise<boolean> {
    if (status.uid === process.getuid?.() && (status.mode & 0o200) !== 0) return true
    const path = this.#at(name)
    try {
      this.#checked(() => fs.accessSync(path, fs.constants.W_OK))
    } catch (error) {
      if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false
      throw error
    }
    return true
  }

  async factsOf(names: readonly string[]): Promise<(NodeFacts | null)[]> {
    return this.#checked(() => {
      // A plain path costs half of what a descriptor's does. It is used only while it leads to this very folder.
      const direct = this.#directPath()
      const at = (name: string) => (direct === undefined ? this.#at(name) : `${direct}/${name}`)
      const facts = names.map(name => factsAt(at(name)))
      const isStill = direct === undefined || this.#directPath() === direct
      return isStill ? facts : names.map(name => factsAt(this.#at(name)))
    })
  }

  /** Undefined when that path no longer leads to the folder. */
  #directPath(): string | undefined {
    const path = this.#handle.directPath
    return path !== undefined && lstat(path)?.identity === this.identity ? path : undefined
  }

  async readLink(name: string): Promise<string> {
    return this.#checked(() => fs.readlinkSync(this.#at(name)))
  }

  async openFolder(name: string): Promise<Folder> {
    const handle = this.#checked(() => this.#handle.openFolder(this.#at(name), name))
    const folder = new DiskFolder(handle, this.#options)
    if (!this.#options.isHidden?.(folder.identity)) return folder
    folder.close()
    throw errno('ENOENT', `"${name}" is closed to tools`)
  }

  async openFile(name: string): Promise<OpenFile> {
    const { fd, status } = this.#openRegular(name)
    return {
      status,
      read: (start, length, allocate) =>
        readAt(fd, start, (allocate ?? Buffer.allocUnsafeSlow)(length), status.sizeBytes),
      close: () => fs.closeSync(fd),
    }
  }

  async digest(name: string): Promise<Digest> {
    const { fd, status } = this.#openRegular(name)
    try {
      return {
        ...(hashSmall(fd, status.sizeBytes) ?? (await hashLarge(fd, status.sizeBytes))),
        status,
      }
    } finally {
      fs.closeSync(fd)
    }
  }

  async holds(name: string, pieces: readonly Uint8Array[]): Promise<boolean> {
    const { fd, status } = this.#openRegular(name)
    try {
      let length = 0
      for (const piece of pieces) length += piece.length
      return status.sizeBytes === length && isEqual(fd, pieces, length)
    } finally {
      fs.closeSync(fd)
    }
  }

  async createFile(name: string, attributes?: FileAttributes): Promise<NewFile> {
    const path = this.#at(name)
    const fd = this.#checked(
      () => fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, attributes?.mode ?? 0o666),
      made => {
        fs.closeSync(made)
        fs.unlinkSync(path)
      },
    )
    if (this.#handle.check && !this.#isHere(name, fstat(fd))) {
      fs.closeSync(fd)
      throw movedMeanwhile(path)
    }
    try {
      if (attributes) takeAttributes(fd, attributes)
    } catch (error) {
      fs.closeSync(fd)
      fs.unlinkSync(path)
      throw error
    }
    return new DiskFile(fd)
  }

  async appendFile(name: string): Promise<NewFile> {
    const flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW
    return new DiskFile(this.#checked(() => fs.openSync(this.#at(name), flags, 0o600)))
  }

  async link(name: string, to: Folder, toName: string): Promise<void> {
    const target = asDisk(to)
    const path = target.#at(toName)
    const act = () => fs.linkSync(this.#at(name), path)
    this.#checked(() => target.#checked(act, () => fs.unlinkSync(path)))
  }

  async rename(name: string, to: Folder, toName: string): Promise<void> {
    const target = asDisk(to)
    const [from, path] = [this.#at(name), target.#at(toName)]
    const act = () => fs.renameSync(from, path)
    this.#checked(() => target.#checked(act, () => fs.renameSync(path, from)))
  }

  async mayExchange(): Promise<boolean> {
    return (this.#options.exchange ?? MAY_EXCHANGE) && (await loadNative()).calls !== null
  }

  async exchange(name: string, to: Folder, toName: string, spare: string): Promise<void> {
    const target = asDisk(to)
    const native = await this.#native()
    const [from, path, third] = [this.#at(name), target.#at(toName), this.#at(spare)]
    const act = () => native.exchange(from, path, third)
    this.#checked(() => target.#checked(act, act))
  }

  async clone(name: string, to: Folder, toName: string): Promise<boolean> {
    const target = asDisk(to)
    const [from, path] = [this.#at(name), target.#at(toName)]
    const act = () => fs.copyFileSync(from, path, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE)
    try {
      this.#checked(() => target.#checked(act, () => fs.unlinkSync(path)))
      return true
    } catch (error) {
      if (isErrno(error, ...NO_CLONE)) return false
      throw error
    }
  }

  async copyAttributes(name: string, to: string): Promise<readonly string[]> {
    const { calls } = await loadNative()
    const [from, path] = [this.#at(name), this.#at(to)]
    return this.#checked(() => calls?.copyAttributes(from, path) ?? [])
  }

  async #native(): Promise<Native> {
    const { calls } = await loadNative()
    if (calls && (await this.mayExchange())) return calls
    throw errno('ENOSYS', 'two files cannot be exchanged here')
  }

  async remove(name: string): Promise<void> {
    this.#checked(() => fs.unlinkSync(this.#at(name)))
  }

  async makeFolder(name: string): Promise<void> {
    const path = this.#at(name)
    this.#checked(
      () => fs.mkdirSync(path),
      () => fs.rmdirSync(path),
    )
  }

  async removeFolder(name: string): Promise<void> {
    this.#checked(() => fs.rmdirSync(this.#at(name)))
  }

  sync(): Promise<void> {
    return this.#handle.sync()
  }

  close(): void {
    this.#handle.close()
    this.#handle = CLOSED // a descriptor's number is reused: it must not be used by mistake
  }

  #at(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/'))
      throw new Error(`"${name}" is not a name inside a folder`)
    return `${this.#handle.path}/${name}`
  }

  #openRegular(name: string): { fd: number; status: NodeStatus } {
    const path = this.#at(name)
    const fd = this.#checked(() => {
      if (O_NOFOLLOW === 0 && lstat(path)?.kind === 'link') throw errno('ELOOP', path)
      return fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }, fs.closeSync)
    const status = fstat(fd)
    if (status.kind === 'file' && this.#isHere(name, status)) return { fd, status }
    fs.closeSync(fd)
    if (status.kind === 'file') throw movedMeanwhile(path)
    throw errno(status.kind === 'folder' ? 'EISDIR' : 'EINVAL', `"${name}" is not a regular file`)
  }

  /** Whether the opened or created file is the one that the name means in this folder, not one that a swap led to. */
  #isHere(name: string, status: NodeStatus): boolean {
    return !this.#handle.check || lstat(this.#at(name))?.identity === status.identity
  }

  /**
   * Runs a step between two checks of the folder's identity, where its path could be redirected; `takeBack` undoes the
   * step. A folder swapped there and back within one step shows in the opened or created file: see `#isHere`.
   */
  #checked<Value>(step: () => Value, takeBack?: (value: Value) => void): Value {
    const { check } = this.#handle
    if (!check) return step()
    check()
    const value = step()
    try {
      check()
    } catch (error) {
      try {
        takeBack?.(value)
      } catch {
        // the created file is gone, or not ours to remove: the swap itself gets reported
      }
      throw error
    }
    return value
  }
}

function descriptorHandle(path: string, directPath = path): Handle {
  const fd = openFolderDescriptor(path)
  const status = () => fstat(fd)
  return {
    get identity() {
      return status().identity
    },
    path: `${descriptorFolder()}/${fd}`,
    directPath,
    status,
    openFolder: (inner, name) => descriptorHandle(inner, `${directPath}/${name}`),
    sync: () => syncFolder(fd),
    close: () => fs.closeSync(fd),
  }
}

function openFolderDescriptor(path: string): number {
  try {
    return fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (isErrno(error, 'ELOOP')) throw errno('ENOTDIR', `"${path}" is a link`)
    throw error
  }
}

function pathHandle(path: string): Handle {
  const status = () => {
    const found = lstat(path)
    if (found === null) throw errno('ENOENT', path)
    if (found.kind !== 'folder') throw errno('ENOTDIR', path)
    return found
  }
  const { identity } = status()
  return {
    identity,
    path,
    check: () => {
      if (lstat(path)?.identity !== identity) throw movedMeanwhile(path)
    },
    status,
    openFolder: inner => pathHandle(inner),
    sync: async () => {
      if (process.platform === 'win32') return // a folder cannot be opened for a sync there
      const fd = fs.openSync(path, O_RDONLY)
      try {
        await syncFolder(fd)
      } finally {
        fs.closeSync(fd)
      }
    },
    close: () => {},
  }
}

function movedMeanwhile(path: string): Error {
  return errno('ENOTDIR', `"${path}" or a folder above it has since been moved or replaced`)
}

async function syncFolder(fd: number): Promise<void> {
  try {
    await fsync(fd)
  } catch (error) {
    if (!isErrno(error, 'EINVAL', 'ENOTSUP')) throw error // some network disks cannot sync a folder
  }
}

function asDisk(folder: Folder): DiskFolder {
  if (folder instanceof DiskFolder) return folder
  throw errno('EXDEV', 'the other folder is on another kind of disk')
}
