import { randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  link,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '@filewright/protocol'
import { loadSqlite } from '../database/sqlite.ts'

/** One process owns a state folder: it alone recovers, writes and answers for it. */
export interface Ownership {
  release(): void
}

/** Makes the folder where it is not there yet; a place where none can be made or written is a failure. */
export async function prepareStateFolder(
  folder: string,
): Promise<Result<null, 'STATE_UNREADABLE'>> {
  try {
    await makeFolder(folder)
    await (await opendir(folder)).close() // a file of that name is none
    await access(folder, constants.W_OK | constants.X_OK)
    return ok(null)
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

/** Step by step: Node's recursive `mkdir` never ends where the system says ENOENT of a folder that is there (/proc). */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    error => toleratesMaking(error as NodeJS.ErrnoException),
  )
  if (isThere) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error // made meanwhile by another process
  })
}

/** False: the folder above is missing. */
function toleratesMaking(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOENT') return false
  if (error.code === 'EEXIST') return true
  throw error
}

/**
 * Undefined while another process lives that owns the folder. The lock is the system's own, on a file that SQLite holds
 * locked, so it is free the moment its owner is dead, however it died.
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

/** The token that speaks for everything here: made once, readable by its user alone, the same after a restart. */
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

/** What can stand in a header; a file that was cut or overwritten holds none, and a short one could be guessed. */
function isToken(text: string): boolean {
  return /^[\w.~+/=-]{16,}$/.test(text)
}

/** Of processes that start at once, one makes the token and the others take it. */
async function isFirst(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isThere = code === 'EEXIST' && isToken((await readFile(path, 'utf8')).trim())
    if (isThere) return false
    await rename(temporary, path) // a damaged one, or a disk without links
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message)
}
