import fs from 'node:fs'
import type { NodeFacts, NodeKind, NodeStatus } from '../paths/folder.ts'

export function lstat(path: string): NodeStatus | null {
  const quick = fs.lstatSync(path, { throwIfNoEntry: false })
  const stats =
    !quick || isExact(quick) ? quick : fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? toStatus(stats) : null
}

export function fstat(fd: number): NodeStatus {
  const quick = fs.fstatSync(fd)
  return toStatus(isExact(quick) ? quick : fs.fstatSync(fd, { bigint: true }))
}

/** Some network and layered disks have file numbers beyond a double; always asking for big integers is expensive. */
function isExact({ ino, dev }: fs.Stats): boolean {
  return ino <= Number.MAX_SAFE_INTEGER && dev <= Number.MAX_SAFE_INTEGER
}

export function factsAt(path: string): NodeFacts | null {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false })
  return stats
    ? {
        kind: kindOf(stats),
        sizeBytes: stats.size,
        mtimeMs: stats.mtimeMs,
        ctimeMs: stats.ctimeMs,
        device: stats.dev,
        inode: stats.ino,
        links: stats.nlink,
      }
    : null
}

function toStatus(stats: fs.Stats | fs.BigIntStats): NodeStatus {
  return {
    kind: kindOf(stats),
    identity: `${stats.dev}:${stats.ino}`,
    sizeBytes: Number(stats.size),
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    links: Number(stats.nlink),
    mtimeMs: 'mtimeNs' in stats ? Number(stats.mtimeNs) / 1e6 : stats.mtimeMs,
    ctimeMs: 'ctimeNs' in stats ? Number(stats.ctimeNs) / 1e6 : stats.ctimeMs,
  }
}

export function kindOf(stats: fs.BigIntStats | fs.Stats | fs.Dirent): NodeKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  if (stats.isSymbolicLink()) return 'link'
  return 'other'
}
