import type { Draft } from '../draft/draft.ts'
import type { Workspace } from '../workspace/tree/workspace.ts'

/** A warning for each drafted file that an office program seems to have open. */
export async function findOpenElsewhere(workspace: Workspace, draft: Draft): Promise<string[]> {
  const warnings: string[] = []
  for (const { path } of draft.files.values()) {
    const slash = path.lastIndexOf('/') + 1
    const locks = officeLockNames(path.slice(slash)).map(name => path.slice(0, slash) + name)
    const found = await Promise.all(locks.map(lock => workspace.locate(lock)))
    if (found.some(lock => lock.ok))
      warnings.push(
        `"${path}" seems to be open in an office program; close it there without saving, or it may overwrite the new version.`,
      )
  }
  return warnings
}

const WORD = /\.(docx?|docm|dotx?|dotm|rtf)$/i

/**
 * Names of the file that Office keeps next to an open document: `~$` and the name. Word limits the length by dropping
 * the first two letters, or one of seven: `~$cument.docx` for `document.docx`.
 */
export function officeLockNames(name: string): string[] {
  const names = [`~$${name}`]
  const ending = WORD.exec(name)
  const dropped = ending ? Math.min(2, Math.max(0, ending.index - 6)) : 0
  if (dropped > 0) names.push(`~$${name.slice(dropped)}`)
  return names
}
