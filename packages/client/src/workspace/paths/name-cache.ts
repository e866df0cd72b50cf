import { type DocPath, type RelativePath, toDocPath } from '@filewright/protocol'
import type { Folder, FolderEntry, NodeStatus } from './folder.ts'

/** The entries of one folder by their folded name; two under one key are a collision. */
export type FolderNames = ReadonlyMap<DocPath | string, readonly FolderEntry[]>

export interface NameCache {
  namesIn(folder: Folder): Promise<FolderNames>
  /** Does not touch the folder: its names, if they belong to this status. */
  known(status: NodeStatus): FolderNames | undefined
}

interface CachedNames {
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly names: FolderNames
}

const MAX_FOLDERS = 4096 // a bound on memory; a large source tree has about as many

export interface Clock {
  readonly nowMs: () => number
  /** The tick of the disk's clock: a file changed this recently may change again and keep its time. */
  readonly grainMs: number
}

/** Keeps listings while the folder's own times show that nothing was added, renamed or removed in it. */
export function createNameCache({ nowMs, grainMs }: Clock): NameCache {
  const cache = new Map<string, CachedNames>()

  async function namesIn(folder: Folder): Promise<FolderNames> {
    const status = await folder.status()
    const { mtimeMs, ctimeMs } = status
    const cached = known(status)
    if (cached) return cached
    cache.delete(folder.identity)
    const listedAt = nowMs()
    const names = foldNames(await folder.entries())
    const changedAt = mtimeMs > ctimeMs ? mtimeMs : ctimeMs
    if (listedAt - changedAt > grainMs) {
      if (cache.size >= MAX_FOLDERS) cache.delete(cache.keys().next().value!)
      cache.set(folder.identity, { mtimeMs, ctimeMs, names })
    }
    return names
  }

  function known({ identity, mtimeMs, ctimeMs }: NodeStatus): FolderNames | undefined {
    const cached = cache.get(identity)
    return cached?.mtimeMs === mtimeMs && cached.ctimeMs === ctimeMs ? cached.names : undefined
  }

  return { namesIn, known }
}

export function foldNames(entries: readonly FolderEntry[]): FolderNames {
  const names = new Map<string, FolderEntry[]>()
  for (const entry of entries) {
    const key = toDocPath(entry.name as RelativePath)
    const same = names.get(key)
    if (same) same.push(entry)
    else names.set(key, [entry])
  }
  for (const same of names.values()) if (same.length > 1) same.sort(byName) // readdir promises no order
  return names
}

function byName(a: FolderEntry, b: FolderEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
