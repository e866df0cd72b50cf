import { createHash, hash as hashOnce } from 'node:crypto'
import fs from 'node:fs'
import { promisify } from 'node:util'
import type { Sha256 } from '@filewright/protocol'
import {
  type Digest,
  errno,
  type FileAttributes,
  type Folder,
  type FolderEntry,
  isErrno,
  type NewFile,
  type NodeFacts,
  type NodeKind,
  type NodeStatus,
  type OpenFile,
  PIECE_BYTES,
} from './folder.ts'

// A single call is cheaper synchronous than through the thread pool (4 µs against 40); what waits for the disk itself,
// syncs and large pieces, goes through the pool so that several wait at once.
const fsync = promisify(fs.fsync)
const readAsync = promisify(fs.read)
const writeAsync = promisify(fs.write)
const ASYNC_FROM_BYTES = 512 * 1024
const STAMP_BACK_MS = 20 // two ticks of the slowest kernel clock
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = fs.constants
const O_DIRECTORY = fs.constants.O_DIRECTORY ?? 0
const O_NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0
const O_NONBLOCK = fs.constants.O_NONBLOCK ?? 0 // opening a pipe must not wait for its other end

export interface DiskFolderOptions {
  /**
   * Linux only, and the default there: names are reached through the open folder's descriptor, so that a folder
   * swapped for a link is never followed. Elsewhere the folder's identity is compared before and after each step.
   */
  readonly descriptorPaths?: boolean
}

/** Opens an existing folder by an absolute path that is not itself a link. */
export function openDiskFolder(path: string, options: DiskFolderOptions = {}): Folder {
  const descriptors = options.descriptorPaths ?? hasDescriptorPaths()
  return descriptors ? openByDescriptor(path) : openByPath(path)
}

/** How names inside an open folder are reached. */
interface Handle {
  readonly identity: string
  readonly path: string
  /** Throws when `path` no longer leads to this folder; absent where it cannot be led astray. */
  readonly check?: () => void
  /** A plain path to the folder as it lies now; absent where `path` is one. */
  readonly directPath?: () => string
  status(): NodeStatus
  openFolder(path: string): Handle
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
  readonly identity: string
  #handle: Handle

  constructor(handle: Handle) {
    this.#handle = handle
    this.identity = handle.identity
  }

  async status(): Promise<NodeStatus> {
    return this.#handle.status()
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

  /** Where the folder lies now; undefined when that path does not lead back to it. */
  #directPath(): string | undefined {
    const path = this.#handle.directPath?.()
    return path !== undefined && lstat(path)?.identity === this.identity ? path : undefined
  }

  async readLink(name: string): Promise<string> {
    return this.#checked(() => fs.readlinkSync(this.#at(name)))
  }

  async openFolder(name: string): Promise<Folder> {
    return new DiskFolder(this.#checked(() => this.#handle.openFolder(this.#at(name))))
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
      return { ...(hashSmall(fd, status.sizeBytes) ?? (await hashLarge(fd))), status }
    } finally {
      fs.closeSync(fd)
    }
  }

  async holds(name: string, bytes: Uint8Array): Promise<boolean> {
    const { fd, status } = this.#openRegular(name)
    try {
      return status.sizeBytes === bytes.length && isEqual(fd, bytes)
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
      fs.ftruncateSync(fd) // see `writeOut`
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
    this.#handle = CLOSED // a descriptor's number is given out again: it must not be used by mistake
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
    throw errno(status.kind === 'folder' ? 'EISDIR' : 'EINVAL', `"${name}" is no regular file`)
  }

  /** What was opened or made under the name is what the name in this folder means, not one that a swap led to. */
  #isHere(name: string, status: NodeStatus): boolean {
    return !this.#handle.check || lstat(this.#at(name))?.identity === status.identity
  }

  /**
   * Between two looks at the folder's identity, where its path could be led astray; `takeBack` undoes the step. A folder
   * swapped there and back within one step shows in what was opened or made: see `#isHere`.
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
        // what was made is not there any more, or not ours to remove: the swap itself is what gets reported
      }
      throw error
    }
    return value
  }
}

class DiskFile implements NewFile {
  #fd: number

  constructor(fd: number) {
    this.#fd = fd
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    if (pieces.length > 1 && this.#writeAtOnce(pieces)) return
    for (const piece of pieces) await this.#write(piece)
  }

  /** False: they are too large for it. */
  #writeAtOnce(pieces: readonly Uint8Array[]): boolean {
    let length = 0
    for (const piece of pieces) length += piece.length
    if (length >= ASYNC_FROM_BYTES) return false
    // one buffer and one write: cheaper than a vector of many small pieces
    const joined = scratch.subarray(0, length)
    let at = 0
    for (const piece of pieces) {
      joined.set(piece, at)
      at += piece.length
    }
    for (let written = 0; written < length; )
      written += fs.writeSync(this.#fd, joined, written, length - written)
    return true
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const left = bytes.length - at
      if (left < ASYNC_FROM_BYTES) at += fs.writeSync(this.#fd, bytes, at, left)
      else at += (await writeAsync(this.#fd, bytes, at, left)).bytesWritten
    }
  }

  /**
   * ext4 finds room for the bytes of a file that was cut to nothing when it is closed. All others get theirs in their
   * sync, and each sync then waits for a commit of its own: a hundred take three times as long.
   */
  writeOut(): void {
    if (!hasDescriptorPaths()) return
    try {
      const again = fs.openSync(`/proc/self/fd/${this.#fd}`, O_RDONLY) // first: it is told of what goes wrong
      fs.closeSync(this.#fd)
      this.#fd = again
    } catch (error) {
      if (!isErrno(error)) throw error // it may be written and not read: its sync does it all
    }
  }

  async stamp(): Promise<void> {
    const moment = (Date.now() - STAMP_BACK_MS) / 1000
    fs.futimesSync(this.#fd, moment, moment)
  }

  sync(): Promise<void> {
    return fsync(this.#fd)
  }

  async status(): Promise<NodeStatus> {
    return fstat(this.#fd)
  }

  close(): void {
    fs.closeSync(this.#fd)
  }
}

function openByDescriptor(path: string): DiskFolder {
  return new DiskFolder(descriptorHandle(path))
}

function descriptorHandle(path: string): Handle {
  const fd = openFolderDescriptor(path)
  const status = () => fstat(fd)
  return {
    identity: status().identity,
    path: `/proc/self/fd/${fd}`,
    directPath: () => fs.readlinkSync(`/proc/self/fd/${fd}`),
    status,
    openFolder: descriptorHandle,
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

function openByPath(path: string): DiskFolder {
  return new DiskFolder(pathHandle(path))
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
    openFolder: pathHandle,
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
  return errno('ENOTDIR', `"${path}" or a folder above it was moved or replaced meanwhile`)
}

async function syncFolder(fd: number): Promise<void> {
  try {
    await fsync(fd)
  } catch (error) {
    if (!isErrno(error, 'EINVAL', 'ENOTSUP')) throw error // some network disks cannot sync a folder
  }
}

let descriptorPathsWork: boolean | undefined
function hasDescriptorPaths(): boolean {
  descriptorPathsWork ??= process.platform === 'linux' && fs.existsSync('/proc/self/fd')
  return descriptorPathsWork
}

function asDisk(folder: Folder): DiskFolder {
  if (folder instanceof DiskFolder) return folder
  throw errno('EXDEV', 'the other folder lies on another kind of disk')
}

function takeAttributes(fd: number, { mode, uid, gid }: FileAttributes): void {
  const now = fs.fstatSync(fd)
  let allowed = mode
  if ((uid ?? now.uid) !== now.uid || (gid ?? now.gid) !== now.gid) {
    try {
      fs.fchownSync(fd, uid ?? now.uid, gid ?? now.gid)
    } catch (error) {
      if (!isErrno(error, 'EPERM', 'EINVAL', 'ENOSYS')) throw error
      allowed = mode & 0o777 // another owner's set-uid bit must not become ours
    }
  }
  if ((now.mode & 0o7777) !== allowed) fs.fchmodSync(fd, allowed)
}

const scratch = Buffer.allocUnsafe(PIECE_BYTES)

/** Undefined when the file does not fit into one piece. Never waits, so one scratch buffer serves all. */
function hashSmall(fd: number, claimed: number): { sha256: Sha256; sizeBytes: number } | undefined {
  const length = readToEnd(fd, claimed)
  if (length === undefined) return undefined
  const sha256 = hashOnce('sha256', scratch.subarray(0, length), 'hex') as Sha256
  return { sha256, sizeBytes: length }
}

/**
 * Fills the scratch buffer; undefined when the file is larger. One read is enough when it brings just what the disk
 * claims and asked for more; any other answer is read on from until nothing comes.
 */
function readToEnd(fd: number, claimed: number): number | undefined {
  let length = 0
  while (length < scratch.length) {
    const read = fs.readSync(fd, scratch, length, scratch.length - length, length)
    length += read
    if (read === 0 || (length === claimed && read === claimed)) return length
  }
  return undefined
}

function isEqual(fd: number, bytes: Uint8Array): boolean {
  for (let at = 0; ; ) {
    const read = fs.readSync(fd, scratch, 0, scratch.length, at)
    if (at + read > bytes.length) return false
    if (scratch.compare(bytes, at, at + read, 0, read) !== 0) return false
    at += read
    if (read === 0 || (at === bytes.length && read < scratch.length)) return at === bytes.length
  }
}

/** The next piece is read while this one is hashed. */
async function hashLarge(fd: number): Promise<{ sha256: Sha256; sizeBytes: number }> {
  const hash = createHash('sha256')
  let current = Buffer.allocUnsafe(PIECE_BYTES)
  let next = Buffer.allocUnsafe(PIECE_BYTES)
  let sizeBytes = 0
  let { bytesRead } = await readAsync(fd, current, 0, current.length, 0)
  while (bytesRead > 0) {
    sizeBytes += bytesRead
    const reading = readAsync(fd, next, 0, next.length, sizeBytes)
    hash.update(current.subarray(0, bytesRead))
    bytesRead = (await reading).bytesRead
    ;[current, next] = [next, current]
  }
  return { sha256: hash.digest('hex') as Sha256, sizeBytes }
}

async function readAt(
  fd: number,
  start: number,
  buffer: Uint8Array,
  claimed: number,
): Promise<Uint8Array> {
  const { length } = buffer
  let at = 0
  while (at < length) {
    const left = length - at
    const read =
      left < ASYNC_FROM_BYTES
        ? fs.readSync(fd, buffer, at, left, start + at)
        : (await readAsync(fd, buffer, at, left, start + at)).bytesRead
    at += read
    if (read === 0 || (read < left && start + at === claimed)) break
  }
  return at === length ? buffer : buffer.subarray(0, at)
}

function lstat(path: string): NodeStatus | null {
  const quick = fs.lstatSync(path, { throwIfNoEntry: false })
  const stats =
    !quick || isExact(quick) ? quick : fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? toStatus(stats) : null
}

function fstat(fd: number): NodeStatus {
  const quick = fs.fstatSync(fd)
  return toStatus(isExact(quick) ? quick : fs.fstatSync(fd, { bigint: true }))
}

/** Some network and layered disks number files beyond what a double holds; to ask for big integers always is dear. */
function isExact({ ino, dev }: fs.Stats): boolean {
  return ino <= Number.MAX_SAFE_INTEGER && dev <= Number.MAX_SAFE_INTEGER
}

function factsAt(path: string): NodeFacts | null {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false })
  return stats
    ? {
        kind: kindOf(stats),
        sizeBytes: stats.size,
        mtimeMs: Math.floor(stats.mtimeMs),
        inode: stats.ino,
      }
    : null
}

function toStatus(stats: fs.Stats | fs.BigIntStats): NodeStatus {
  return {
    kind: kindOf(stats),
    identity: `${stats.dev}:${stats.ino}`,
    sizeBytes: Number(stats.size),
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    links: Number(stats.nlink),
    mtimeMs: 'mtimeNs' in stats ? Number(stats.mtimeNs) / 1e6 : stats.mtimeMs,
    ctimeMs: 'ctimeNs' in stats ? Number(stats.ctimeNs) / 1e6 : stats.ctimeMs,
  }
}

function kindOf(stats: fs.BigIntStats | fs.Stats | fs.Dirent): NodeKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  if (stats.isSymbolicLink()) return 'link'
  return 'other'
}
