import { devNull } from 'node:os'
import { dirname } from 'node:path'

/**
 * Environment for a git that works in the folder alike everywhere: without its user's settings or an enclosing
 * checkout.
 */
export function plainGit(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: dirname(folder),
  }
}
