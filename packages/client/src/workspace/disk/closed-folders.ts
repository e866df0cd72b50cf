import path from 'node:path'
import { type RelativePath, toDocPath } from '@filewright/protocol'
import { lstat } from './disk-status.ts'

/**
 * Folders inside a workspace that to every tool are not there: Filewright's own, which in a home folder can lie nowhere
 * else, and the system's views of its processes and devices. Their names are refused; and because a disk may show a
 * folder in two places, so is each folder that is one of them.
 */
export interface ClosedFolders {
  /** Of a path below the root, in any spelling. */
  holds(relative: string): boolean
  isOne(identity: string): boolean
}

/** Keys stand in the environment of a process, and no end of files in what is none. */
const SYSTEM_FOLDERS = process.platform === 'linux' ? ['/proc', '/sys', '/dev'] : []

/** Both absolute and free of links; undefined when none of them lies inside. */
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
    // looked at each time: it may be made, or made anew, while the workspace is open
    isOne: identity => inside.some(folder => lstat(folder)?.identity === identity),
  }
}

function isBelow(way: string): boolean {
  return way !== '' && way.split(path.sep)[0] !== '..' && !path.isAbsolute(way)
}

function keyOf(relative: string): string {
  return toDocPath(relative.split(path.sep).join('/') as RelativePath)
}
