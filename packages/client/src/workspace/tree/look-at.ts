import { isPrivateFile, type RelativePath, toDocPath } from '@filewright/protocol'
import { type Folder, isErrno } from '../paths/folder.ts'
import type { Tree } from '../paths/local-path.ts'
import { RootGone } from '../paths/root-gone.ts'
import { splitPath } from '../paths/split-path.ts'
import type { HashCache } from './hash-cache.ts'
import type { KeyLinks } from './key-links.ts'
import type { SeenFacts } from './workspace.ts'

interface LookPorts {
  openTree(): Promise<Tree>
  readonly hashes: HashCache
  readonly keyLinks: KeyLinks
}

/** What files say of themselves. One that is gone, or no plain file any more, is not in the answer. */
export async function lookAt(
  ports: LookPorts,
  paths: readonly RelativePath[],
): Promise<ReadonlyMap<RelativePath, SeenFacts>> {
  const tree = await ports.openTree().catch(undefinedIfGone)
  if (!tree) return new Map()
  try {
    return await lookInside(tree, ports, paths)
  } finally {
    tree.close()
  }
}

async function lookInside(
  tree: Tree,
  ports: LookPorts,
  paths: readonly RelativePath[],
): Promise<ReadonlyMap<RelativePath, SeenFacts>> {
  const looked = new Map<RelativePath, SeenFacts>()
  for (const [folderPath, inside] of byFolder(paths)) {
    const folder = await tree.folder(folderPath).catch(undefinedIfErrno)
    const facts = await folder?.factsOf(inside.map(({ name }) => name)).catch(undefinedIfErrno)
    for (const [i, { path, name }] of inside.entries()) {
      const own = facts?.[i]
      if (!folder || own?.kind !== 'file') continue
      const isKey = own.links > 1 && (await isKeyLink(ports, folder, name))
      looked.set(path, {
        sizeBytes: own.sizeBytes,
        mtimeMs: Math.floor(own.mtimeMs),
        sha256: ports.hashes.get(own) ?? null,
        isPrivate: isPrivateFile(toDocPath(path)) || isKey,
      })
    }
  }
  return looked
}

interface NameInFolder {
  readonly path: RelativePath
  readonly name: string
}

function byFolder(paths: readonly RelativePath[]): ReadonlyMap<string, readonly NameInFolder[]> {
  const folders = new Map<string, NameInFolder[]>()
  for (const path of paths) {
    const [folder, name] = splitPath(path)
    const known = folders.get(folder)
    if (known) known.push({ path, name })
    else folders.set(folder, [{ path, name }])
  }
  return folders
}

export async function isKeyLink(
  { keyLinks }: Pick<LookPorts, 'keyLinks'>,
  folder: Folder,
  name: string,
): Promise<boolean> {
  const status = await folder.statusOf(name)
  return status?.kind === 'file' && keyLinks.isKeyFile(status)
}

function undefinedIfGone(error: unknown): undefined {
  if (error instanceof RootGone) return undefined
  throw error
}

function undefinedIfErrno(error: unknown): undefined {
  if (isErrno(error)) return undefined
  throw error
}
