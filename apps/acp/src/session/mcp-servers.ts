import type { McpServer } from '@agentclientprotocol/sdk'
import {
  isServerName,
  type OutsideConfig,
  type OutsideConfigs,
  parseServerAddress,
} from '@filewright/host'
import { fail, OUTSIDE_SERVER_CHARACTERS, ok, type Result } from '@filewright/protocol'

/** The MCP servers that an editor gives for a session, by the names that their tools get. */
export function toOutsideConfigs(given: readonly McpServer[] = []): Result<OutsideConfigs> {
  const configs = new Map<string, OutsideConfig>()
  for (const server of given) {
    const config = toConfig(server)
    if (!config.ok) return config
    configs.set(freeName(server.name, configs), config.value)
  }
  return ok(Object.fromEntries(configs))
}

function toConfig(server: McpServer): Result<OutsideConfig> {
  if (!('type' in server) || server.type === undefined) {
    const { command, args, env } = server
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
    return ok({ type: 'stdio', command, args: [...args], env: variables, pass: [] })
  }
  if (server.type !== 'http')
    return fail(
      'INVALID_ARGUMENT',
      `The MCP server "${server.name}" is reached by a way that is not offered: give a program on stdio, or an address over HTTP.`,
    )
  const url = parseServerAddress(server.url)
  if (!url.ok) return url
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]))
  return ok({ type: 'http', url: url.value, headers })
}

/** Editors show names to people: what no tool's name can hold becomes a dash. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? ['server']
  const clean = words
    .join('-')
    .slice(0, OUTSIDE_SERVER_CHARACTERS - 3)
    .replace(/-$/, '')
  const base = isServerName(clean) ? clean : 'server'
  for (let i = 1; ; i++) {
    const free = i === 1 ? base : `${base}-${i}`
    if (!taken.has(free)) return free
  }
}
