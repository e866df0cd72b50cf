import type { FileEntry } from '@filewright/protocol'

/** A line of the tree that can be seen. */
export type TreeRow =
  | {
      readonly kind: 'folder'
      readonly path: string
      readonly name: string
      readonly level: number
      readonly isOpen: boolean
      readonly files: number
    }
  | {
      readonly kind: 'file'
      readonly path: string
      readonly name: string
      readonly level: number
      readonly entry: FileEntry
    }

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: FileEntry[]
  count: number
}

/** Folders first, then files, each by name; only what is open is a row. */
export function toRows(
  entries: readonly FileEntry[],
  isOpen: (folder: string) => boolean,
): TreeRow[] {
  const rows: TreeRow[] = []
  addRows(toFolders(entries), '', 1)
  return rows

  function addRows(folder: Folder, prefix: string, level: number): void {
    for (const [name, below] of [...folder.folders].sort(byName)) {
      const path = `${prefix}${name}`
      const open = isOpen(path)
      rows.push({ kind: 'folder', path, name, level, isOpen: open, files: below.count })
      if (open) addRows(below, `${path}/`, level + 1)
    }
    for (const entry of folder.files)
      rows.push({ kind: 'file', path: entry.path, name: nameOf(entry.path), level, entry })
  }
}

function toFolders(entries: readonly FileEntry[]): Folder {
  const root = newFolder()
  for (const entry of entries) {
    let folder = root
    folder.count++
    for (const part of entry.path.split('/').slice(0, -1)) {
      const next = folder.folders.get(part) ?? newFolder()
      folder.folders.set(part, next)
      folder = next
      folder.count++
    }
    folder.files.push(entry)
  }
  return root
}

function newFolder(): Folder {
  return { folders: new Map(), files: [], count: 0 }
}

const collator = new Intl.Collator(undefined, { numeric: true })

function byName([a]: [string, Folder], [b]: [string, Folder]): number {
  return collator.compare(a, b)
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.split('/').at(-1) || path
}

export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
