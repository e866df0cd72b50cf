import { type DocPath, type RelativePath, similarNames, toDocPath } from '@filewright/protocol'
import type { Workspace } from '../workspace/tree/workspace.ts'
import type { Draft } from './draft.ts'

const MOST_SEEN = 20_000
const MOST_TOLD = 5

/** Candidates for a missing path: the same name elsewhere, a similar name, or the files of the folder it names. */
export async function similarFiles(
  workspace: Workspace,
  draft: Draft | undefined,
  path: RelativePath | DocPath,
): Promise<string[]> {
  const wanted = toDocPath(path)
  const found: { docPath: DocPath; path: string }[] = []
  for (const file of draft?.files.values() ?? []) if (!file.isDeleted) found.push(file)
  let seen = 0
  for await (const entry of workspace.list()) {
    if (++seen > MOST_SEEN) break
    if (entry.kind === 'file') found.push(entry)
  }
  const sameName = found.filter(file => nameOf(file.docPath) === nameOf(wanted))
  const inside = found.filter(file => file.docPath.startsWith(`${wanted}/`))
  const names = similarNames(nameOf(wanted), [...new Set(found.map(file => nameOf(file.docPath)))])
  const alike = names.flatMap(name => found.filter(file => nameOf(file.docPath) === name))
  const all = [...sameName, ...inside, ...alike].map(file => file.path)
  return [...new Set(all)].slice(0, MOST_TOLD)
}

function nameOf(docPath: string): string {
  return docPath.slice(docPath.lastIndexOf('/') + 1)
}
