import { createHash, hash as hashOnce } from 'node:crypto'
import fs from 'node:fs'
import { promisify } from 'node:util'
import type { Sha256 } from '@filewright/protocol'
import {
  errno,
  type FileAttributes,
  isErrno,
  MOST_GROWTH,
  type NewFile,
  type NodeStatus,
  PIECE_BYTES,
} from '../paths/folder.ts'
import { fstat } from './disk-status.ts'

// A single call is cheaper synchronous than through the thread pool (4 µs against 40); what waits for the disk itself,
// syncs and large pieces, goes through the pool so that several wait at once.
const fsync = promisify(fs.fsync)
const readAsync = promisify(fs.read)
const writeAsync = promisify(fs.write)
const LONGEST_READ = 2 ** 30 // bytes: the system call counts in 31 bits
const ASYNC_FROM_BYTES = 512 * 1024
const STAMP_BACK_MS = 20 // two ticks of the slowest kernel clock

export class DiskFile implements NewFile {
  readonly #fd: number

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

  async stamp(): Promise<void> {
    const moment = (Date.now() - STAMP_BACK_MS) / 1000
    fs.futimesSync(this.#fd, moment, moment)
  }

  sync(): Promise<void> {
    return fsync(this.#fd)
  }

  status(): NodeStatus {
    return fstat(this.#fd)
  }

  close(): void {
    fs.closeSync(this.#fd)
  }
}

let descriptors: string | null | undefined
/**
 * The folder in which Linux shows this process's descriptors as paths; null elsewhere. Uses the process number:
 * `/proc/self` is a link, which would be resolved for every path.
 */
export function descriptorFolder(): string | null {
  if (descriptors === undefined) {
    const isThere = process.platform === 'linux' && fs.existsSync('/proc/self/fd')
    descriptors = isThere ? `/proc/${fs.readlinkSync('/proc/self')}/fd` : null
  }
  return descriptors
}

export function takeAttributes(fd: number, { mode, uid, gid }: FileAttributes): void {
  const now = fs.fstatSync(fd)
  const owner = { uid: uid ?? now.uid, gid: gid ?? now.gid }
  let allowed = mode
  if (!takeOwner(fd, now, owner)) {
    takeOwner(fd, now, { uid: now.uid, gid: owner.gid }) // the group may be one of ours: it keeps its rights
    allowed = mode & 0o777 // another owner's set-uid bit must not become ours
  }
  if ((now.mode & 0o7777) !== allowed) fs.fchmodSync(fd, allowed)
}

type Owner = Pick<fs.Stats, 'uid' | 'gid'>

/** False when the system does not allow it. */
function takeOwner(fd: number, now: Owner, { uid, gid }: Owner): boolean {
  if (uid === now.uid && gid === now.gid) return true
  try {
    fs.fchownSync(fd, uid, gid)
    return true
  } catch (error) {
    if (isErrno(error, 'EPERM', 'EINVAL', 'ENOSYS')) return false
    throw error
  }
}

const scratch = Buffer.allocUnsafe(PIECE_BYTES)

/** Undefined when the file is larger than one piece. Synchronous, so one scratch buffer serves all. */
export function hashSmall(
  fd: number,
  claimed: number,
): { sha256: Sha256; sizeBytes: number } | undefined {
  const length = readToEnd(fd, claimed)
  if (length === undefined) return undefined
  const sha256 = hashOnce('sha256', scratch.subarray(0, length), 'hex') as Sha256
  return { sha256, sizeBytes: length }
}

/**
 * Fills the scratch buffer; undefined when the file is larger. One read is enough when it asked for more and got
 * exactly the size that the disk claims; otherwise it reads on until nothing comes.
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

/** `length`: total of all pieces. */
export function isEqual(fd: number, pieces: readonly Uint8Array[], length: number): boolean {
  let [index, used] = [0, 0] // how far into which piece
  for (let at = 0; ; ) {
    const read = fs.readSync(fd, scratch, 0, scratch.length, at)
    if (at + read > length) return false
    for (let compared = 0; compared < read; ) {
      const piece = pieces[index]!
      const count = Math.min(read - compared, piece.length - used)
      if (scratch.compare(piece, used, used + count, compared, compared + count) !== 0) return false
      compared += count
      used += count
      if (used === piece.length) [index, used] = [index + 1, 0]
    }
    at += read
    if (read === 0 || (at === length && read < scratch.length)) return at === length
  }
}

/** The next piece is read while this one is hashed. */
export async function hashLarge(
  fd: number,
  claimed: number,
): Promise<{ sha256: Sha256; sizeBytes: number }> {
  const hash = createHash('sha256')
  let current = Buffer.allocUnsafe(PIECE_BYTES)
  let next = Buffer.allocUnsafe(PIECE_BYTES)
  let sizeBytes = 0
  let { bytesRead } = await readAsync(fd, current, 0, current.length, 0)
  while (bytesRead > 0) {
    sizeBytes += bytesRead
    if (sizeBytes > claimed + MOST_GROWTH)
      throw errno('EBUSY', 'the file grows faster than it is read')
    const reading = readAsync(fd, next, 0, next.length, sizeBytes)
    hash.update(current.subarray(0, bytesRead))
    bytesRead = (await reading).bytesRead
    ;[current, next] = [next, current]
  }
  return { sha256: hash.digest('hex') as Sha256, sizeBytes }
}

export async function readAt(
  fd: number,
  start: number,
  buffer: Uint8Array,
  claimed: number,
): Promise<Uint8Array> {
  const { length } = buffer
  let at = 0
  while (at < length) {
    const left = Math.min(length - at, LONGEST_READ)
    const read =
      left < ASYNC_FROM_BYTES
        ? fs.readSync(fd, buffer, at, left, start + at)
        : (await readAsync(fd, buffer, at, left, start + at)).bytesRead
    at += read
    if (read === 0 || (read < left && start + at === claimed)) break
  }
  return at === length ? buffer : buffer.subarray(0, at)
}
