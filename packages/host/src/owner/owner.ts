import { rm } from 'node:fs/promises'
import type { ClientOptions } from '@filewright/client'
import { type CallRoute, ok, type Result } from '@filewright/protocol'
import {
  claimOwnership,
  createLogger,
  createServer,
  type Logger,
  type Ownership,
  reachSocket,
  type Server,
  type Stores,
} from '@filewright/server'
import type { Fetch } from '../link/caller.ts'
import { listen } from '../link/local-socket.ts'
import { createModelDesk } from '../models/model-desk.ts'
import { modelResolver } from '../models/models.ts'
import { createOutside } from '../outside/outside-tools.ts'
import { type Config, readConfig } from '../settings/config.ts'
import type { OutsideConfigs } from '../settings/outside-servers.ts'
import { readPersonalRules } from '../settings/personal-rules.ts'
import type { TelemetrySettings } from '../settings/telemetry-settings.ts'
import { version } from '../settings/version.ts'
import { startEngines } from './engines.ts'
import { type FaceRoute, toMounts } from './face-routes.ts'
import { createFolders, type OpenedWorkspace, type OpenFolderOptions } from './folders.ts'
import {
  createHostedClients,
  type HostedClientsOptions,
  type RunningClients,
} from './hosted-clients.ts'
import { answerLocally } from './local-routes.ts'
import { openLogFile } from './log-file.ts'
import { openByPath } from './open-by-path.ts'
import { openState } from './open-state.ts'
import { readOwnerToken } from './owner-token.ts'

/** The owner of the state: server and clients in one process, answering on the local socket too. */
export interface StateOwner {
  readonly fetch: Fetch
  /** A route without HTTP around it. */
  readonly handle: CallRoute
  /** MCP servers that an editor gave for a session. */
  useOutside(sessionId: string, servers: OutsideConfigs): void
  openWorkspace(dir: string, options?: OpenFolderOptions): Promise<Result<OpenedWorkspace>>
  /** Where other instances reach this one. */
  announce(url: string): Promise<void>
  /** Gives back every session and ends every stream, so that another instance goes on at once. */
  leave(drainMs?: number): Promise<void>
  close(): Promise<void>
}

export interface OwnerOptions {
  readonly webRoot?: string
  /** Interrupted runs resume by themselves. */
  readonly autoResume?: boolean
  readonly hosts?: readonly string[]
  /** Reports files that change; for a process that stays. */
  readonly watch?: boolean
  /** Says how its work goes, where the settings name a place for it; for a process that stays. */
  readonly tells?: boolean
  readonly routes?: readonly FaceRoute[]
}

/** Undefined while another process owns the state. */
export async function startOwner(
  config: Config,
  options: OwnerOptions = {},
): Promise<Result<StateOwner | undefined>> {
  const ownership = await claimOwnership(config.stateRoot)
  if (!ownership) return ok(undefined)
  const started = await start(config, options, ownership)
  if (!started.ok) ownership.release()
  return started
}

async function start(
  config: Config,
  { watch, tells = false, routes = [], ...options }: OwnerOptions,
  ownership: Ownership,
): Promise<Result<StateOwner>> {
  const reached = reachSocket(config.socketPath)
  if (!reached.ok) return reached
  const opened = await openState(config)
  if (!opened.ok) return opened
  const token = await readOwnerToken(config)
  const settings = tells ? config.telemetry : undefined
  const writeLog = openLogFile(config.stateRoot)
  const logger = createLogger(settings?.isLogged ? toBoth(writeLog) : writeLog, () => new Date())
  const telemetry = settings && (await startTelling(settings, opened.value, logger))
  if (telemetry && !telemetry.ok) {
    await opened.value.close()
    return telemetry
  }
  const stores = telemetry?.value.stores ?? opened.value
  const models = modelResolver(readConfig) // again for each run: settings change
  const { engines, close: closeEngines } = startEngines(config, ({ cause, detail }) =>
    logger.event('Engine.Trouble', { cause, detail }),
  )
  const outside = createOutside({
    stateRoot: config.stateRoot,
    rootOf: workspaceId => folders.rootOf(workspaceId),
  })
  const server: Server = await createServer({
    stores,
    ...(telemetry && { onAnswer: telemetry.value.onAnswer }),
    logger,
    version,
    ownerToken: token,
    resolveModel: models.resolve,
    textEngine: engines.hostile,
    personalRules: () => readPersonalRules(config.stateRoot),
    chunkEngine: engines.hostile,
    outside,
    desk: {
      ...createModelDesk(readConfig, models),
      opensFolders: !config.shared,
      openFolder: path => openByPath(config, folders, path),
    },
    hostedClients: {
      open: async workspaceId => hosted?.open(workspaceId),
      close: async workspaceId => hosted?.close(workspaceId),
    },
    mounts: toMounts(routes, () => server),
    ...options,
  })
  const handle: CallRoute = (name, ...call) => server.handle(token, name, ...call)
  const link = {
    engines,
    fetch: server.fetch,
    server: { handle, attach: (...given) => server.attach(token, ...given) },
    token,
  } satisfies Pick<ClientOptions, 'engines' | 'fetch' | 'server' | 'token'>
  const hosted = startHosted(stores, link, logger)
  const folders = createFolders({
    ...link,
    config,
    watch,
    onError: (error, workspace) => logger.error('Client.Failed', error, { workspace }),
  })
  const local = answerLocally(token, {
    workspaces: ({ dir, allowLarge }) => folders.open(dir, { allowLarge }),
    models: place => models.learn(place).then(() => ok(null)),
    outside: async ({ sessionId, servers }) => {
      outside.use(sessionId, servers)
      return ok(null)
    },
  })
  const fetch: Fetch = async request =>
    local(new URL(request.url).pathname, request) ?? server.fetch(request)
  if (process.platform !== 'win32') await rm(config.socketPath, { force: true })
  const socket = await listen(fetch, { path: reached.value })

  return ok({
    fetch,
    handle,
    openWorkspace: folders.open,
    useOutside: outside.use,
    async announce(url) {
      await server.announce(url)
      hosted?.lookAround()
    },
    leave: server.leave,
    async close() {
      await socket.close()
      await Promise.all([folders.close(), hosted?.closeAll()])
      await server.close()
      await outside.close()
      await closeEngines()
      await telemetry?.value.close()
      await opened.value.close()
      ownership.release()
    },
  })
}

/** A start without such settings does not load it. */
async function startTelling(settings: TelemetrySettings, stores: Stores, logger: Logger) {
  const { startTelemetry } = await import('../telemetry/start-telemetry.ts')
  return startTelemetry(settings, stores, logger)
}

/** For whoever gathers the stderr of services. */
function toBoth(write: (line: string) => void) {
  return (line: string) => {
    write(line)
    process.stderr.write(line)
  }
}

/** Undefined where nothing is shared with other instances. */
function startHosted(
  { hosted, log }: Stores,
  link: Pick<HostedClientsOptions, 'engines' | 'fetch' | 'server' | 'token'>,
  logger: Logger,
): RunningClients | undefined {
  if (!hosted) return undefined
  return createHostedClients(
    { hosted, log },
    {
      ...link,
      onError: (error, workspace) => logger.error('Client.Failed', error, { workspace }),
      onRecovery(sentences, workspace) {
        for (const text of sentences) logger.event('Client.Recovered', { workspace, text })
      },
    },
  )
}
