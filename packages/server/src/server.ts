import { createHash, randomBytes } from 'node:crypto'
import { firstUseNotice, type LoopLimits, type Model } from '@filewright/loop'
import {
  type AttachDirectly,
  createIdSource,
  type DirectAttachment,
  type IdSource,
  ok,
  type Result,
  type WorkspaceId,
} from '@filewright/protocol'
import { joinInstances } from './among-instances.ts'
import { createToolContexts } from './calls/tool-context.ts'
import { createToolRouter } from './calls/tool-router.ts'
import { type App, createApp, type Mount, type OnAnswer } from './http/app.ts'
import { createOwnWork, WORKED } from './http/own-work.ts'
import { createQuotas } from './http/quotas.ts'
import { createRates } from './http/rates.ts'
import type { OwnerDesk } from './http/routes/owner-routes.ts'
import { createRoutes } from './http/routes/routes.ts'
import { holds, lacks, reaches } from './http/scope.ts'
import { serveStatic } from './http/static-files.ts'
import { createTokens, type Tokens } from './http/tokens.ts'
import { createWayHome } from './http/way-home.ts'
import { type ClientLink, createClientLink } from './link/client-link.ts'
import { NO_OUTSIDE, type OutsideTools } from './outside/outside-tools.ts'
import { createPatchFates } from './patches/patch-fates.ts'
import { createCalls } from './record/calls.ts'
import type { Spend } from './runs/loop-port.ts'
import { createRuns } from './runs/runs.ts'
import { wasSent } from './runs/sent-files.ts'
import { createRankedSearch } from './search/ranked-search.ts'
import type { ChunkEngine } from './search/workspace-index.ts'
import { createActors } from './session/actors.ts'
import { createInboxes } from './session/inboxes.ts'
import { createSessions } from './session/sessions.ts'
import { createActiveFiles, createUnsaved } from './sources/active-files.ts'
import { createArrivals } from './sources/arrivals.ts'
import { createHosting, type HostedClients } from './sources/hosting.ts'
import { createReadableBytes } from './sources/readable-bytes.ts'
import { createSourceReaders } from './sources/source-reader.ts'
import { createSourceTexts, type TextEngine } from './sources/source-texts.ts'
import { createWorkspaces, type Workspaces } from './sources/workspaces.ts'
import type { Settings } from './store/settings.ts'
import type { Stores } from './stores/stores.ts'
import type { Logger } from './words/logger.ts'
import { createRandomHex, createRisingHex } from './words/random-hex.ts'

export interface ServerOptions {
  readonly stores: Stores
  readonly logger: Logger
  readonly version: string
  /** Grants access to everything on this server. */
  readonly ownerToken: string
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** Works on long texts; without one the server does that itself, and nothing stops it. */
  readonly textEngine?: TextEngine
  /** Splits files for ranked search; without one they are split by lines. */
  readonly chunkEngine?: ChunkEngine
  /** Host names this server answers to, besides loopback. */
  readonly hosts?: readonly string[]
  /** The built web app. */
  readonly webRoot?: string
  /** Models and folders of the process that owns the state. */
  readonly desk?: OwnerDesk
  /** Where the stores are shared: runs the clients of workspaces whose files are in them. */
  readonly hostedClients?: HostedClients
  /** Routes that faces add next to the API. */
  readonly mounts?: readonly Mount[]
  readonly autoResume?: boolean
  /** Tools of MCP servers, for runs; without it there are none. */
  readonly outside?: OutsideTools
  /** What the person wants in every folder; asked for each run. */
  readonly personalRules?: () => Promise<string | undefined>
  /** Of runs; by default the contract's. */
  readonly limits?: Partial<LoopLimits>
  readonly now?: () => Date
  /** Told of each answer of a route. */
  readonly onAnswer?: OnAnswer
}

export interface Server {
  /** Needs no socket: embedded mode uses the same server. */
  fetch(request: Request): Promise<Response>
  /** Calls a route without HTTP, from the same process. */
  readonly handle: App['handle']
  /** Attaches a client in the same process; questions and answers are function calls. */
  attach(
    token: string,
    ...given: Parameters<AttachDirectly>
  ): Promise<Result<DirectAttachment, 'DENIED' | 'NOT_FOUND'>>
  readonly tokens: Tokens
  /** Where other instances reach this one, if any use the same stores. */
  announce(url: string): Promise<void>
  /** Whether requests should come here: its stores can be reached, and it is not about to end. */
  isReady(): boolean
  /** Says that it is not ready, serves for that time, then gives every session back and ends every stream. */
  leave(drainMs?: number): Promise<void>
  close(): Promise<void>
}

/** Its client may need some tries to find an instance that is up. */
const AMONG_INSTANCES = { repeatMs: 2_000, graceMs: 15_000 }

/** Names by which this machine reaches itself. */
export const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', 'filewright.local']

export async function createServer(options: ServerOptions): Promise<Server> {
  const { stores, logger } = options
  const { blobs, sources, log, patches, settings } = stores
  const now = options.now ?? (() => new Date())
  const randomHex = createRandomHex()
  const ids: IdSource = createIdSource(randomHex, createRisingHex(randomHex))
  const workspaces = createWorkspaces(settings, ids, now)
  const link = createClientLink(stores.homes && AMONG_INSTANCES)
  const arrivals = createArrivals(settings, sources)
  const fates = createPatchFates(patches, sources)
  const tokens = createTokens({
    ids,
    now,
    access: stores.access,
    ownerToken: options.ownerToken,
    isSingleUser: stores.homes === undefined,
    onError: cause => logger.error('Token.UseNotKept', cause),
  })
  const quotas = createQuotas({ access: stores.access, log, now })
  await stores.releaseDead()

  const texts = createSourceTexts(options.textEngine)
  const readerOf = createSourceReaders({ sources, blobs, arrivals, link, texts })
  const readable = createReadableBytes({ arrivals, sources, blobs, link })
  const activeFilesOf = createActiveFiles({
    mayRead: readable.mayRead,
    settings,
    blobs,
    sources,
    readerOf,
    wasSent: (sessionId, file) => wasSent(log, sessionId, file),
  })

  const unsavedOf = createUnsaved(settings, activeFilesOf)
  const parts = { log, blobs, sources, patches, link, arrivals, fates, ids, logger, workspaces }
  const rootOf = async (workspaceId: WorkspaceId) => {
    const found = await workspaces.find(workspaceId)
    return found.ok ? found.value.place : undefined
  }
  const searchOf = createRankedSearch({
    index: stores.searchIndex,
    readerOf,
    engine: options.chunkEngine,
    onError: cause => logger.error('Search.IndexFailed', cause),
  })
  const places = { readerOf, activeFilesOf, texts, rootOf, searchOf }
  const router = createToolRouter({
    link,
    logger,
    unsavedOf,
    rootOf,
    contextFor: createToolContexts({ ...parts, ...places }),
  })
  const holder = `${process.pid}-${randomBytes(4).toString('hex')}`
  const actors = createActors({ ...parts, holder })
  const inboxes = createInboxes({ ...parts, actors })
  const sessions = createSessions({ ...parts, settings, actors, activeFilesOf })
  const questionKey = createHash('sha256').update(`questions ${options.ownerToken}`).digest()
  const asking = { ...parts, actors, inboxes, router, settings, unsavedOf, questionKey }
  const calls = createCalls(asking)
  const runs = createRuns({
    ...parts,
    actors,
    inboxes,
    sessions,
    recorder: calls.recorder,
    outside: options.outside ?? NO_OUTSIDE,
    router,
    texts,
    readerOf,
    personalRules: options.personalRules ?? (async () => undefined),
    now,
    resolveModel: options.resolveModel,
    firstUse: model => noticeOnce(settings, model),
    autoResume: options.autoResume ?? false,
    limits: options.limits,
    hasOthers: async sessionId => (await settings.list(`${WORKED}${sessionId}/`)).length > 0,
    spend: (tokenId, usage, sessionId) =>
      void spend(tokenId, usage, sessionId).catch(cause =>
        logger.error('Token.UseNotKept', cause, { tokenId }),
      ),
  })

  /** Runs at one time share a month, so each of them ends when it is used up. */
  async function spend(...[tokenId, usage, sessionId]: Parameters<Spend>): Promise<void> {
    const usedUp = await quotas.spend(tokenId, usage)
    if (usedUp && runs.isUnderWay(sessionId))
      await runs.cancel(sessionId, `the monthly bound of the token "${usedUp.name}"`)
  }

  const { homes, hosted } = stores
  const clients = options.hostedClients ?? NO_CLIENTS
  const hosting = hosted && createHosting({ hosted, workspaces, clients, ids })
  const leaving = new AbortController()
  const instances = joinInstances({ ...parts, homes, calls, runs, actors })
  const { attachClient } = instances
  let isDraining = false
  const isReady = () => !isDraining && (homes?.isUp() ?? true)

  async function leave(drainMs = 0) {
    isDraining = true
    if (drainMs > 0) await new Promise(resolve => setTimeout(resolve, drainMs))
    instances.close()
    leaving.abort()
    await Promise.all([runs.close(), homes?.retire()])
    await actors.close()
  }

  const { version } = options
  const app = createApp({
    routes: createRoutes({
      ...parts,
      version,
      actors,
      sessions,
      unsavedOf,
      calls,
      runs,
      attachClient,
      tokens,
      quotas,
      now,
      decisions: stores.decisions,
      ownWork: createOwnWork(settings),
      readable,
      leaving: leaving.signal,
      hosting,
      desk: options.desk,
    }),
    tokens,
    rates: createRates(now),
    logger,
    hosts: [...LOOPBACK, ...(options.hosts ?? [])],
    mounts: options.mounts,
    isReady,
    onAnswer: options.onAnswer,
    ...(homes && { forward: createWayHome(homes, hosting ?? NO_CLIENTS) }),
    ...(options.webRoot && { page: serveStatic(options.webRoot) }),
  })
  return {
    fetch: app.fetch,
    handle: app.handle,
    attach: createAttach({ tokens, workspaces, link, attachClient }),
    tokens,
    announce: async url => homes?.announce(url),
    isReady,
    leave,
    async close() {
      if (!leaving.signal.aborted) await leave()
    },
  }
}

/** For a process that runs none. */
const NO_CLIENTS: HostedClients = { open: async () => undefined, close: async () => {} }

interface AttachParts {
  readonly tokens: Tokens
  readonly workspaces: Workspaces
  readonly link: ClientLink
  readonly attachClient: ClientLink['attach']
}

function createAttach({ tokens, workspaces, link, attachClient }: AttachParts): Server['attach'] {
  return async (token, given, take, options) => {
    const asker = await tokens.scopeOf(token)
    if (!asker.ok) return asker
    const found = await workspaces.find(reaches(asker.value, given) ? given : '')
    if (!found.ok) return found
    if (!holds(asker.value, 'admin')) return lacks(asker.value, 'admin')
    const { workspaceId } = found.value
    return ok({
      answer: link.answering(workspaceId),
      detach: attachClient(workspaceId, take, { ...options, keepsCalls: true }),
    })
  }
}

async function noticeOnce(settings: Settings, model: Model): Promise<string | undefined> {
  const notice = firstUseNotice(model)
  const key = `notice/${model.destination}`
  if (!notice || (await settings.get(key))) return undefined
  await settings.set(key, true)
  return notice
}
