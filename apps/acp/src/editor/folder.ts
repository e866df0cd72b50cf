import { isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkspaceCaller } from '@filewright/host'

/** The folder of a session: files have absolute paths in an editor, and paths from its root here. */
export interface SessionFolder extends WorkspaceCaller {
  readonly root: string
}

export function toAbsolute({ root }: SessionFolder, path: string): string {
  return join(root, path)
}

/** Undefined for a file outside the folder. */
export function toRelative({ root }: SessionFolder, path: string): string | undefined {
  if (!isAbsolute(path)) return undefined
  const from = relative(root, path)
  if (from === '' || from === '..' || from.startsWith(`..${sep}`) || isAbsolute(from))
    return undefined
  return from.split(sep).join('/')
}

/** The path that a `file:` address names; undefined for any other address. */
export function pathOf(uri: string): string | undefined {
  if (isAbsolute(uri)) return uri
  try {
    return fileURLToPath(uri.replace(/[?#].*$/, ''))
  } catch {
    return undefined
  }
}
