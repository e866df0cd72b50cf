import type { Folder } from './folder.ts'
import type { FolderNames, NameCache } from './name-cache.ts'
import { splitPath } from './split-path.ts'

/** Folders below a root, each opened and listed once; '' is the root. */
export interface OpenFolders {
  folder(path: string): Promise<Folder>
  list(path: string): Promise<FolderNames>
  /** The next access opens it again. Its handle stays open until `close`, because it may still be in use. */
  forget(path: string): void
  adopt(path: string, folder: Folder): void
  close(): void
}

export function createOpenFolders(root: Folder, names: NameCache): OpenFolders {
  const folders = new Map<string, Promise<Folder>>([['', Promise.resolve(root)]])
  const listings = new Map<string, Promise<FolderNames>>()
  const forgotten: Promise<Folder>[] = []

  function openFolder(path: string): Promise<Folder> {
    let folder = folders.get(path)
    if (!folder) {
      const [parent, name] = splitPath(path)
      folder = openFolder(parent).then(open => open.openFolder(name))
      folders.set(path, folder)
      folder.catch(() => folders.delete(path)) // it may be created later
    }
    return folder
  }

  function forget(path: string): void {
    const folder = folders.get(path)
    if (folder) forgotten.push(folder)
    folders.delete(path)
    listings.delete(path)
  }

  return {
    folder: openFolder,
    forget,
    list(path) {
      let listing = listings.get(path)
      if (!listing) {
        listing = openFolder(path).then(folder => names.namesIn(folder))
        listings.set(path, listing)
        listing.catch(() => listings.delete(path))
      }
      return listing
    },
    adopt(path, folder) {
      forget(path)
      folders.set(path, Promise.resolve(folder))
    },
    close() {
      for (const folder of [...folders.values(), ...forgotten])
        folder.then(
          open => open.close(),
          () => {},
        )
      folders.clear()
      listings.clear()
    },
  }
}
