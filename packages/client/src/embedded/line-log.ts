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
 * A file of JSON lines that only grows, held open: an append then costs one write and one sync. What is appended
 * together is one line, an array where it is more than one: it is there whole or not at all.
 *
 * A log that has grown gets room ahead, filled with zeros and taken back when it is closed: writing over them is synced
 * in half the time of making the file longer. No line holds a zero byte, so that the log ends before the first one,
 * whatever a loss of power left of a last append.
 */
export interface LineLog {
  append(lines: readonly unknown[]): void
  /** Resolves when everything appended before would survive a power loss. Concurrent waiters share one sync. */
  sync(): Promise<void>
  /** Resolves when no sync runs or is about to. */
  settled(): Promise<void>
  /** Somebody waits for a sync: do not close it. */
  readonly isBusy: boolean
  readonly isEmpty: boolean
  close(): void
}

/** `others`: other data that must be durable before a line counts as durable. */
export function openLineLog(path: string, others: ReadonlySet<Promise<unknown>>): LineLog {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  let size = cutToWholeLines(fd)
  let room = size
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let isSyncing = false
  let averageMs = 10 * QUICK_MS // slow until proven otherwise

  /** On a disk that answers sooner than a thread would, a synchronous wait is faster. */
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

  /** A running sync may have begun before the last write. */
  async function syncNext(): Promise<void> {
    await running.catch(() => {}) // reported to its waiters
    await nextTurn() // includes everything appended in this tick
    next = undefined
    running = syncNow()
    await running
  }

  /** Removes anything after the whole lines: the half that a full disk took is not a line. */
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
      // a full disk has room only for the lines: the next append reports it
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
      next.catch(() => {}) // its waiters get the error
      return next
    },
    async settled() {
      while (next || isSyncing) await (next ?? running).catch(() => {}) // reported to its waiters
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

/** Omits a last line that a crash cut off; undefined when another line cannot be read, since no crash does that. */
export function parseLines<Line>(bytes: Buffer): Line[] | undefined {
  const end = endOfLines(bytes)
  if (end === 0 && bytes.includes(NEWLINE)) return undefined // its beginning is lost, so there was more
  try {
    return bytes
      .toString('utf8', 0, end)
      .split('\n')
      .flatMap(line => (line === '' ? [] : (JSON.parse(line) as Line | Line[])))
  } catch {
    return undefined
  }
}

/** The readable lines of a log. An incomplete end after a crash is no loss: it was never confirmed. */
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
  const isCutOff = (index: number) => segments[index]!.startsWith('\0') && read[index] === undefined
  let end = segments.length
  while (end > 0 && isCutOff(end - 1)) end--
  const whole = read.slice(0, end)
  const lost = whole.filter((lines, index) => !lines || segments[index]!.includes('\0')).length
  return { lines: whole.flatMap(lines => lines ?? []), lost: lost + (BEGUN.test(tail) ? 0 : 1) }
}

/** Possible remains of an interrupted append: nothing, room, or the beginning of a line. */
const BEGUN = /^\0*($|[[{])/

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

/** Removes a line that a crash cut off: it was never confirmed. */
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
