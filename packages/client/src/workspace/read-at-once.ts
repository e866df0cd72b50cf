import { hash } from 'node:crypto'
import type { DocPath, RelativePath, Sha256 } from '@filewright/protocol'
import type { NodeKind } from './folder.ts'
import type { NameCache } from './name-cache.ts'
import type { PlainFiles } from './plain-files.ts'
import { isPrivateFile } from './private-files.ts'
import { isReservedName } from './temp-names.ts'
import type { ReadAtOnce } from './workspace.ts'

/**
 * What `read` answers for a small plain file in folders that were listed before, in one go: each folder's own times say
 * that its listing holds, the name is the only one of its key, and the file that was opened lies at that very path.
 */
export function createReadAtOnce(files: PlainFiles, names: NameCache): ReadAtOnce {
  /** The spelling on disk; undefined unless there is just one, known now. */
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

  return (docPath, holding) => {
    const path = isPrivateFile(docPath) ? undefined : spellingOf(docPath)
    const read = path === undefined ? undefined : files.read(path)
    if (path === undefined || !read) return undefined
    const sha256 = hash('sha256', read, 'hex') as Sha256
    return { path, docPath, sha256, bytes: holding(sha256) ?? Buffer.from(read) }
  }
}
