import { isAbsolute, resolve } from 'node:path'
import {
  currentFolder,
  isServerName,
  type OutsideConfig,
  parseServerAddress,
} from '@filewright/host'
import { fail, OUTSIDE_SERVER_CHARACTERS, ok, type Result } from '@filewright/protocol'

/** A server as it is given on the command line. */
export interface GivenServer {
  readonly name: string
  readonly command?: readonly string[]
  readonly url?: string
  readonly env?: readonly string[]
  readonly pass?: readonly string[]
  readonly header?: readonly string[]
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

export function toOutsideConfig(given: GivenServer): Result<OutsideConfig> {
  const { name, command = [], url, env = [], pass = [], header = [] } = given
  if (!isServerName(name))
    return wrong(
      `"${name}" cannot be its name. A name has letters and digits, with single - or _ between them, and at most ${OUTSIDE_SERVER_CHARACTERS} characters.`,
    )
  if (command.length > 0 === (url !== undefined))
    return wrong(
      'Give either the program that is the server, after "--", or its address with --url.',
    )
  if (url !== undefined) {
    if (env.length + pass.length > 0)
      return wrong('--env and --pass are for a program; an address takes --header "NAME: VALUE".')
    return toAddress(url, header)
  }
  if (header.length > 0)
    return wrong('--header is for an address; a program takes --env or --pass.')
  return toProgram(command, env, pass)
}

function toProgram(
  [program = '', ...args]: readonly string[],
  env: readonly string[],
  pass: readonly string[],
): Result<OutsideConfig> {
  const pairs = env.map(each => [each.slice(0, each.indexOf('=')), each] as const)
  const unnamed = pairs.find(([name]) => !VARIABLE.test(name))
  if (unnamed)
    return wrong('--env takes NAME=VALUE. To pass a variable on as it is, use --pass NAME.')
  const strange = pass.find(name => !VARIABLE.test(name))
  if (strange !== undefined) return wrong(`--pass takes the name of a variable, not "${strange}".`)
  const isPath = /[\\/]/.test(program) && !isAbsolute(program)
  return ok({
    type: 'stdio',
    command: isPath ? resolve(currentFolder(), program) : program,
    args: [...args],
    env: Object.fromEntries(pairs.map(([name, each]) => [name, each.slice(name.length + 1)])),
    pass: [...pass],
  })
}

function toAddress(given: string, header: readonly string[]): Result<OutsideConfig> {
  const url = parseServerAddress(given)
  if (!url.ok) return wrong(url.failure.message)
  const headers: Record<string, string> = {}
  for (const each of header) {
    const at = each.indexOf(':')
    const [name, value] = [each.slice(0, Math.max(0, at)).trim(), each.slice(at + 1).trim()]
    if (!/^[A-Za-z0-9-]+$/.test(name) || /[\r\n]/.test(value))
      return wrong('--header takes "NAME: VALUE", such as "Authorization: Bearer …".')
    headers[name] = value
  }
  return ok({ type: 'http', url: url.value, headers })
}

function wrong(message: string): Result<never> {
  return fail('INVALID_ARGUMENT', `Nothing was added. ${message}`)
}
