import { devNull } from 'node:os'
import { dirname } from 'node:path'

/** For a git that works in the folder as it does everywhere: without its user's settings, and in no checkout around it. */
export function plainGit(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: dirname(folder),
  }
}
