import { type DocPath, type RelativePath, toDocPath } from '@filewright/protocol'
import type { Draft } from './draft.ts'
import type { Desk } from './draft-view.ts'

/**
 * Why a new file cannot have this path: one name cannot be a file and a folder. Checked when the file is created,
 * because a draft with both cannot be published. `left` is the file that a move takes away.
 */
export async function findClash(
  desk: Desk,
  draft: Draft,
  path: RelativePath,
  left?: DocPath,
): Promise<string | undefined> {
  const docPath = toDocPath(path)
  for (const file of draft.files.values())
    if (!file.isDeleted && file.docPath !== left && file.docPath.startsWith(`${docPath}/`))
      return isFolder(path, `the draft has "${file.path}" in it`)
  const there = await desk.workspace.locate(path)
  if (!there.ok && there.failure.details?.folder !== undefined) return isFolder(path)

  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const above = path.slice(0, slash) as RelativePath
    const key = toDocPath(above)
    const drafted = draft.files.get(key)
    const isFile = drafted ? !drafted.isDeleted : (await desk.workspace.locate(above)).ok
    if (isFile && key !== left)
      return `"${above}" is a file, so "${path}" cannot be inside it. Choose another folder, or move that file away first.`
  }
  return undefined
}

function isFolder(path: RelativePath, why?: string): string {
  return `"${path}" is the name of a folder${why ? ` (${why})` : ''}. Choose another name.`
}
