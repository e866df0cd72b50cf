import { createHash } from 'node:crypto'
import {
  type ChangeSet,
  type ChangeSetId,
  type Content,
  type FileChange,
  inline,
  type RelativePath,
  type Sha256,
  toBytes,
  toDocPath,
} from '@filewright/protocol'
import type { ApplyPorts } from '../apply/ports.ts'
import { createApplyJournal } from '../kept/apply-journal.ts'
import { createCheckpointStore } from '../kept/checkpoint-store.ts'
import { workspaceOn } from '../workspace/memory/memory.ts'
import type { MemoryDisk } from '../workspace/memory/memory-folder.ts'
import type { Folder } from '../workspace/paths/folder.ts'
import type { Workspace } from '../workspace/tree/workspace.ts'

export type Tree = Record<string, string>

export function sha256Of(content: string | Uint8Array): Sha256 {
  return createHash('sha256').update(content).digest('hex') as Sha256
}

export function changeSet(id: string, files: readonly FileChange[]): ChangeSet {
  return { id: id as ChangeSetId, files }
}

export function create(path: string, text: string): FileChange {
  return change(path, null, inline(Buffer.from(text)))
}

export function replace(path: string, before: string, after: string): FileChange {
  return change(path, before, inline(Buffer.from(after)))
}

export function remove(path: string, before: string): FileChange {
  return change(path, before, null)
}

export function change(path: string, before: string | null, content: Content | null): FileChange {
  const after = content && toBytes(content, Buffer.from(before ?? ''))
  return {
    docPath: toDocPath(path as RelativePath),
    path: path as RelativePath,
    base: before === null ? null : sha256Of(before),
    content,
    sha256: after && sha256Of(after),
  }
}

/** The change set that leads from one tree to the other. */
export function between(before: Tree, after: Tree): FileChange[] {
  const changes: FileChange[] = []
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[path], after[path]]
    if (was === is) continue
    if (was === undefined) changes.push(create(path, is!))
    else changes.push(is === undefined ? remove(path, was) : replace(path, was, is))
  }
  return changes
}

export function portsOn(workspace: Workspace, journal: Folder, checkpoints: Folder): ApplyPorts {
  let tokens = 0
  return {
    workspace,
    journal: createApplyJournal(journal),
    checkpoints: createCheckpointStore(checkpoints),
    now: () => 1_700_000_000_000,
    randomHex: digits => (++tokens).toString(16).padStart(digits, '0'),
  }
}

/** The workspace in `ws` of the first disk, the state in `state` of the last. */
export async function portsOnDisks(disks: readonly MemoryDisk[]): Promise<ApplyPorts> {
  const state = await disks.at(-1)!.openRoot().openFolder('state')
  return portsOn(workspaceOn(disks[0]!, 'ws'), state, await state.openFolder('checkpoints'))
}

export function prepareDisks(disks: readonly MemoryDisk[], tree: Tree): void {
  disks[0]!.makeFolders('ws')
  disks.at(-1)!.makeFolders('state/checkpoints')
  for (const [path, text] of Object.entries(tree))
    disks[0]!.writeFile(`ws/${path}`, Buffer.from(text))
}

/** Every file and every folder of the workspace, temporary ones too. */
export function treeOf(disk: MemoryDisk): { files: Tree; folders: string[] } {
  const files: Tree = {}
  for (const [path, bytes] of disk.files())
    if (path.startsWith('ws/')) files[path.slice(3)] = Buffer.from(bytes).toString()
  const folders = disk.folders().filter(path => path.startsWith('ws/'))
  return { files: sorted(files), folders: folders.map(path => path.slice(3)) }
}

export function sorted(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A small, fast generator: the same numbers on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
