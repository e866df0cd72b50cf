import { createHash, randomBytes } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  type Stats,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { fail, ok, type Result } from '@filewright/protocol'

const LONGEST_SOCKET_PATH = 100 // bytes; the system's limit is 104 to 108

/**
 * A path to the socket that the system accepts. The socket is always in the state folder, where every process looks for
 * it; if that path is too long, each process reaches it through a link of its own.
 */
export function reachSocket(
  socketPath: string,
  places: readonly string[] = [tmpdir(), '/tmp'],
): Result<string, 'STATE_UNREADABLE'> {
  if (process.platform === 'win32' || fits(socketPath)) return ok(socketPath)
  const stateRoot = dirname(socketPath)
  const name = createHash('sha256').update(stateRoot).digest('hex').slice(0, 16)
  for (const place of places.filter(isAbsolute)) {
    const folder = join(place, `filewright-${process.getuid?.()}`)
    const short = join(folder, name, basename(socketPath))
    if (fits(short) && isOursAlone(folder) && leads(join(folder, name), stateRoot)) return ok(short)
  }
  return fail(
    'STATE_UNREADABLE',
    `The path of the state folder "${stateRoot}" is too long for its socket, and no link to it can be created in ${places.join(' or ')}. Set FILEWRIGHT_STATE to a folder with a shorter path.`,
    { kind: 'unavailable' },
  )
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= LONGEST_SOCKET_PATH
}

/** Creates the folder if needed; only this user may write in it or replace it. */
function isOursAlone(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // it exists or cannot be created: checked next
  }
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const above = statSync(dirname(folder), { throwIfNoEntry: false })
  return (
    found?.isDirectory() === true &&
    found.uid === process.getuid?.() &&
    isClosed(found) &&
    above !== undefined &&
    [0, process.getuid?.()].includes(above.uid) &&
    (isClosed(above) || isSticky(above))
  )
}

function isClosed({ mode }: Stats): boolean {
  return (mode & 0o022) === 0
}

/** Others may add names but not change ours. */
function isSticky({ mode }: Stats): boolean {
  return (mode & 0o1000) !== 0
}

/** Placed atomically, so that no other process sees half of it. */
function leads(link: string, stateRoot: string): boolean {
  try {
    if (readTarget(link) === stateRoot) return true
    const fresh = `${link}.${randomBytes(4).toString('hex')}`
    symlinkSync(stateRoot, fresh)
    renameSync(fresh, link)
    return true
  } catch {
    return false
  }
}

function readTarget(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}
