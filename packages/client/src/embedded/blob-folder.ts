import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sha256 } from '@filewright/protocol'
import type { StateBlobs } from '../state/state-blobs.ts'
import { sha256Of } from '../workspace/tree/hash-content.ts'
import { ignoreMissing, syncAndClose, syncFolder, writeAll } from './durable-file.ts'
import type { Unsynced } from './unsynced.ts'

const MOST_REMEMBERED = 20_000 // names of verified blobs: some 2 MB

/** One file per blob, in a folder named by the first two digits of its hash. */
export function openBlobFolder(folder: string, unsynced: Unsynced): StateBlobs {
  const madeFolders = new Set<string>()
  /** Blobs that this process wrote or verified: a loss of power may have torn any other. */
  const sound = new Set<Sha256>()
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256)

  function remember(sha256: Sha256): void {
    if (sound.size >= MOST_REMEMBERED) sound.delete(sound.values().next().value!)
    sound.add(sha256)
  }

  /** Whether the existing blob is intact; one from another process may not be synced yet. */
  function takeFound(path: string, sha256: Sha256, bytes: Uint8Array): boolean {
    if (!sound.has(sha256)) {
      if (!readFileSync(path).equals(bytes)) return false
      unsynced.add(Promise.all([syncAndClose(openSync(path, 'r+')), syncFolder(dirname(path))]))
      remember(sha256)
    }
    const now = new Date()
    utimesSync(path, now, now)
    return true
  }

  function write(path: string, bytes: Uint8Array): void {
    const parent = dirname(path)
    if (!madeFolders.has(parent)) {
      mkdirSync(parent, { recursive: true, mode: 0o700 })
      madeFolders.add(parent)
    }
    const temporary = `${path}.${randomBytes(4).toString('hex')}`
    const fd = openSync(temporary, 'wx', 0o600)
    try {
      writeAll(fd, bytes, 0)
      renameSync(temporary, path)
    } catch (error) {
      closeSync(fd)
      rmSync(temporary, { force: true })
      throw error
    }
    unsynced.add(Promise.all([syncAndClose(fd), syncFolder(parent)]))
  }

  return {
    async put(bytes) {
      const sha256 = sha256Of(bytes)
      const path = pathOf(sha256)
      if (existsSync(path) && takeFound(path, sha256, bytes)) return sha256
      write(path, bytes)
      remember(sha256)
      return sha256
    },

    async get(sha256) {
      const bytes = await readFile(pathOf(sha256)).catch(ignoreMissing)
      if (!bytes || sound.has(sha256)) return bytes
      if (sha256Of(bytes) !== sha256) return undefined
      remember(sha256)
      return bytes
    },

    async sizeOf(sha256) {
      return (await stat(pathOf(sha256)).catch(ignoreMissing))?.size ?? null
    },

    async list() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      return entries
        .filter(entry => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
        .map(({ name }) => ({ sha256: name as Sha256, sizeBytes: statSync(pathOf(name)).size }))
    },

    // no await between the check and the removal, so no `put` can come between them
    async remove(sha256, { unusedSince }) {
      const path = pathOf(sha256)
      if (statSync(path).mtimeMs >= unusedSince) return false
      rmSync(path)
      sound.delete(sha256)
      return true
    },
  }
}
