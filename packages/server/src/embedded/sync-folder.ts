import { open } from 'node:fs/promises'

/** Makes the names in a folder survive a loss of power; without it a new or renamed file may be gone. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // has no such call
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
