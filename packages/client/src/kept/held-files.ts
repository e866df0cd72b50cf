import { type Folder, isErrno, type OpenFile } from '../workspace/paths/folder.ts'

/**
 * Old files on another disk, which cannot be kept: they lose their name, and are held open for a moment to see what
 * other programs still write to them.
 */
export interface HeldFiles {
  hold(key: string, folder: Folder, name: string): Promise<void>
  find(key: string): OpenFile | undefined
  release(isMeant: (key: string) => boolean): void
}

const MOST_HELD = 128 // descriptors

export function createHeldFiles(): HeldFiles {
  const held = new Map<string, OpenFile>()

  function close(key: string): void {
    held.get(key)?.close()
    held.delete(key)
  }

  return {
    async hold(key, folder, name) {
      const [oldest] = held.keys()
      if (oldest !== undefined && held.size >= MOST_HELD) close(oldest)
      close(key)
      const file = await folder.openFile(name).catch(ignoreNoFile)
      if (file) held.set(key, file)
    },
    find: key => held.get(key),
    release(isMeant) {
      for (const key of [...held.keys()]) if (isMeant(key)) close(key)
    },
  }
}

function ignoreNoFile(error: unknown): null {
  if (isErrno(error)) return null // there is nothing to watch
  throw error
}
