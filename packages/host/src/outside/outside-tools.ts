import { createHash } from 'node:crypto'
import { LIMITS, ok, type Result, type SessionId } from '@filewright/protocol'
import type { OutsidePlace, OutsideSession, OutsideTool, OutsideTools } from '@filewright/server'
import {
  keyOf,
  type OutsideConfig,
  type OutsideConfigs,
  type Pins,
  readOutsideServers,
  readPins,
  writePins,
} from '../settings/outside-servers.ts'
import { offeredName } from './definitions.ts'
import type { OutsideServer } from './outside-server.ts'
import { startOutside } from './start-outside.ts'

export interface OutsideOptions {
  readonly stateRoot: string
  /** The folder of a workspace, where it is on this machine. */
  readonly rootOf: (workspaceId: string) => Promise<string | undefined>
}

export interface OutsideHost extends OutsideTools {
  /** Servers that an editor gave for a session, beside the person's own. They are kept in memory alone. */
  use(sessionId: string, servers: OutsideConfigs): void
  close(): Promise<void>
}

interface Running {
  readonly key: string
  readonly config: OutsideConfig
  readonly server: OutsideServer
}

interface Held {
  readonly running: Map<string, Running>
  idle?: NodeJS.Timeout
}

/** The MCP servers of each session: started for its first run, kept between its messages, ended with this process. */
export function createOutside({ stateRoot, rootOf }: OutsideOptions): OutsideHost {
  const sessions = new Map<string, Held>()
  const given = new Map<string, OutsideConfigs>()
  let isClosed = false

  async function endAll(sessionId: string): Promise<void> {
    const held = sessions.get(sessionId)
    sessions.delete(sessionId)
    clearTimeout(held?.idle)
    await Promise.all([...(held?.running.values() ?? [])].map(({ server }) => server.close()))
  }

  /** Runs already, as it is configured now; or is started. */
  async function bring(
    held: Held,
    [name, config]: readonly [string, OutsideConfig],
    root: string,
  ): Promise<Result<Running>> {
    const known = held.running.get(name)
    const isSame = known && JSON.stringify(known.config) === JSON.stringify(config)
    if (isSame && known.server.gone === undefined && (await known.server.refresh()).ok)
      return ok(known)
    held.running.delete(name)
    await known?.server.close()
    const started = await startOutside(name, config, { stateRoot, root })
    if (!started.ok) return started
    const running = { key: keyOf(name, config), config, server: started.value }
    held.running.set(name, running)
    if (isClosed) await running.server.close()
    return ok(running)
  }

  async function open({ sessionId, workspaceId }: OutsidePlace): Promise<OutsideSession> {
    const root = await rootOf(workspaceId)
    const { servers, troubles } = configured(stateRoot, given.get(sessionId))
    const held: Held = sessions.get(sessionId) ?? { running: new Map() }
    clearTimeout(held.idle)
    if (root === undefined || (servers.length === 0 && held.running.size === 0))
      return toSession(stateRoot, [], [])
    sessions.set(sessionId, held)
    const names = new Set(servers.map(([name]) => name))
    for (const [name, { server }] of held.running)
      if (!names.has(name) && held.running.delete(name)) await server.close()
    const brought = await Promise.all(servers.map(each => bring(held, each, root)))
    const failed = brought.flatMap(each => (each.ok ? [] : [each.failure.message]))
    const running = brought.flatMap((each, at) =>
      each.ok ? [{ ...each.value, name: servers[at]![0] }] : [],
    )
    return toSession(stateRoot, running, [...troubles, ...failed])
  }

  return {
    open,
    rest(sessionId) {
      const held = sessions.get(sessionId)
      if (!held) return
      clearTimeout(held.idle)
      held.idle = setTimeout(() => void endAll(sessionId), LIMITS.outsideIdleMs)
      held.idle.unref()
    },
    forget(sessionId: SessionId) {
      given.delete(sessionId)
      void endAll(sessionId)
    },
    use(sessionId, servers) {
      if (Object.keys(servers).length > 0) given.set(sessionId, servers)
      else given.delete(sessionId)
    },
    async close() {
      isClosed = true
      await Promise.all([...sessions.keys()].map(endAll))
    },
  }
}

/** The person's own, then the editor's; a name that both use is the person's. */
function configured(stateRoot: string, fromEditor: OutsideConfigs = {}) {
  const own = Object.entries(readOutsideServers(stateRoot))
  const taken = new Set(own.map(([name]) => name.toLowerCase()))
  const others = Object.entries(fromEditor)
  const free = others.filter(([name]) => !taken.has(name.toLowerCase()))
  const all = [...own, ...free]
  const servers = all.slice(0, LIMITS.outsideServers)
  const doubled = others
    .filter(([name]) => taken.has(name.toLowerCase()))
    .map(
      ([name]) =>
        `The editor's MCP server "${name}" is not used: "filewright mcp add" gave that name to another one.`,
    )
  const more = all.slice(LIMITS.outsideServers).map(([name]) => `"${name}"`)
  const tooMany = `A run uses ${LIMITS.outsideServers} MCP servers at most; not used: ${more.join(', ')}.`
  return { servers, troubles: [...doubled, ...(more.length > 0 ? [tooMany] : [])] }
}

type Named = Running & { readonly name: string }

/** What the run sees: fixed now, whatever a server says later. */
function toSession(
  stateRoot: string,
  running: readonly Named[],
  failed: readonly string[],
): OutsideSession {
  const places = new Map<string, Named & { readonly own: string; readonly pin: string }>()
  const tools: OutsideTool[] = []
  for (const each of running) {
    const pins = readPins(stateRoot, each.key) ?? pinAll(stateRoot, each)
    for (const tool of each.server.defined.tools) {
      const { own, sha256, ...shown } = tool
      const standing = standingOf(pins, own, sha256)
      places.set(tool.name, { ...each, own, pin: sha256 })
      tools.push({ ...shown, server: each.name, standing, sha256: ruleHash(each.key, sha256) })
    }
  }
  return {
    tools,
    troubles: [...failed, ...running.flatMap(({ server }) => server.defined.troubles)],
    async call(name, given, signal) {
      const place = places.get(name)
      if (!place) return { type: 'not-sent', why: 'it was not offered' }
      return place.server.call(place.own, given, signal)
    },
    noteSeen(name) {
      const tool = tools.find(each => each.name === name)
      const place = places.get(name)
      if (!tool || !place || tool.standing === 'known') return
      const pins = readPins(stateRoot, place.key) ?? {}
      writePins(stateRoot, place.key, { ...pins, [place.own]: place.pin })
    },
  }
}

function standingOf(pins: Pins, own: string, sha256: string): OutsideTool['standing'] {
  if (!Object.hasOwn(pins, own)) return 'new'
  return pins[own] === sha256 ? 'known' : 'changed'
}

/** What a rule holds on to: the definition, and the way to the server that has it. */
function ruleHash(key: string, sha256: string): string {
  return createHash('sha256').update(`${key}\n${sha256}`).digest('hex')
}

/** The same for a tool of a server that a person added, as they saw it; undefined: there is none. */
export function pinnedTool(stateRoot: string, tool: string): string | undefined {
  for (const [name, config] of Object.entries(readOutsideServers(stateRoot))) {
    const key = keyOf(name, config)
    const pins = Object.entries(readPins(stateRoot, key) ?? {})
    const found = pins.find(([own]) => offeredName(name, own) === tool)
    if (found) return ruleHash(key, found[1])
  }
  return undefined
}

/** A server that an editor gave, and that is used for the first time. */
export function pinAll(stateRoot: string, { key, server }: Pick<Running, 'key' | 'server'>): Pins {
  const pins = Object.fromEntries(server.defined.tools.map(({ own, sha256 }) => [own, sha256]))
  writePins(stateRoot, key, pins)
  return pins
}
