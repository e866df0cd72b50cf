import { type DocPath, isPrivateFile, type RelativePath } from '@filewright/protocol'
import type { PlainFile, PlainFiles } from '../disk/plain-files.ts'
import type { NodeKind } from '../paths/folder.ts'
import type { NameCache } from '../paths/name-cache.ts'
import { isReservedName } from '../paths/temp-names.ts'
import { sha256Of } from './hash-content.ts'
import type { ReadAtOnce } from './workspace.ts'

/** Does not wait; undefined when only the long way can answer. */
export type FindPlain = (docPath: DocPath) => FoundPlain | undefined

export interface FoundPlain extends PlainFile {
  readonly path: RelativePath
}

export interface FindPlainOptions {
  readonly files: PlainFiles
  readonly names: NameCache
  /** Closed to every tool. */
  readonly isClosed?: (relative: string) => boolean
}

/**
 * Reads a small plain file in previously listed folders in one step: each folder's own times show that its listing is
 * current, the name is the only one of its key, and the opened file is at that very path.
 */
export function createFindPlain({ files, names, isClosed }: FindPlainOptions): FindPlain {
  /** The spelling on disk; undefined unless exactly one is known now. */
  function spellingOf(docPath: DocPath): RelativePath | undefined {
    let path = ''
    for (let start = 0; start <= docPath.length; ) {
      const slash = docPath.indexOf('/', start)
      const end = slash < 0 ? docPath.length : slash
      const name = onlyName(path, docPath.slice(start, end), slash < 0 ? 'file' : 'folder')
      if (name === undefined) return undefined
      path = path === '' ? name : `${path}/${name}`
      start = end + 1
    }
    return path as RelativePath
  }

  function onlyName(folderPath: string, key: string, kind: NodeKind): string | undefined {
    if (isReservedName(key)) return undefined
    const status = files.folderStatus(folderPath)
    const found = status && names.known(status)?.get(key)
    return found?.length === 1 && found[0]!.kind === kind ? found[0]!.name : undefined
  }

  return docPath => {
    if (isPrivateFile(docPath) || isClosed?.(docPath)) return undefined
    const path = spellingOf(docPath)
    const file = path === undefined ? undefined : files.read(path)
    if (!file || file.status.links > 1) return undefined // another name of it may be a key file's
    return { path: path!, ...file }
  }
}

export function createReadAtOnce(find: FindPlain): ReadAtOnce {
  return (docPath, holding) => {
    const found = find(docPath)
    if (!found) return undefined
    const sha256 = sha256Of(found.bytes)
    return { path: found.path, docPath, sha256, bytes: holding(sha256) ?? Buffer.from(found.bytes) }
  }
}
