import path from 'node:path'
import { type RelativePath, toDocPath } from '@filewright/protocol'
import { lstat } from './disk-status.ts'

/**
 * Folders inside a workspace that are hidden from every tool: Filewright's own, which must lie inside when the
 * workspace is a home folder, and the system's views of its processes and devices. Their names are refused; and because
 * a disk may show a folder in two places, so is every folder with their identity.
 */
export interface ClosedFolders {
  /** Takes a path below the root, in any spelling. */
  holds(relative: string): boolean
  isOne(identity: string): boolean
}

/** They expose keys in the environment of processes, and endless files on devices. */
const SYSTEM_FOLDERS = process.platform === 'linux' ? ['/proc', '/sys', '/dev'] : []

/** Both absolute and without links; undefined when none of them is inside. */
export function findClosedFolders(
  rootPath: string,
  ownFolders: readonly string[],
): ClosedFolders | undefined {
  const inside = [...ownFolders, ...SYSTEM_FOLDERS].filter(folder =>
    isBelow(path.relative(rootPath, folder)),
  )
  if (inside.length === 0) return undefined
  const keys = inside.map(folder => keyOf(path.relative(rootPath, folder)))
  return {
    holds(relative) {
      const key = keyOf(relative)
      return keys.some(closed => key === closed || key.startsWith(`${closed}/`))
    },
    // checked each time: it may be created, or created again, while the workspace is open
    isOne: identity => inside.some(folder => lstat(folder)?.identity === identity),
  }
}

function isBelow(way: string): boolean {
  return way !== '' && way.split(path.sep)[0] !== '..' && !path.isAbsolute(way)
}

function keyOf(relative: string): string {
  return toDocPath(relative.split(path.sep).join('/') as RelativePath)
}
