import { isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
} from 'node:fs'
import { promisify } from 'node:util'
import type { Salvaged } from '../kept/line-logs.ts'
import { writeAll } from './durable-file.ts'

const datasync = promisify(fdatasync)
const nextTurn = promisify(setImmediate)

const QUICK_MS = 0.4
const ROOM_FROM = 64 * 1024
const MOST_ROOM = 1024 * 1024
const NEWLINE = 0x0a
let zeros: Buffer | undefined

/**
 * A growing file of JSON lines, held open: an append then costs one write and one sync. Lines appended together are one
 * line in the file, an array: all or none of them are kept.
 *
 * A large log reserves space filled with zeros, which it gives back when it closes: syncing an overwrite takes half the
 * time of syncing a longer file. No line contains a zero byte, so the log ends before the first one, whatever a loss of
 * power left of the last append.
 */
export interface LineLog {
  append(lines: readonly unknown[]): void
  /** Resolves when everything appended before survives a loss of power. Concurrent callers share one sync. */
  sync(): Promise<void>
  /** Resolves when no sync is running or pending. */
  settled(): Promise<void>
  /** Someone waits for a sync, so it must stay open. */
  readonly isBusy: boolean
  readonly isEmpty: boolean
  close(): void
}

/** `others`: syncs that must also succeed before a line counts as durable. */
export function openLineLog(path: string, others: ReadonlySet<Promise<unknown>>): LineLog {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  let size = cutToWholeLines(fd)
  let room = size
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let isSyncing = false
  let averageMs = 10 * QUICK_MS // assumed slow until measured

  /** On a disk that answers sooner than a thread would, waiting in place is faster. */
  async function syncNow(): Promise<void> {
    const start = performance.now()
    isSyncing = true
    try {
      if (averageMs < QUICK_MS && others.size === 0) fdatasyncSync(fd)
      else await Promise.all([datasync(fd), ...others])
    } finally {
      isSyncing = false
    }
    averageMs += (performance.now() - start - averageMs) / 8
  }

  /** A running sync may have started before the last write. */
  async function syncNext(): Promise<void> {
    await running.catch(() => {}) // its own callers get the error
    await nextTurn() // includes what this turn still appends
    next = undefined
    running = syncNow()
    await running
  }

  /** Removes a line that a full disk cut in half. */
  function write(bytes: Uint8Array): void {
    try {
      writeAll(fd, bytes, size)
    } catch (error) {
      ftruncateSync(fd, size)
      room = size
      throw error
    }
  }

  function makeRoom(): void {
    if (size < room || size < ROOM_FROM) return
    zeros ??= Buffer.alloc(MOST_ROOM)
    const ahead = Math.min(size, MOST_ROOM)
    try {
      write(zeros.subarray(0, ahead))
      room = size + ahead
    } catch {
      // the disk is full: the next append reports it
    }
  }

  return {
    append(lines) {
      const [first] = lines
      const bytes = toLine(JSON.stringify(lines.length === 1 ? first : lines))
      write(bytes)
      size += bytes.length
      makeRoom()
    },
    sync() {
      next ??= syncNext()
      next.catch(() => {}) // its callers get the error
      return next
    },
    async settled() {
      while (next || isSyncing) await (next ?? running).catch(() => {}) // its callers get the error
    },
    get isBusy() {
      return next !== undefined || isSyncing
    },
    get isEmpty() {
      return size === 0
    },
    close() {
      if (room > size) ftruncateSync(fd, size)
      closeSync(fd)
    },
  }
}

const ROOM_FOR_A_LINE = 64 * 1024
let lineRoom: Buffer | undefined

/** Short lines share one buffer: a buffer for each, and a second string with its end, cost more than the write. */
function toLine(json: string): Uint8Array {
  if (json.length * 3 >= ROOM_FOR_A_LINE) return Buffer.from(`${json}\n`)
  lineRoom ??= Buffer.allocUnsafeSlow(ROOM_FOR_A_LINE)
  const end = lineRoom.write(json)
  lineRoom[end] = NEWLINE
  return lineRoom.subarray(0, end + 1)
}

/** Drops a last line that a crash cut off. Undefined: another line is unreadable, which no crash causes. */
export function parseLines<Line>(bytes: Buffer): Line[] | undefined {
  const end = endOfLines(bytes)
  if (end === 0) return BEGUN.test(bytes.toString('latin1')) ? [] : undefined // its beginning is lost
  const rest = bytes.subarray(end)
  const isOneAppend = rest.indexOf(NEWLINE) === rest.lastIndexOf(NEWLINE)
  if (!isOneAppend || !isUtf8(bytes.subarray(0, end))) return undefined
  try {
    return bytes
      .toString('utf8', 0, end)
      .split('\n')
      .flatMap(line => (line === '' ? [] : (JSON.parse(line) as Line | Line[])))
  } catch {
    return undefined
  }
}

/** All readable lines. A last line that a kill cut off does not count as lost: it was never acknowledged. */
export function salvageLines<Line>(
  bytes: Buffer,
  isLine: (line: unknown) => line is Line,
): Salvaged<Line> {
  const segments = bytes.toString('utf8').split('\n')
  const tail = segments.pop()!
  const lostLetter = isUtf8(bytes) ? undefined : '\uFFFD'
  const read = segments.map(segment => {
    if (segment === '') return []
    const isGarbled = lostLetter !== undefined && segment.includes(lostLetter)
    return isGarbled ? undefined : readSegment(segment, isLine)
  })
  const lost = read.filter((lines, index) => !lines || segments[index]!.includes('\0')).length
  const isRoom = /^\0*$/.test(tail) && tail.length < bytes.length
  return {
    lines: read.flatMap(lines => lines ?? []),
    lost: lost + (isRoom || BEGUN.test(tail) ? 0 : 1),
  }
}

/** What an interrupted append can leave behind the lines: nothing, or the beginning of one. */
const BEGUN = /^(?:$|[[{][^\n]*$)/

function readSegment<Line>(
  segment: string,
  isLine: (line: unknown) => line is Line,
): readonly Line[] | undefined {
  try {
    const value: unknown = JSON.parse(segment.replace(/^\0+/, ''))
    const lines: readonly unknown[] = Array.isArray(value) ? value : [value]
    return lines.every(isLine) ? lines : undefined
  } catch {
    return undefined
  }
}

/** Removes a last line that a crash cut off: it was never acknowledged. */
function cutToWholeLines(fd: number): number {
  const bytes = readFileSync(fd)
  const whole = endOfLines(bytes)
  if (whole < bytes.length) ftruncateSync(fd, whole)
  return whole
}

function endOfLines(bytes: Buffer): number {
  const zero = bytes.indexOf(0)
  return bytes.subarray(0, zero === -1 ? bytes.length : zero).lastIndexOf(NEWLINE) + 1
}
