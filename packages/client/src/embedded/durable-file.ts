import { closeSync, fdatasync, openSync, renameSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const datasync = promisify(fdatasync)

/** Replaces the file atomically. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    writeAll(fd, bytes, 0)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  await syncAndClose(fd)
  renameSync(temporary, path)
  await syncFolder(dirname(path))
}

export function writeAll(fd: number, bytes: Uint8Array, at: number): void {
  let written = 0
  while (written < bytes.length)
    written += writeSync(fd, bytes, written, bytes.length - written, at + written)
}

export async function syncAndClose(fd: number): Promise<void> {
  try {
    await datasync(fd)
  } finally {
    closeSync(fd)
  }
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (process.platform !== 'win32') throw error // Windows cannot sync a folder
  } finally {
    await handle.close()
  }
}

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
