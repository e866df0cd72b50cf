import type { Folder, FolderEntry } from '../paths/folder.ts'
import type { Clock } from '../paths/name-cache.ts'
import { type FolderRules, type IgnoreRules, isRuleFile } from './ignore-rules.ts'
import type { Entry, TreeFileEntry } from './workspace.ts'

/** What the names in one folder mean to a listing. Links and the folders below are looked at each time. */
export interface SortedFolder {
  readonly files: readonly TreeFileEntry[]
  readonly unusable: readonly Entry[]
  readonly links: readonly SortedName[]
  readonly folders: readonly SortedName[]
  /** Two names fold to one: such files are not told apart by their folder alone. */
  readonly hasTwins: boolean
}

export interface SortedName {
  readonly name: string
  readonly isIgnored: boolean
}

export interface FolderContent {
  readonly rules: FolderRules
  readonly sorted: SortedFolder
  readonly isKept: boolean
}

interface KeptFolder extends FolderContent {
  readonly identity: string
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly hasRules: boolean
}

const MOST_FILES = 500_000 // about 100 MB

/** Keeps what was read of a folder while its own times show that no name in it was added, moved or removed. */
export function createKeptFolders(
  ignoreRules: IgnoreRules,
  { nowMs, grainMs }: Clock,
  sort: (path: string, entries: readonly FolderEntry[], rules: FolderRules) => SortedFolder,
) {
  const kept = new Map<string, KeptFolder>()
  let files = 0

  function forget(path: string): void {
    files -= kept.get(path)?.sorted.files.length ?? 0
    kept.delete(path)
  }

  /** The same object while the same rules apply, which the files were sorted by. */
  async function enter(
    folder: Folder,
    path: string,
    above: FolderRules | null,
    known: KeptFolder,
  ): Promise<FolderRules> {
    if (above && !known.hasRules) return above
    const rules = await ignoreRules.enter(folder, path, above)
    const { rules: before } = known
    const isSame = before.above === above && before.git === rules.git && before.own === rules.own
    return isSame ? before : rules
  }

  return async (
    folder: Folder,
    path: string,
    above: FolderRules | null,
    entriesOf: (folder: Folder) => Promise<FolderEntry[]>,
  ): Promise<FolderContent> => {
    const { identity, mtimeMs, ctimeMs } = await folder.status()
    const known = kept.get(path)
    const isSame =
      known?.identity === identity && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs
    if (isSame) {
      const rules = await enter(folder, path, above, known)
      if (rules === known.rules) return known
    }
    const readAt = nowMs()
    const entries = await entriesOf(folder)
    const rules = await ignoreRules.enter(folder, path, above, entries)
    const sorted = sort(path, entries, rules)
    forget(path)
    if (readAt - Math.max(mtimeMs, ctimeMs) <= grainMs) return { rules, sorted, isKept: false }
    for (const oldest of kept.keys()) {
      if (files + sorted.files.length <= MOST_FILES) break
      forget(oldest)
    }
    const hasRules = entries.some(isRuleFile)
    kept.set(path, { identity, mtimeMs, ctimeMs, hasRules, rules, sorted, isKept: true })
    files += sorted.files.length
    return { rules, sorted, isKept: false }
  }
}
