import { createWorkspace } from '../tree/create-workspace.ts'
import type { Workspace } from '../tree/workspace.ts'
import { MemoryDisk, type MemoryDiskOptions } from './memory-folder.ts'

export interface MemoryWorkspace extends Workspace {
  /** The disk under it, for what an editor, a crash or a test does to the files. */
  readonly disk: MemoryDisk
}

/** A workspace that is not on any disk: paths → text or bytes. */
export function createMemoryWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: MemoryDiskOptions = {},
): MemoryWorkspace {
  const disk = new MemoryDisk(options)
  for (const [path, content] of Object.entries(files))
    disk.writeFile(path, typeof content === 'string' ? Buffer.from(content) : content)
  return workspaceOn(disk)
}

export function workspaceOn(disk: MemoryDisk, at = ''): MemoryWorkspace {
  const workspace = createWorkspace({
    name: 'memory',
    openRoot: async () => {
      let folder = disk.openRoot()
      for (const name of at.split('/').filter(segment => segment !== ''))
        folder = await folder.openFolder(name)
      return folder
    },
    ignoreCase: disk.options.ignoreCase ?? false,
    clock: { nowMs: Date.now, grainMs: 0 },
  })
  return { ...workspace, disk }
}
