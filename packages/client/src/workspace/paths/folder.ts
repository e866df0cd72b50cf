import type { Sha256 } from '@filewright/protocol'

/**
 * An open folder of a disk, and the smallest steps on it. It acts on names directly inside itself, whatever happens to
 * the path that led to it, and never follows a link. A disk, a model of a disk in memory and one that forgets what was
 * not synced all implement it, so the same engine runs on each.
 *
 * Steps throw what the system answers: an `Error` with a `code` such as `ENOENT`, `EEXIST`, `ENOSPC` (see `isErrno`).
 */
export interface Folder {
  /** Identifies the folder itself, not a path to it. */
  readonly identity: string
  /** The folder's own times and mode: a cached listing is checked against them. */
  status(): Promise<NodeStatus>
  entries(): Promise<FolderEntry[]>
  /** Status of the name itself: a link is a link. Null: it does not exist. */
  statusOf(name: string): Promise<NodeStatus | null>
  /** The few facts of a listing, for many names at once: several times cheaper. Guards nothing. */
  factsOf(names: readonly string[]): Promise<(NodeFacts | null)[]>
  /** False when permissions do not allow writing to the file. */
  isWritable(name: string, status: NodeStatus): Promise<boolean>
  readLink(name: string): Promise<string>
  /** `ENOTDIR` for a link, a file or anything else that is not a folder. */
  openFolder(name: string): Promise<Folder>
  /** `ELOOP` for a link; `EISDIR` for a folder; `EINVAL` for anything else that is not a regular file. */
  openFile(name: string): Promise<OpenFile>
  /** The hash of the current bytes, read to the end regardless of the size the disk claims. */
  digest(name: string): Promise<Digest>
  /** Whether the current file has exactly these bytes, piece by piece: as sure as its hash, and cheaper. */
  holds(name: string, pieces: readonly Uint8Array[]): Promise<boolean>
  /** `EEXIST` when the name is taken. */
  createFile(name: string, attributes?: FileAttributes): Promise<NewFile>
  /** Opens or creates a file that grows at its end. */
  appendFile(name: string): Promise<NewFile>
  /** A second name for the same file. `EEXIST` when it is taken: nothing is ever overwritten. */
  link(name: string, to: Folder, toName: string): Promise<void>
  /** Replaces an existing target. `EXDEV` when `to` is on another disk. */
  rename(name: string, to: Folder, toName: string): Promise<void>
  /** False where `exchange` is always refused. */
  mayExchange(): Promise<boolean>
  /**
   * Swaps two files at once: neither name is ever missing. One of `NO_EXCHANGE` where the disk has no such step.
   * `spare` is a free name next to `name`: after a crash half-way, what was at `toName` may be there.
   */
  exchange(name: string, to: Folder, toName: string, spare: string): Promise<void>
  /** A second file that shares the bytes of the first until one of them is written to. False where the disk cannot. */
  clone(name: string, to: Folder, toName: string): Promise<boolean>
  /** Gives `to` the access list and extended attributes of `name`; returns those that could not be given. */
  copyAttributes(name: string, to: string): Promise<readonly string[]>
  remove(name: string): Promise<void>
  makeFolder(name: string): Promise<void>
  /** `ENOTEMPTY` when it is not empty. */
  removeFolder(name: string): Promise<void>
  /** Makes the names in this folder durable: those added, moved away or removed. */
  sync(): Promise<void>
  close(): void
}

/** What a disk or a system answers that cannot exchange two files. */
export const NO_EXCHANGE = ['ENOSYS', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EXDEV']

export type NodeKind = 'file' | 'folder' | 'link' | 'other'

export interface FolderEntry {
  readonly name: string
  readonly kind: NodeKind
}

export interface NodeFacts {
  readonly kind: NodeKind
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly device: number
  /** The number of the file on its disk. */
  readonly inode: number
  /** How many names the file has. */
  readonly links: number
}

export interface NodeStatus {
  readonly kind: NodeKind
  /** Device and inode: equal for two names of one file. */
  readonly identity: string
  readonly sizeBytes: number
  /** Permission bits only. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** How many names the file has. */
  readonly links: number
  /** Since 1970, with the fraction that a double can hold: a quarter of a microsecond. */
  readonly mtimeMs: number
  readonly ctimeMs: number
}

/** The number of a file on its disk: the same after a restart, when the disk's own number may be another. */
export function inodeOf({ identity }: Pick<NodeStatus, 'identity'>): string {
  return identity.slice(identity.indexOf(':') + 1)
}

export interface FileAttributes {
  readonly mode: number
  /** Taken over where the system allows it. */
  readonly uid?: number
  readonly gid?: number
}

export interface Digest {
  readonly sha256: Sha256
  readonly sizeBytes: number
  readonly status: NodeStatus
}

export interface OpenFile {
  readonly status: NodeStatus
  /** Bytes [start, start + length), fewer only at the end of the file; into the caller's buffer, if given. */
  read(start: number, length: number, allocate?: Allocate): Promise<Uint8Array>
  close(): void
}

export type Allocate = (length: number) => Uint8Array

/** A file being written. Its bytes are durable after `sync`, its name after `sync` of its folder. */
export interface NewFile {
  /** Writes one piece after the other. */
  write(pieces: readonly Uint8Array[]): Promise<void>
  /** Sets its time slightly back: any later write changes that time, even on a coarse clock. */
  stamp(): Promise<void>
  sync(): Promise<void>
  status(): NodeStatus
  close(): void
}

export function isErrno(error: unknown, ...codes: readonly string[]): error is ErrnoError {
  if (!(error instanceof Error)) return false
  const { code } = error as Partial<ErrnoError>
  if (typeof code !== 'string' || code.startsWith('ERR_')) return false // a wrong call: our bug
  return codes.length === 0 || codes.includes(code)
}

export interface ErrnoError extends Error {
  readonly code: string
}

/** For simulated disks: the same error codes as the system's. */
export function errno(code: string, what: string): ErrnoError {
  return Object.assign(new Error(`${code}: ${what}`), { code })
}

/** Bytes are moved in pieces of this size, so that a large file is never a large buffer. */
export const PIECE_BYTES = 1024 * 1024

/** How much longer than it was when it was opened a file may be: another program may write without end. */
export const MOST_GROWTH = 64 * PIECE_BYTES

/**
 * The pieces of an open file from `start` to `end` (exclusive), or to its end, each in the same buffer as the one
 * before.
 */
export async function* readPieces(
  file: OpenFile,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  // the next read overwrites a piece: copy it to keep it longer
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
  const allocate = (length: number) => buffer.subarray(0, length)
  const most = file.status.sizeBytes + MOST_GROWTH
  for (let at = start; at < end; ) {
    if (at > most) throw errno('EBUSY', 'the file grows faster than it is read')
    const piece = await file.read(at, Math.min(PIECE_BYTES, end - at), allocate)
    if (piece.length === 0) return
    yield piece
    at += piece.length
  }
}

/** Reads to the real end, regardless of the size the disk claims. */
export async function readWhole(file: OpenFile, allocate?: Allocate): Promise<Uint8Array> {
  const first = await file.read(0, file.status.sizeBytes + 1, allocate)
  if (first.length <= file.status.sizeBytes) return first
  const pieces = [first]
  for await (const piece of readPieces(file, first.length)) pieces.push(piece.slice())
  return Buffer.concat(pieces)
}
