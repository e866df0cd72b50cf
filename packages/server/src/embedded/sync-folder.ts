import { open } from 'node:fs/promises'

/** Makes the names in a folder survive a loss of power: a new or renamed file is not there without it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // has no such call
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
