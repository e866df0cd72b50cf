import type { Folder } from '../../workspace/paths/folder.ts'
import { splitPath } from '../../workspace/paths/split-path.ts'
import type { Intent } from '../journal.ts'

/**
 * Whether the file found at a target is the one to be replaced, in another spelling. A disk that folds case finds it by
 * either name; only the folder's listing shows its real name.
 */
export async function hasOldSpelling(
  { files }: Intent,
  index: number,
  folder: Folder,
): Promise<boolean> {
  const { docPath, base } = files[index]!
  if (base !== null) return false
  const old = files.find(file => file.docPath === docPath && file.sha256 === null)
  if (!old) return false
  const [, name] = splitPath(old.path)
  return (await folder.entries()).some(entry => entry.name === name)
}
