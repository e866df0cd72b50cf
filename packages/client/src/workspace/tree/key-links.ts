import { isPrivateFile, LIMITS, type RelativePath, toDocPath } from '@filewright/protocol'
import { type Folder, type FolderEntry, isErrno, type NodeStatus } from '../paths/folder.ts'
import type { Tree } from '../paths/local-path.ts'
import type { Clock } from '../paths/name-cache.ts'

/** Recognises a second name (a hard link) of a key file of the workspace. */
export interface KeyLinks {
  isKeyFile(status: NodeStatus): Promise<boolean>
}

export interface KeyLinksPorts {
  openTree(): Promise<Tree>
  readonly clock: Clock
  /** How many folders deep to look: a home folder is not scanned before a person says yes. */
  readonly depth: number
}

/** Key files at a point in time, by device and inode. */
interface Seen {
  readonly sinceMs: number
  readonly identities: Promise<ReadonlySet<string>>
}

/**
 * Nearly every file has one name and costs nothing here. For others the tree is searched for key files. A file gets no
 * further name without a new change time, so one search answers for every file that has not changed since.
 */
export function createKeyLinks({ openTree, clock, depth }: KeyLinksPorts): KeyLinks {
  let seen: Seen | undefined
  return {
    async isKeyFile({ links, identity, ctimeMs }) {
      if (links < 2) return false
      if (!seen || seen.sinceMs - ctimeMs <= clock.grainMs)
        seen = { sinceMs: clock.nowMs(), identities: find() }
      return (await seen.identities).has(identity)
    },
  }

  async function find(): Promise<ReadonlySet<string>> {
    const identities = new Set<string>()
    const tree = await openTree()
    try {
      await look(
        await tree.folder(''),
        '',
        { identities, left: LIMITS.treeFilesBeforeAsking },
        depth,
      )
    } finally {
      tree.close()
    }
    return identities
  }
}

interface Look {
  readonly identities: Set<string>
  /** How many names may still be looked at. */
  left: number
}

/** The largest folders that no person keeps keys in. */
const PASSED_BY = new Set(['.git', 'node_modules'])

async function look(folder: Folder, path: string, found: Look, depth: number): Promise<void> {
  for (const entry of await entriesOf(folder)) {
    if (found.left-- <= 0) return
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.kind === 'file' && isPrivateFile(toDocPath(below as RelativePath))) {
      const status = await folder.statusOf(entry.name).catch(ignoreGone)
      if (status) found.identities.add(status.identity)
    }
    if (entry.kind !== 'folder' || depth === 0 || PASSED_BY.has(entry.name)) continue
    const inner = await folder.openFolder(entry.name).catch(ignoreGone)
    if (!inner) continue
    await look(inner, below, found, depth - 1).finally(() => inner.close())
  }
}

async function entriesOf(folder: Folder): Promise<readonly FolderEntry[]> {
  return (await folder.entries().catch(ignoreGone)) ?? []
}

/** Gone or closed to us: then nobody reads it through us either. */
function ignoreGone(error: unknown): undefined {
  if (isErrno(error)) return undefined
  throw error
}
