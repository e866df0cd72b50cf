import type { Sha256 } from '@filewright/protocol'
import type { NodeFacts, NodeStatus } from '../paths/folder.ts'
import type { Clock } from '../paths/name-cache.ts'

/**
 * Hashes for listings, by inode, size, mtime and ctime (CONTRACT §2). It never guards a write: a program can change
 * bytes and keep all four.
 */
export interface HashCache {
  get(facts: NodeFacts): Sha256 | undefined
  /** `hashedAt` is when the reading began. */
  set(status: NodeStatus, sha256: Sha256, hashedAtMs: number): void
}

const MAX_FILES = 200_000 // twice the tree a person is asked about

export function createHashCache({ grainMs }: Pick<Clock, 'grainMs'>): HashCache {
  // only the last state of each inode: earlier ones are unused
  const hashes = new Map<number, { readonly status: NodeStatus; readonly sha256: Sha256 }>()
  return {
    get(facts) {
      const last = hashes.get(facts.inode)
      return last && isSame(last.status, facts) ? last.sha256 : undefined
    },
    set(status, sha256, hashedAtMs) {
      const changedAt = status.mtimeMs > status.ctimeMs ? status.mtimeMs : status.ctimeMs
      if (hashedAtMs - changedAt <= grainMs) return // it may change again and keep its time
      if (hashes.size >= MAX_FILES) hashes.delete(hashes.keys().next().value!)
      hashes.set(inodeOf(status), { status, sha256 })
    },
  }
}

function inodeOf({ identity }: NodeStatus): number {
  return Number(identity.slice(identity.indexOf(':') + 1))
}

function isSame(status: NodeStatus, facts: NodeFacts): boolean {
  return (
    status.sizeBytes === facts.sizeBytes &&
    status.mtimeMs === facts.mtimeMs &&
    status.ctimeMs === facts.ctimeMs &&
    status.identity === `${facts.device}:${facts.inode}`
  )
}
