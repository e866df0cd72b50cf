import { randomBytes } from 'node:crypto'
import { firstUseNotice, type LoopLimits, type Model } from '@filewright/loop'
import {
  type AttachDirectly,
  type CallIds,
  createIdSource,
  type DirectAttachment,
  fail,
  type IdSource,
  ok,
  type Result,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ServerContext, Sources as SourceReader } from '@filewright/tools'
import { type ClientLink, createClientLink } from './calls/client-link.ts'
import { toolResults } from './calls/tool-results.ts'
import { createToolRouter } from './calls/tool-router.ts'
import { type App, createApp } from './http/app.ts'
import { createRoutes } from './http/routes/routes.ts'
import { serveStatic } from './http/static-files.ts'
import { createTokens, type Tokens } from './http/tokens.ts'
import { createPatchFates } from './patches/patch-fates.ts'
import { createRuns } from './session/runs.ts'
import { wasSent } from './session/sent-files.ts'
import { createSessions } from './session/sessions.ts'
import { createActiveFiles } from './sources/active-files.ts'
import { createArrivals } from './sources/arrivals.ts'
import { createSourceReader } from './sources/source-reader.ts'
import { createSourceTexts } from './sources/source-texts.ts'
import { createWorkspaces } from './sources/workspaces.ts'
import type { Settings } from './store/settings.ts'
import type { Stores } from './stores/stores.ts'
import type { Logger } from './words/logger.ts'
import { createRandomHex, createRisingHex } from './words/random-hex.ts'

export interface ServerOptions {
  readonly stores: Stores
  readonly logger: Logger
  readonly version: string
  /** Speaks for everything on this server. */
  readonly ownerToken: string
  readonly resolveModel: (name: string | undefined) => Promise<Result<Model>>
  /** Host names this server answers for, besides loopback. */
  readonly hosts?: readonly string[]
  /** The built web app. */
  readonly webRoot?: string
  readonly autoResume?: boolean
  /** Of runs; the contract's where not given. */
  readonly limits?: Partial<LoopLimits>
  readonly now?: () => Date
}

export interface Server {
  /** Without a socket: embedded mode is the same server. */
  fetch(request: Request): Promise<Response>
  /** A route without HTTP around it, for who shares the process. */
  readonly handle: App['handle']
  /** A client that shares the process: asked and answered by function calls. */
  attach(
    token: string,
    ...given: Parameters<AttachDirectly>
  ): Promise<Result<DirectAttachment, 'DENIED' | 'NOT_FOUND'>>
  readonly tokens: Tokens
  close(): Promise<void>
}

/** Names by which this machine is reached from itself. */
export const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', 'filewright.local']

export async function createServer(options: ServerOptions): Promise<Server> {
  const { stores, logger, version } = options
  const { blobs, sources, log, patches, settings } = stores
  const now = options.now ?? (() => new Date())
  const randomHex = createRandomHex()
  const ids: IdSource = createIdSource(randomHex, createRisingHex(randomHex))
  const workspaces = createWorkspaces(settings, ids, now)
  const link = createClientLink()
  const arrivals = createArrivals(settings, sources)
  const fates = createPatchFates(patches, sources)
  const tokens = createTokens(settings, options.ownerToken)
  await stores.releaseDead()

  const texts = createSourceTexts()
  const readers = new Map<WorkspaceId, SourceReader>()
  const readerOf = (workspaceId: WorkspaceId) => {
    let reader = readers.get(workspaceId)
    if (!reader) {
      reader = createSourceReader({ workspaceId, sources, blobs, arrivals, link, texts })
      readers.set(workspaceId, reader)
    }
    return reader
  }
  const activeFilesOf = (workspaceId: WorkspaceId, sessionId: SessionId) =>
    createActiveFiles({
      workspaceId,
      sessionId,
      settings,
      blobs,
      sources,
      reader: readerOf(workspaceId),
      wasSent: file => wasSent(log, sessionId, file),
    })

  const router = createToolRouter({
    link,
    logger,
    ids,
    contextFor: ({ ids: callIds, workspaceId }) => ({
      call: toPlaced(callIds, workspaceId),
      activeFiles: activeFilesOf(workspaceId, callIds.sessionId),
      sources: readerOf(workspaceId),
      textOf: texts.textOf,
      patches: {
        store: async batch =>
          (
            await patches.store({
              ...batch,
              workspaceId,
              sessionId: callIds.sessionId,
              toolCallId: callIds.toolCallId,
            })
          ).batch,
        find: id => patches.find(workspaceId, id as never),
      },
      results: toolResults(log, blobs, callIds.sessionId),
      ids,
      log: (event, fields) =>
        logger.event(event, {
          SessionId: callIds.sessionId,
          ConversationId: callIds.conversationId,
          TurnId: callIds.turnId,
          ...fields,
        }),
    }),
  })
  const holder = `${process.pid}-${randomBytes(4).toString('hex')}`
  const sessions = createSessions({
    log,
    router,
    link,
    ids,
    logger,
    fates,
    holder,
    activeFilesOf,
  })
  const runs = createRuns({
    log,
    blobs,
    sessions,
    router,
    link,
    workspaces,
    fates,
    ids,
    logger,
    now,
    readerOf,
    resolveModel: options.resolveModel,
    firstUse: model => tellOnce(settings, model),
    autoResume: options.autoResume ?? false,
    limits: options.limits,
  })
  const attachClient: ClientLink['attach'] = (workspaceId, send, options) => {
    const detach = link.attach(workspaceId, send, options)
    sessions
      .reconcile(workspaceId)
      .then(() => runs.resumeAll(workspaceId))
      .catch(cause => logger.error('Session.ReconcileFailed', cause))
    return detach
  }
  const routes = createRoutes({
    version,
    workspaces,
    link,
    blobs,
    sources,
    arrivals,
    sessions,
    log,
    fates,
    runs,
    logger,
    attachClient,
  })
  const hosts = [...LOOPBACK, ...(options.hosts ?? [])]
  const app = createApp({
    routes,
    tokens,
    logger,
    hosts: () => hosts,
    ...(options.webRoot && { page: serveStatic(options.webRoot) }),
  })
  return {
    fetch: app.fetch,
    handle: app.handle,
    async attach(token, given, take, options) {
      const scope = await tokens.scopeOf(token)
      if (!scope) return fail('DENIED', 'This token is not known here.')
      const isForeign = scope.kind === 'workspace' && scope.workspaceId !== given
      const found = await workspaces.find(isForeign ? '' : given)
      if (!found.ok) return found
      const { workspaceId } = found.value
      return ok({
        answer: answer => link.answer(workspaceId, [answer]),
        detach: attachClient(workspaceId, take, { ...options, keepsCalls: true }),
      })
    },
    tokens,
    async close() {
      await runs.close()
      await sessions.close()
    },
  }
}

function toPlaced(
  { sessionId, conversationId, turnId, toolCallId }: CallIds,
  workspaceId: WorkspaceId,
): ServerContext['call'] {
  return { sessionId, conversationId, turnId, toolCallId, workspaceId }
}

async function tellOnce(settings: Settings, model: Model): Promise<string | undefined> {
  const notice = firstUseNotice(model)
  const key = `notice/${model.destination}`
  if (!notice || (await settings.get(key))) return undefined
  await settings.set(key, true)
  return notice
}
