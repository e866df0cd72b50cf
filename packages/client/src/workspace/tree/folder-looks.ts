import fs from 'node:fs'
import path from 'node:path'

/** Where the system cannot watch: a folder is compared with what it was at the last look. */
export interface FolderLooks<Looked extends LookedAt> {
  add(folder: Looked): void
  /** Looks at the next few in turn; returns those that have another name, size or time in them than before. */
  findChanged(): Looked[]
}

export interface LookedAt {
  readonly path: string
  readonly isGone: boolean
}

/** At most `most` files and folders per turn, and of one folder not more than so many of its files. */
export function createFolderLooks<Looked extends LookedAt>(
  rootPath: string,
  most: number,
): FolderLooks<Looked> {
  const stamps = new Map<Looked, number>()

  /** Changes with any name in the folder, and with the size or time of its files. */
  function stampOf({ path: relative }: LookedAt): { stamp: number; looked: number } {
    const folder = path.join(rootPath, relative)
    let stamp = mix(0, statusAt(folder))
    const names = namesIn(folder).slice(0, most)
    for (const name of names) stamp = mix(stamp, statusAt(path.join(folder, name)))
    return { stamp, looked: names.length + 1 }
  }

  return {
    add(folder) {
      stamps.set(folder, stampOf(folder).stamp)
    },
    findChanged() {
      const changed: Looked[] = []
      let left = most
      for (const [folder, before] of [...stamps]) {
        if (left <= 0) break
        stamps.delete(folder)
        if (folder.isGone) continue
        const { stamp, looked } = stampOf(folder)
        stamps.set(folder, stamp) // now the last in turn
        left -= looked
        if (stamp !== before) changed.push(folder)
      }
      return changed
    },
  }
}

function mix(stamp: number, status: fs.Stats | undefined): number {
  if (!status) return Math.imul(stamp, 31) - 1
  const { mtimeMs, ctimeMs, size, ino } = status
  return [mtimeMs * 1000, ctimeMs * 1000, size, ino].reduce(
    (sum, each) => (Math.imul(sum, 31) + (each % 2 ** 31)) | 0,
    stamp,
  )
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return [] // gone, or not ours to read
  }
}

function statusAt(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file)
  } catch {
    return undefined
  }
}
