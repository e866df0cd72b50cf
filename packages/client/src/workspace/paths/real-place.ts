import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Where a path leads, through any links; works for a folder that does not exist yet. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPlace(parent), basename(path))
  }
}
