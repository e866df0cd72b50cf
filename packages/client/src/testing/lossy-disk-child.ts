// node lossy-disk-child.js FOLDER MEGABYTES CUTS MILLISECONDS SEED: a disk that keeps what was synced, and loses power.
//
// Mounts FOLDER with one file in it, disk.img, to be used as a disk by a loop device. Once CUTS holds a file `go`, it writes
// images into CUTS every so many milliseconds: what would be on the disk if the power went at that moment. All that was
// written before the last flush is in it; of what came since, whatever a disk may have kept, in any order. Linux, as root.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createRandom } from './apply-kit.ts'

const [folder, megabytes, cuts, everyMs, seed] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const SIZE = Number(megabytes) * 1024 * 1024
const LARGEST_WRITE = 1024 * 1024
const BLOCK = 4096
const ROOT_NODE = 1n
const DISK_NODE = 2n
const DISK_NAME = 'disk.img'
/** As Linux numbers them; see its `fuse.h`. */
const OP = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  opendir: 27,
  releasedir: 29,
  access: 34,
  interrupt: 36,
  batchForget: 42,
} as const
const ENOENT = 2
const ENODEV = 19
const ENOSYS = 38

interface Write {
  readonly at: number
  readonly bytes: Buffer
}

const seen = Buffer.alloc(SIZE) // by whoever reads
const synced = Buffer.alloc(SIZE)
let unsynced: Write[] = []
const random = createRandom(Number(seed))
let cutCount = 0
let nextCut = Number.POSITIVE_INFINITY

const device = fs.openSync('/dev/fuse', 'r+')
const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other,max_read=1048576'
const mounted = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'lossy', folder], {
  stdio: ['ignore', 'inherit', 'inherit', device],
})
if (mounted.status !== 0) throw new Error('the disk could not be mounted')
process.stdout.write('ready\n')
serve()

/** Waits in place: a disk has nothing else to do, and answers in the order it was asked. */
function serve(): void {
  const request = Buffer.allocUnsafeSlow(LARGEST_WRITE + 64 * 1024)
  for (;;)
    try {
      const length = fs.readSync(device, request)
      answer(request.subarray(0, length))
    } catch (error) {
      const { errno } = error as NodeJS.ErrnoException
      if (errno === -ENODEV) return // unmounted
      if (errno !== -ENOENT) throw error // a request that was taken back
    }
}

function answer(request: Buffer): void {
  const operation = request.readUInt32LE(4)
  const id = request.readBigUInt64LE(8)
  const node = request.readBigUInt64LE(16)
  const body = request.subarray(40)
  switch (operation) {
    case OP.forget:
    case OP.batchForget:
    case OP.interrupt:
      return
    case OP.init:
      return reply(id, toInit())
    case OP.lookup:
      return body.toString('latin1', 0, body.length - 1) === DISK_NAME
        ? reply(id, toEntry())
        : reply(id, undefined, ENOENT)
    case OP.getattr:
    case OP.setattr:
      return reply(id, Buffer.concat([numbers([3600n], [0, 0]), attributesOf(node)]))
    case OP.open:
      return reply(id, numbers([1n], [1, 0])) // past the cache
    case OP.opendir:
      return reply(id, numbers([1n], [0, 0]))
    case OP.read:
      return reply(id, seen.subarray(placeOf(body), placeOf(body) + lengthOf(body)))
    case OP.write:
      return write(id, placeOf(body), body.subarray(40, 40 + lengthOf(body)))
    case OP.fsync:
      return sync(id)
    case OP.statfs:
      return reply(
        id,
        numbers([1000n, 1000n, 1000n, 10n, 10n], [BLOCK, 255, BLOCK, 0, ...nothing(6)]),
      )
    case OP.release:
    case OP.releasedir:
    case OP.flush:
    case OP.access:
      return reply(id)
    default:
      return reply(id, undefined, ENOSYS)
  }
}

function write(id: bigint, at: number, bytes: Buffer): void {
  bytes.copy(seen, at)
  unsynced.push({ at, bytes: Buffer.from(bytes) })
  cutIfDue()
  reply(id, numbers([], [bytes.length, 0]))
}

function sync(id: bigint): void {
  cutIfDue()
  for (const { at, bytes } of unsynced) bytes.copy(synced, at)
  unsynced = []
  reply(id)
  const isAsked = nextCut === Number.POSITIVE_INFINITY && fs.existsSync(path.join(cuts, 'go'))
  if (isAsked) nextCut = Date.now()
}

function cutIfDue(): void {
  const moment = Date.now()
  if (moment < nextCut) return
  const image = Buffer.from(synced)
  const share = [0, 0.15, 0.5, 0.85, 1][Math.floor(random() * 5)]!
  for (const { at, bytes } of unsynced)
    for (let block = 0; block < bytes.length; block += BLOCK)
      if (random() < share) bytes.copy(image, at + block, block, block + BLOCK)
  const name = path.join(cuts, String(++cutCount).padStart(4, '0'))
  writeSparse(`${name}.part`, image)
  fs.renameSync(`${name}.part`, `${name}.${moment}.img`)
  nextCut = Date.now() + Number(everyMs) * (0.3 + 1.4 * random())
}

function writeSparse(file: string, image: Buffer): void {
  const empty = Buffer.alloc(16 * BLOCK)
  const fd = fs.openSync(file, 'w')
  fs.ftruncateSync(fd, image.length)
  for (let at = 0; at < image.length; at += empty.length) {
    const piece = image.subarray(at, at + empty.length)
    if (!piece.equals(empty)) fs.writeSync(fd, piece, 0, piece.length, at)
  }
  fs.closeSync(fd)
}

function placeOf(body: Buffer): number {
  return Number(body.readBigUInt64LE(8))
}

function lengthOf(body: Buffer): number {
  return body.readUInt32LE(16)
}

function toInit(): Buffer {
  const flags = (1 << 0) | (1 << 5) | (1 << 22) // several reads at once, writes of more than a page, pages by number
  const head = numbers([], [7, 31, LARGEST_WRITE, flags])
  const waiting = Buffer.from(new Uint16Array([12, 10]).buffer)
  const pages = Buffer.from(new Uint16Array([LARGEST_WRITE / BLOCK, 0]).buffer)
  return Buffer.concat([
    head,
    waiting,
    numbers([], [LARGEST_WRITE, 1]),
    pages,
    numbers([], nothing(8)),
  ])
}

function toEntry(): Buffer {
  return Buffer.concat([numbers([DISK_NODE, 0n, 3600n, 3600n], [0, 0]), attributesOf(DISK_NODE)])
}

function attributesOf(node: bigint): Buffer {
  const isRoot = node === ROOT_NODE
  const size = isRoot ? 0n : BigInt(SIZE)
  const mode = isRoot ? 0o040755 : 0o100600
  return numbers([node, size, size / 512n, 0n, 0n, 0n], [0, 0, 0, mode, 1, 0, 0, 0, BLOCK, 0])
}

function nothing(count: number): number[] {
  return Array(count).fill(0)
}

function numbers(long: readonly bigint[], short: readonly number[]): Buffer {
  const buffer = Buffer.alloc(long.length * 8 + short.length * 4)
  for (const [n, value] of long.entries()) buffer.writeBigUInt64LE(value, n * 8)
  for (const [n, value] of short.entries())
    buffer.writeUInt32LE(value >>> 0, long.length * 8 + n * 4)
  return buffer
}

function reply(id: bigint, data: Buffer = Buffer.alloc(0), error = 0): void {
  const head = Buffer.alloc(16)
  head.writeUInt32LE(16 + data.length, 0)
  head.writeInt32LE(-error, 4)
  head.writeBigUInt64LE(id, 8)
  fs.writeSync(device, Buffer.concat([head, data])) // in one go, or it is none
}
