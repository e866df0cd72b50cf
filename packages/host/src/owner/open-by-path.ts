import { mkdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fail, ok, type Result } from '@filewright/protocol'
import type { Config } from '../settings/config.ts'
import type { Folders } from './folders.ts'

/** A folder that a person names, or a new one for files they bring, which is kept in the state folder. */
export async function openByPath(
  { stateRoot, home, shared }: Pick<Config, 'stateRoot' | 'home' | 'shared'>,
  folders: Pick<Folders, 'open'>,
  path: string | undefined,
): Promise<Result<{ readonly workspaceId: string; readonly name: string }>> {
  if (shared)
    return fail(
      'DENIED',
      'No folder was opened: this server keeps its work in a shared store, so no page opens folders of its machine. Make a new workspace, or attach a folder of your own with "filewright attach".',
    )
  const dir = path === undefined ? newFolder(stateRoot) : fromHome(path.trim(), home)
  if (!isAbsolute(dir))
    return fail(
      'INVALID_ARGUMENT',
      `Cannot open "${path}": give the whole path, such as ${home ?? '/home/me'}/documents.`,
    )
  const opened = await folders.open(dir)
  if (!opened.ok) return opened
  const { workspaceId, name } = opened.value
  return ok({ workspaceId, name })
}

function fromHome(path: string, home: string | undefined): string {
  return home !== undefined && /^~(?=$|[\\/])/.test(path) ? home + path.slice(1) : path
}

/** The first number that is free. */
function newFolder(stateRoot: string): string {
  const parent = join(stateRoot, 'kept')
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  for (let number = 1; ; number++) {
    const folder = join(parent, `files-${number}`)
    try {
      mkdirSync(folder, { mode: 0o700 })
      return folder
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
