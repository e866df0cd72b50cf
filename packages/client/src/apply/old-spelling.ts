import type { Folder } from '../workspace/paths/folder.ts'
import { splitPath } from '../workspace/paths/split-path.ts'
import type { Intent } from './journal.ts'

/**
 * Whether what stands where a file was to be made is the one that it was to replace, in other letters. A disk that folds
 * capitals finds it by either name; what it is called stands in the list of its folder alone.
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
