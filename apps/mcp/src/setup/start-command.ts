import { resolve } from 'node:path'
import type { Toolset } from '@filewright/protocol'
import type { StartCommand } from './configurations.ts'

/** By its full path, because a client that was started from a desktop has another PATH than a terminal. */
export function startCommand(dir: string, toolset: Toolset | undefined): StartCommand {
  const chosen = toolset === undefined ? [] : ['--toolset', toolset]
  return {
    command: process.execPath,
    args: [resolve(process.argv[1]!), 'mcp', dir, ...chosen],
  }
}
