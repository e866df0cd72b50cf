import { type DocPath, isPrivateFile, LIMITS, type RelativePath } from '@filewright/protocol'
import type { Folder, FolderEntry } from '../paths/folder.ts'
import type { Tree } from '../paths/local-path.ts'
import type { Clock } from '../paths/name-cache.ts'
import { isReservedName } from '../paths/temp-names.ts'
import type { FolderRules, IgnoreRules } from './ignore-rules.ts'
import {
  createKeptFolders,
  type FolderContent,
  type SortedFolder,
  type SortedName,
} from './kept-folders.ts'
import {
  asWithheld,
  ENTRIES_BETWEEN_PAUSES,
  findNameProblem,
  foldFolder,
  join,
  keyOf,
  type ListPorts,
  NOT_ALLOWED,
  noneIfErrno,
  open,
  PATTERNS_PER_ENTRY,
  pause,
  toLinkEntry,
  tooMany,
  withheld,
} from './list.ts'
import type { Entry, ListOptions, TreeFileEntry } from './workspace.ts'

interface NamePorts extends Pick<ListPorts, 'rules' | 'keyLinks'> {
  begin(options: ListOptions): Promise<Tree | Entry>
  readonly clock: Clock
}

/** A folder being listed, and the folder in it that comes next. */
interface Frame {
  readonly folder: Folder
  readonly path: string
  readonly above: FolderRules | null
  readonly content: FolderContent
  next: number
}

/**
 * The entries of `listTree`, a folder at a time and in no order, without what only the files themselves say: size, time,
 * hash, and whether a file is a second name of a key file. A folder whose times stayed is not read again. Undefined where
 * names fold to one: `listTree` tells such files apart.
 */
export type ListNames = (options?: ListOptions) => AsyncGenerator<readonly Entry[] | undefined>

export function createListNames(ports: NamePorts): ListNames {
  const omitting = createKeptFolders(ports.rules, ports.clock, sorter(ports.rules, 'omit'))
  const folding = createKeptFolders(ports.rules, ports.clock, sorter(ports.rules, 'fold'))

  return async function* listNames(options = {}) {
    const { ignored = 'omit', allowLarge = false } = options
    const contentOf = ignored === 'omit' ? omitting : folding
    const enter = async (folder: Folder, path: string, above: FolderRules | null) => ({
      ...{ folder, path, above, next: 0 },
      content: await contentOf(folder, path, above, entriesOf),
    })
    const tree = await ports.begin(options)
    if ('kind' in tree) return yield [tree]
    const stack: Frame[] = []
    let [files, looked] = [0, 0]
    try {
      let entered: Frame | undefined = await enter(await tree.folder(''), '', null)
      while (entered || stack.length > 0) {
        if (entered) {
          stack.push(entered)
          if (entered.content.sorted.hasTwins) return yield undefined
          const entries = await entriesIn(ports, tree, entered, allowLarge)
          for (const entry of entries) if (entry.kind === 'file') files++
          if (files > LIMITS.treeFilesBeforeAsking && !allowLarge) return yield [tooMany()]
          yield entries
          looked += weightOf(entered.content)
          if (looked >= ENTRIES_BETWEEN_PAUSES) looked = await pause()
        }
        const frame: Frame = stack.at(-1)!
        const inner = frame.content.sorted.folders[frame.next++]
        if (!inner) leave(stack.pop()!)
        const found = inner && (await openInner(frame, inner))
        if (Array.isArray(found)) yield found
        entered =
          found && 'folder' in found
            ? await enter(found.folder, found.path, frame.content.rules)
            : undefined
      }
    } finally {
      for (const frame of stack) leave(frame)
      tree.close()
    }
  }
}

function leave({ path, folder }: Frame): void {
  if (path !== '') folder.close() // the first belongs to the tree
}

const entriesOf = (folder: Folder) => folder.entries().catch(noneIfErrno)

/** In entries that were read and matched. */
function weightOf({ sorted, rules, isKept }: FolderContent): number {
  const count = sorted.files.length + sorted.folders.length + sorted.links.length
  return isKept ? 20 + count / 50 : count * (1 + rules.weight / PATTERNS_PER_ENTRY)
}

async function entriesIn(
  ports: NamePorts,
  tree: Tree,
  { path, above, content: { sorted, rules } }: Frame,
  allowLarge: boolean,
): Promise<readonly Entry[]> {
  const isWithheld = rules.isWithheld && !allowLarge
  if (sorted.links.length === 0 && sorted.unusable.length === 0 && !isWithheld) return sorted.files
  const links: Entry[] = []
  for (const { name, isIgnored } of sorted.links) {
    const own = join(path, name)
    links.push(await toLinkEntry(ports, tree, { path: own, docPath: keyOf(own), isIgnored }))
  }
  const entries = [...sorted.files, ...sorted.unusable, ...links]
  if (!isWithheld) return entries
  const isNew = above?.isWithheld !== true
  return [...(isNew ? [withheld(path === '' ? '.' : path)] : []), ...entries.map(asWithheld)]
}

/** The next folder, or what there is to say instead. */
async function openInner(
  { folder, path }: Frame,
  { name, isIgnored }: SortedName,
): Promise<{ readonly folder: Folder; readonly path: string } | readonly Entry[]> {
  const own = join(path, name)
  if (isIgnored) return foldFolder(folder, name, own)
  const inner = await open(folder, name)
  if (inner === 'refused') return [{ kind: 'unusable', path: own, reason: NOT_ALLOWED }]
  return inner ? { folder: inner, path: own } : []
}

function sorter(rules: IgnoreRules, mode: 'omit' | 'fold') {
  return (path: string, entries: readonly FolderEntry[], own: FolderRules): SortedFolder => {
    const sorted = {
      files: [] as TreeFileEntry[],
      unusable: [] as Entry[],
      links: [] as { name: string; isIgnored: boolean }[],
      folders: [] as { name: string; isIgnored: boolean }[],
      hasTwins: hasTwins(entries),
    }
    const folderKey = keyOf(path)
    for (const entry of entries) {
      const { name, kind } = entry
      if (isReservedName(name)) continue
      const at = join(path, name)
      const isIgnored = rules.isIgnored(at, kind === 'folder', own)
      if (isIgnored && mode === 'omit') continue
      const problem = findNameProblem(entry)
      if (problem) sorted.unusable.push({ kind: 'unusable', path: at, reason: problem })
      else if (kind === 'folder') sorted.folders.push({ name, isIgnored })
      else if (kind === 'link') sorted.links.push({ name, isIgnored })
      else sorted.files.push(toBare(at, join(folderKey, keyOf(name)) as DocPath, isIgnored))
    }
    return sorted
  }
}

function hasTwins(entries: readonly FolderEntry[]): boolean {
  return new Set(entries.map(({ name }) => keyOf(name))).size < entries.length
}

function toBare(path: string, docPath: DocPath, isIgnored: boolean): TreeFileEntry {
  return {
    kind: 'file',
    path: path as RelativePath,
    docPath: docPath === (path as string) ? (path as DocPath) : docPath, // one string for both
    sizeBytes: 0,
    mtimeMs: 0,
    sha256: null,
    isPrivate: isPrivateFile(docPath),
    isIgnored,
  }
}
