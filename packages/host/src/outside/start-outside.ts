import { fail, ok, type Result } from '@filewright/protocol'
import { type OutsideEnvironment, outsideEnvironment } from '../settings/config.ts'
import {
  findOwnFile,
  findProgram,
  type OutsideConfig,
  programPath,
  startFolder,
} from '../settings/outside-servers.ts'
import type { OutsideChannel } from './channel.ts'
import { openAddress } from './http-channel.ts'
import { type OutsideServer, startServer } from './outside-server.ts'
import { openProgram } from './stdio-channel.ts'

export interface StartPlace {
  readonly stateRoot: string
  /** The workspace whose run it is for; none while a server is being added. */
  readonly root?: string
}

/** Starts a server, or begins to talk with one, and asks for its tools. */
export async function startOutside(
  name: string,
  config: OutsideConfig,
  place: StartPlace,
): Promise<Result<OutsideServer>> {
  const opened = open(name, config, place)
  return opened.ok ? startServer(name, opened.value) : opened
}

function open(name: string, config: OutsideConfig, place: StartPlace): Result<OutsideChannel> {
  if (config.type === 'http') return ok(openAddress(config))
  const { command, args, env, pass } = config
  const { stateRoot, root } = place
  const own = root === undefined ? undefined : findOwnFile(root, [command, ...args])
  if (own !== undefined)
    return refuse(name, `its file ${own} is in this workspace, where a model could change it`)
  const given = outsideEnvironment(pass)
  const path = programPath(given.path, root)
  if (findProgram(command, path) === undefined)
    return refuse(name, `there is no program "${command}"`)
  const missing = given.missing.join(', ')
  if (missing !== '') return refuse(name, `${missing} is not set where Filewright runs`)
  const variables = variablesOf(given, path, env)
  return ok(openProgram({ command, args, env: variables, cwd: startFolder(stateRoot) }))
}

function variablesOf(
  { values }: OutsideEnvironment,
  path: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return { ...values, PATH: path, ...env }
}

function refuse(name: string, why: string): Result<never> {
  return fail('OUTSIDE_GONE', `The MCP server "${name}" is not used: ${why}.`, {
    kind: 'unavailable',
  })
}
