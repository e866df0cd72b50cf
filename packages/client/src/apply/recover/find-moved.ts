import { setTimeout } from 'node:timers/promises'
import { type Folder, isErrno } from '../../workspace/paths/folder.ts'
import type { Tree } from '../../workspace/paths/local-path.ts'
import { readTempName } from '../../workspace/paths/temp-names.ts'
import { ignoreGone, openIfThere } from '../folders.ts'
import type { Intent } from '../journal.ts'

const TRIES = 10 // another program may be renaming it back and forth
const TRY_AGAIN_MS = 10

/**
 * Runs before recovery finishes or takes back anything: finds a folder that was renamed since by the temporary names in
 * it, and uses it as the original. Returns those no longer in the workspace.
 */
export async function findMovedFolders(tree: Tree, intent: Intent): Promise<string[]> {
  const missing = new Map<string, number>()
  for (const [index, { tempIn }] of intent.files.entries())
    if (!missing.has(tempIn) && !(await openSoon(tree, tempIn))) missing.set(tempIn, index)
  if (missing.size === 0) return []
  const gone: string[] = []
  for (const [path, index] of missing) {
    const isMeant = (name: string) => {
      const temp = readTempName(name)
      return temp?.token === intent.token && intent.files[temp.index]?.tempIn === path
    }
    const found = await searchFolder(await tree.folder(''), isMeant)
    if (found) tree.adopt(path, found)
    else gone.push(intent.files[index]!.path)
  }
  return gone
}

async function openSoon(tree: Tree, path: string): Promise<Folder | null> {
  for (let tried = 1; ; tried++) {
    const folder = await openIfThere(tree, path)
    if (folder || tried === TRIES) return folder
    await setTimeout(TRY_AGAIN_MS)
  }
}

async function searchFolder(
  folder: Folder,
  isMeant: (name: string) => boolean,
): Promise<Folder | null> {
  for (const { name, kind } of await folder.entries()) {
    if (kind !== 'folder') continue
    const inner = await folder.openFolder(name).catch(ignoreClosed)
    if (!inner) continue
    const entries = await inner.entries()
    if (entries.some(entry => isMeant(entry.name))) return inner
    const found = await searchFolder(inner, isMeant)
    inner.close()
    if (found) return found
  }
  return null
}

/** Folders that we may not read are not searched: waiting for them would block every later change set. */
function ignoreClosed(error: unknown): null {
  return isErrno(error, 'EACCES', 'EPERM') ? null : ignoreGone(error)
}
