import { dirname, isAbsolute, relative, sep } from 'node:path'
import { realPlace } from '@filewright/client'
import { fail, ok, type Result } from '@filewright/protocol'
import type { Config } from '../settings/config.ts'

/**
 * Our own folders, with links resolved. The state may lie inside a workspace that is a disk's root or holds the home
 * folder, and no tool sees it there; any other workspace must not contain it.
 */
export function findOwnFolders(
  root: string,
  { stateRoot, ownFolders, home }: Config,
): Result<readonly string[]> {
  const state = realPlace(stateRoot)
  const isHome = home !== undefined && holds(root, realPlace(home)) && holds(realPlace(home), state)
  const isDisk = dirname(root) === root
  if (state === root || (holds(root, state) && !isHome && !isDisk))
    return fail(
      'INVALID_ARGUMENT',
      `The state folder ${stateRoot} is inside the workspace ${root}. Set FILEWRIGHT_STATE to a folder elsewhere, or open a folder below it.`,
    )
  return ok([...new Set([state, ...ownFolders.map(realPlace)])])
}

/** A folder holds itself, too. */
function holds(root: string, path: string): boolean {
  const way = relative(root, path)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}
