import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Client, openDiskWorkspace, startClient } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine, createProcessEngine } from '@filewright/engine'
import {
  type Failure,
  fail,
  ok,
  type Result,
  type RouteCall,
  type RouteName,
} from '@filewright/protocol'
import {
  claimOwnership,
  createLogger,
  createServer,
  type Ownership,
  openStores,
  reachSocket,
  readOrMakeToken,
} from '@filewright/server'
import { type ModelPlace, modelResolver } from '../models/models.ts'
import { type Config, readConfig } from '../settings/config.ts'
import { version } from '../settings/version.ts'
import { engineCommand } from './engine-command.ts'
import { type Fetch, type Listening, listen } from './local-socket.ts'
import { openLogFile } from './log-file.ts'
import { findOwnFolders } from './own-folders.ts'

/** The owner of the state: server and clients in one process, answering on the local socket too. */
export interface Host {
  readonly fetch: Fetch
  /** A route without HTTP around it. */
  handle(route: RouteName, call: RouteCall): Promise<Result<unknown> | Response>
  readonly token: string
  openWorkspace(dir: string, options?: OpenOptions): Promise<Result<OpenedWorkspace>>
  close(): Promise<void>
}

export interface OpenOptions {
  /** A person said yes to a home folder, a disk's root or a very large tree. */
  readonly allowLarge?: boolean
  /** Asks the person at this process before the folder is offered. Of one that is open already, whoever lists it is asked. */
  readonly confirmScan?: (question: string) => Promise<void>
}

export interface OpenedWorkspace {
  readonly workspaceId: string
  readonly name: string
  readonly root: string
  readonly recovery: readonly string[]
}

export interface HostOptions {
  readonly webRoot?: string
  /** Runs found cut off go on by themselves. */
  readonly autoResume?: boolean
  readonly hosts?: readonly string[]
  /** Tell of files that change; for a process that stays. */
  readonly watch?: boolean
}

/** Undefined while another process owns the state. */
export async function startHost(
  config: Config,
  options: HostOptions = {},
): Promise<Result<Host | undefined>> {
  const ownership = await claimOwnership(config.stateRoot)
  if (!ownership) return ok(undefined)
  const started = await start(config, options, ownership)
  if (!started.ok) ownership.release()
  return started
}

async function start(
  config: Config,
  options: HostOptions,
  ownership: Ownership,
): Promise<Result<Host>> {
  const reached = reachSocket(config.socketPath)
  if (!reached.ok) return reached
  const stores = await openStores(config.stateRoot)
  if (!stores.ok) return stores
  const token = await readOrMakeToken(config.stateRoot)
  const logger = createLogger(openLogFile(config.stateRoot), () => new Date())
  const models = modelResolver(readConfig) // again for each run: settings change
  const server = await createServer({
    stores: stores.value,
    logger,
    version,
    ownerToken: token,
    resolveModel: models.resolve,
    autoResume: options.autoResume,
    hosts: options.hosts,
    webRoot: options.webRoot,
  })
  const engines = {
    text: createInProcessEngine({ loadFormat }),
    hostile: createProcessEngine({
      command: engineCommand(),
      onTrouble: ({ cause, detail }) => logger.event('Engine.Trouble', { cause, detail }),
    }),
  }
  const clients = new Map<string, Promise<Result<{ client: Client; opened: OpenedWorkspace }>>>()

  async function openWorkspace(
    dir: string,
    options: OpenOptions = {},
  ): Promise<Result<OpenedWorkspace>> {
    const root = realFolder(dir)
    if (!root.ok) return root
    const key = createHash('sha256').update(root.value).digest('hex').slice(0, 16)
    let opening = clients.get(key)
    if (!opening) {
      opening = openClient(root.value, key, options)
      clients.set(key, opening)
    }
    const result = await opening.catch(error => {
      clients.delete(key)
      throw error
    })
    if (!result.ok) {
      clients.delete(key)
      return result
    }
    if (options.allowLarge) result.value.client.allowLarge() // it may have been opened without
    return ok(result.value.opened)
  }

  async function openClient(
    root: string,
    key: string,
    { allowLarge, confirmScan }: OpenOptions,
  ): Promise<Result<{ client: Client; opened: OpenedWorkspace }>> {
    const own = findOwnFolders(root, config)
    if (!own.ok) return own
    const workspace = await openDiskWorkspace(root, { ownFolders: own.value })
    if (!workspace.ok) return workspace
    const stateRoot = join(config.stateRoot, 'workspaces', key)
    const name = basename(root) || root
    const client = await startClient({
      workspace: workspace.value,
      stateRoot,
      engines,
      fetch: server.fetch,
      server: {
        handle: (route, call) => server.handle(token, route, call),
        attach: (...given) => server.attach(token, ...given),
      },
      origin: 'http://filewright.local',
      token,
      key,
      name,
      place: root,
      allowLarge,
      confirmScan,
      watch: options.watch,
      onError: error => logger.error('Client.Failed', error, { workspace: key }),
    })
    return ok({
      client,
      opened: { workspaceId: client.workspaceId, name, root, recovery: client.recovery },
    })
  }

  const fetch: Fetch = async request => {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/local/workspaces')
      return answerLocally(request, token, ({ dir, allowLarge }: OpenRequest) =>
        openWorkspace(dir, { allowLarge }),
      )
    if (pathname === '/api/local/models')
      return answerLocally(request, token, async (place: ModelPlace) => {
        models.learn(place)
        return ok(null)
      })
    return server.fetch(request)
  }
  if (process.platform !== 'win32') await rm(config.socketPath, { force: true })
  const socket: Listening = await listen(fetch, { path: reached.value })

  return ok({
    fetch,
    handle: (route, call) => server.handle(token, route, call),
    token,
    openWorkspace,
    async close() {
      await socket.close()
      for (const opening of clients.values()) {
        const opened = await opening
        if (opened.ok) await opened.value.client.close()
      }
      await server.close()
      await engines.text.close()
      await engines.hostile.close()
      await stores.value.close()
      ownership.release()
    },
  })
}

interface OpenRequest {
  readonly dir: string
  readonly allowLarge?: boolean
}

/** What a later process of this machine asks of the owner: only with the owner's own token. */
async function answerLocally<Asked>(
  request: Request,
  token: string,
  work: (asked: Asked) => Promise<Result<unknown>>,
): Promise<Response> {
  if (request.headers.get('authorization') !== `Bearer ${token}`)
    return refuse(401, fail('DENIED', 'A token is needed.'))
  if (request.method !== 'POST') return refuse(404, fail('NOT_FOUND', 'POST what you ask here.'))
  const asked: unknown = await request.json().catch(() => undefined)
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked))
    return refuse(400, fail('INVALID_ARGUMENT', 'The body must be one JSON object.'))
  return Response.json(await work(asked as Asked))
}

function refuse(status: number, { failure }: { readonly failure: Failure }): Response {
  const { code: errorCode, kind, message, errors } = failure
  return Response.json({ success: false, errorCode, kind, message, errors }, { status })
}

export function realFolder(dir: string): Result<string> {
  try {
    const root = realpathSync(dir)
    if (statSync(root).isDirectory()) return ok(root)
    return fail('INVALID_ARGUMENT', `"${dir}" is a file. Name the folder to work on.`)
  } catch {
    return fail('NOT_FOUND', `There is no folder "${dir}".`)
  }
}
