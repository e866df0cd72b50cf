import { isAbsolute, relative, sep } from 'node:path'
import { realPlace } from '@filewright/client'
import { fail, ok, type Result } from '@filewright/protocol'
import type { Config } from './config.ts'

/**
 * Our own folders, as the system knows them, by whatever links they are named. In a home folder, or in one that holds it,
 * they can lie nowhere else, and no tool sees them there; any other folder must not be where the state is kept.
 */
export function findOwnFolders(
  root: string,
  { stateRoot, ownFolders, home }: Config,
): Result<readonly string[]> {
  const state = realPlace(stateRoot)
  if (state === root || (holds(root, state) && !(home && holds(root, realPlace(home)))))
    return fail(
      'INVALID_ARGUMENT',
      `The state folder ${stateRoot} lies inside the workspace ${root}. Set FILEWRIGHT_STATE to a folder elsewhere, or open a folder below it.`,
    )
  return ok([...new Set([state, ...ownFolders.map(realPlace)])])
}

/** Itself, too. */
function holds(root: string, path: string): boolean {
  const way = relative(root, path)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}
