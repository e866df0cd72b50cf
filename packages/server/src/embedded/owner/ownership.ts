import { randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '@filewright/protocol'
import { loadSqlite } from '../database/sqlite.ts'

/** One process owns a state folder: only that process recovers, writes and serves it. */
export interface Ownership {
  release(): void
}

/** Creates the folder if needed, for its user alone; fails when it cannot be created, written or closed to others. */
export async function prepareStateFolder(
  folder: string,
): Promise<Result<null, 'STATE_UNREADABLE'>> {
  try {
    await makeFolder(folder)
    await (await opendir(folder)).close() // a file of that name is not a folder
    await access(folder, constants.W_OK | constants.X_OK)
    return await narrow(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return fail(
      'STATE_UNREADABLE',
      `Cannot keep state in "${folder}": the system answered ${code}. Set FILEWRIGHT_STATE to a folder that can be written.`,
      { kind: 'unavailable' },
    )
  }
}

const OTHERS = 0o077 // group and everybody
const OWN_FILES = ['owner.lock', 'token'] // either is there after the first start
const PERSONAL_FILES = ['AGENTS.md'] // a person may put it there before the first start

/**
 * A folder of ours that others can enter is closed to them: it holds contents, tokens and keys. One with other files in it
 * serves another purpose too, so its user decides.
 */
async function narrow(folder: string): Promise<Result<null, 'STATE_UNREADABLE'>> {
  if (process.platform === 'win32') return ok(null) // rights are inherited from the user's folder
  const { mode, uid } = await stat(folder)
  const isOwn = uid === process.getuid?.()
  if (!isOwn && process.getuid?.() !== 0)
    return openToOthers(
      folder,
      'belongs to another user',
      'Set FILEWRIGHT_STATE to a folder of yours.',
    )
  if ((mode & OTHERS) === 0) return ok(null)
  const names = (await readdir(folder)).filter(name => !PERSONAL_FILES.includes(name))
  if (names.length > 0 && !names.some(name => OWN_FILES.includes(name)))
    return openToOthers(
      folder,
      'holds other files, and other users can enter it',
      'Close it with chmod 700, or set FILEWRIGHT_STATE to a folder of its own.',
    )
  await chmod(folder, 0o700)
  return ok(null)
}

function openToOthers(folder: string, state: string, advice: string) {
  const message = `Cannot keep state in "${folder}": it ${state}. ${advice}`
  return fail('STATE_UNREADABLE', message, { kind: 'unavailable' })
}

/**
 * One level at a time: Node's recursive `mkdir` never ends when the system reports ENOENT for an existing folder
 * (/proc).
 */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    error => toleratesMaking(error as NodeJS.ErrnoException),
  )
  if (isThere) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error // another process created it meanwhile
  })
}

/** False: the folder above is missing. */
function toleratesMaking(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOENT') return false
  if (error.code === 'EEXIST') return true
  throw error
}

/**
 * Returns undefined while another live process owns the folder. The lock is a system lock on a file that SQLite holds,
 * so it is free as soon as its owner dies, for any reason.
 */
export async function claimOwnership(folder: string): Promise<Ownership | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { DatabaseSync } = await loadSqlite()
  const lock = new DatabaseSync(join(folder, 'owner.lock'))
  try {
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
  } catch (error) {
    lock.close()
    if (isLocked(error)) return undefined
    const { message } = error as Error
    if (!/not a database|malformed/.test(message)) throw error
    throw new Error(`${message}: delete its owner.lock while no filewright process runs`, {
      cause: error,
    })
  }
  return { release: () => lock.close() }
}

/** The token with access to everything here: created once, readable by its user only, unchanged by a restart. */
export async function readOrMakeToken(folder: string): Promise<string> {
  const path = join(folder, 'token')
  const held = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (isToken(held)) return held
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const token = randomBytes(24).toString('base64url')
  const temporary = `${path}.${randomBytes(4).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  await handle.writeFile(`${token}\n`)
  await handle.sync()
  await handle.close()
  await chmod(temporary, 0o600)
  if (await isFirst(temporary, path)) return token
  return readOrMakeToken(folder)
}

/**
 * Accepts only what a header can carry; a truncated or overwritten file does not match, and a short token could be
 * guessed.
 */
function isToken(text: string): boolean {
  return /^[\w.~+/=-]{16,}$/.test(text)
}

/** Of several processes that start at once, one creates the token and the others read it. */
async function isFirst(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isThere = code === 'EEXIST' && isToken((await readFile(path, 'utf8')).trim())
    if (isThere) return false
    await rename(temporary, path) // a damaged file, or a disk without links
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message)
}
