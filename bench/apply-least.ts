// The least that an apply can cost in a Node process: the system calls and hashes that CONTRACT §6 and §8 ask for, in their
// order and through descriptor paths, and nothing else. It ignores names, owners and modes, reports nothing, and
// can undo nothing. The difference between this and an apply is the cost of our own code.
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { applyFilePatch, type LineChange } from '@filewright/documents/text'
import { toBytes, unwrap } from '@filewright/protocol'

const fsync = promisify(fs.fsync)
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW } = fs.constants
const SYNCED_TOGETHER = 50
const scratch = Buffer.alloc(1024 * 1024)

export interface ChangedFile {
  readonly name: string
  readonly changes: LineChange[]
}

export async function timeLeast(root: string, changed: readonly ChangedFile[]): Promise<number> {
  const state = `${root}-state`
  const checkpoints = path.join(state, 'checkpoints')
  fs.mkdirSync(checkpoints, { recursive: true })
  const folders = [root, state, checkpoints].map(folder => fs.openSync(folder, 'r'))
  const descriptors = `/proc/${fs.readlinkSync('/proc/self')}/fd`
  const [inRoot, inState, inKept] = folders.map(fd => `${descriptors}/${fd}`) as [
    string,
    string,
    string,
  ]
  const [rootFd, stateFd, keptFd] = folders as [number, number, number]
  const held = Buffer.alloc(64 * 1024 * changed.length)
  const kept = (index: number) => `${inKept}/${index}.kept`
  const temp = (index: number) => `${inRoot}/.filewright~0123456789abcdef-${index}`
  const started = performance.now()

  const files = changed.map(({ name, changes }) => {
    const at = `${inRoot}/${name}`
    const bytes = load(at, Buffer.allocUnsafeSlow(64 * 1024))
    const { content } = unwrap(applyFilePatch(bytes, { changes }))
    const after = toBytes(content, bytes)
    return { at, before: sha256Of(bytes), after, sha256: sha256Of(after) }
  })

  const bases = files.map(({ at }, index) => load(at, held.subarray(64 * 1024 * index)))
  const line = JSON.stringify(files.map(({ at, before, sha256 }) => [at, before, sha256]))
  const journal = fs.openSync(`${inState}/journal`, O_WRONLY | O_CREAT | O_APPEND)
  fs.writeSync(journal, line)
  const intending = Promise.all([fsync(journal), fsync(stateFd)])
  for (const [index, { before }] of files.entries()) expectSame(sha256Of(bases[index]!), before)
  await intending

  const staged: number[] = []
  const syncs: Promise<void>[] = []
  const startSyncs = () => syncs.push(...staged.slice(syncs.length).map(fd => fsync(fd)))
  files.forEach(({ after }, index) => {
    const fd = fs.openSync(`${temp(index)}.new`, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    fs.writeSync(fd, after)
    const moment = Date.now() / 1000
    fs.futimesSync(fd, moment, moment)
    staged.push(fd)
    if (staged.length % SYNCED_TOGETHER === 0) startSyncs()
  })
  startSyncs()
  await Promise.all([...syncs, fsync(rootFd)])
  for (const fd of staged) fs.closeSync(fd)

  files.forEach(({ at }, index) => {
    fs.lstatSync(at)
    fs.renameSync(at, kept(index))
    if (load(kept(index), scratch).compare(bases[index]!) !== 0) throw new Error('moved')
    fs.linkSync(`${temp(index)}.new`, at)
  })
  const syncing = Promise.all([fsync(rootFd), fsync(keptFd)])
  for (const { at, sha256 } of files) expectSame(sha256Of(load(at, scratch)), sha256)
  await syncing
  fs.writeSync(journal, line)
  await fsync(journal)

  files.forEach((_, index) => {
    fs.unlinkSync(`${temp(index)}.new`)
    fs.lstatSync(kept(index))
  })
  const record = fs.openSync(`${inKept}/record.part`, 'w')
  fs.writeSync(record, line)
  await Promise.all([fsync(rootFd), fsync(record)])
  fs.renameSync(`${inKept}/record.part`, `${inKept}/record`)
  await fsync(keptFd)

  const ms = performance.now() - started
  for (const fd of [...folders, journal, record]) fs.closeSync(fd)
  return ms
}

function load(at: string, into: Buffer): Buffer {
  const fd = fs.openSync(at, O_RDONLY | O_NOFOLLOW)
  const { size } = fs.fstatSync(fd)
  const length = fs.readSync(fd, into, 0, size + 1, 0)
  fs.closeSync(fd)
  return into.subarray(0, length)
}

function sha256Of(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

function expectSame(found: string, expected: string): void {
  if (found !== expected) throw new Error(`found ${found}, expected ${expected}`)
}
