import fs from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { ApplyPorts } from '../apply/ports.ts'
import type { DiskWorkspaceOptions } from '../workspace/disk.ts'
import type { Folder } from '../workspace/paths/folder.ts'
import { openDiskPorts, writeTree } from './disk-ports.ts'
import { makeTempFolder } from './temp-folder.ts'

export async function openDisk(tree: Record<string, string>, options?: DiskWorkspaceOptions) {
  const folder = makeTempFolder()
  const root = path.join(folder, 'workspace')
  fs.mkdirSync(root)
  writeTree(root, tree)
  const ports = await openDiskPorts(root, path.join(folder, 'state'), options)
  onTestFinished(() => ports.journal.close())
  return { root, ports }
}

export function afterIntent(ports: ApplyPorts, act: () => void): ApplyPorts {
  const { journal } = ports
  return {
    ...ports,
    journal: {
      ...journal,
      async intend(intent) {
        await journal.intend(intent)
        act()
      },
    },
  }
}

export function afterCommit(ports: ApplyPorts, act: () => void): ApplyPorts {
  const { journal } = ports
  return {
    ...ports,
    journal: {
      ...journal,
      async commit(commit) {
        await journal.commit(commit)
        act()
      },
    },
  }
}

/** The workspace with some steps of every folder done differently. */
export function withFolders(
  ports: ApplyPorts,
  change: (folder: Folder) => Partial<Folder>,
): ApplyPorts {
  const { workspace } = ports
  const wrapped = new WeakMap<Folder, Folder>()
  const wrap = (folder: Folder): Folder => {
    let outer = wrapped.get(folder)
    if (!outer) {
      const own = { identity: folder.identity } as Record<string, unknown>
      const raw = (other: Folder) => originals.get(other) ?? other
      for (const key of STEPS)
        own[key] = (...args: unknown[]) =>
          (folder[key] as (...all: unknown[]) => unknown)(
            ...args.map(arg => (originals.has(arg as Folder) ? raw(arg as Folder) : arg)),
          )
      outer = { ...(own as unknown as Folder), ...change(own as unknown as Folder) }
      originals.set(outer, folder)
      wrapped.set(folder, outer)
    }
    return outer
  }
  return {
    ...ports,
    workspace: {
      ...workspace,
      async openTree() {
        const tree = await workspace.openTree()
        return {
          ...tree,
          locate: async spelling => {
            const place = await tree.locate(spelling)
            if (!place.ok) return place
            return { ok: true, value: { ...place.value, folder: wrap(place.value.folder) } }
          },
          folder: async at => wrap(await tree.folder(at)),
        }
      },
    },
    checkpoints: {
      ...ports.checkpoints,
      placeOf: (id, index) => {
        const place = ports.checkpoints.placeOf(id, index)
        return { ...place, folder: wrap(place.folder) }
      },
      keep: (id, index, folder, name) =>
        ports.checkpoints.keep(id, index, originals.get(folder) ?? folder, name),
      keepDisplaced: (displaced, folder, name) =>
        ports.checkpoints.keepDisplaced(displaced, originals.get(folder) ?? folder, name),
    },
  }
}

const originals = new WeakMap<Folder, Folder>()
const STEPS = [
  'status',
  'entries',
  'statusOf',
  'isWritable',
  'readLink',
  'openFolder',
  'openFile',
  'digest',
  'holds',
  'createFile',
  'appendFile',
  'link',
  'rename',
  'mayExchange',
  'exchange',
  'clone',
  'copyAttributes',
  'remove',
  'makeFolder',
  'removeFolder',
  'sync',
  'close',
] as const
