import {
  type ApprovalPolicy,
  type ClientMethod,
  type ClientMethods,
  type Decision,
  fail,
  type headsBody,
  type LinkAnswer,
  type LinkEvent,
  ok,
  parseDocPath,
  type Result,
  type RouteName,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import { type ActiveFile, catalog, toCatalogJson } from '@filewright/tools'
import type { z } from 'zod'
import type { ClientLink } from '../calls/client-link.ts'
import type { SessionLog } from '../log/log.ts'
import type { PatchFates } from '../patches/patch-fates.ts'
import {
  type DraftNote,
  noteDiscarded,
  notePublished,
  noteTakenBack,
} from '../session/draft-note.ts'
import { openEventStream } from '../session/event-stream.ts'
import type { Runs } from '../session/runs.ts'
import type { Sessions } from '../session/sessions.ts'
import { findTurn } from '../session/turns.ts'
import type { Arrivals } from '../sources/arrivals.ts'
import type { Workspaces } from '../sources/workspaces.ts'
import type { Blobs } from '../store/blobs.ts'
import type { Sources } from '../store/sources.ts'
import type { Logger } from '../words/logger.ts'
import { createBlobRoutes } from './blob-routes.ts'
import { toHeadMoves } from './head-moves.ts'
import { toOpenApi } from './openapi.ts'
import type { RouteHandler, RouteRequest } from './route.ts'
import { sendWhenBegun } from './when-begun.ts'
import { createWorkspaceEvents } from './workspace-events.ts'

/** An EventSource that comes back asks its first address again and tells in a header how far it had come. */
function cursorOf(after = 0, { headers }: Request): number {
  const last = headers.get('last-event-id') ?? ''
  return /^\d{1,15}$/.test(last) ? Math.max(after, Number(last)) : after
}

/** An entry as `workspace_list_active_files` has it. */
function asActive(file: ActiveFile) {
  return { ...file, isActive: true }
}

/** What the routes work with. */
export interface RouteParts {
  readonly version: string
  readonly workspaces: Workspaces
  readonly link: ClientLink
  readonly blobs: Blobs
  readonly sources: Sources
  readonly arrivals: Arrivals
  readonly sessions: Sessions
  readonly log: SessionLog
  readonly fates: PatchFates
  readonly runs: Runs
  readonly logger: Logger
  /** Also has the workspace's open calls and runs go on. */
  readonly attachClient: ClientLink['attach']
}

export function createRoutes(parts: RouteParts): Record<RouteName, RouteHandler> {
  const { workspaces, link, sources, sessions, log, fates, logger, runs } = parts
  const workspaceOf = ({ params }: RouteRequest) => params.workspaceId as WorkspaceId
  const sessionOf = ({ params }: RouteRequest) => params.sessionId as SessionId

  const listeners = createWorkspaceEvents()

  /** Asks the attached client, and answers what it answers; a workspace nobody ever attached is missing, not away. */
  const ask =
    <Method extends ClientMethod>(
      method: Method,
      toParams: (request: RouteRequest) => ClientMethods[Method]['params'],
    ): RouteHandler =>
    async request => {
      const found = await workspaces.find(workspaceOf(request))
      if (!found.ok) return found
      return link.ask(found.value.workspaceId, method, toParams(request), {
        timeoutMs: 10 * 60_000,
      })
    }

  /** With a workspace that was attached once. */
  const inWorkspace =
    (handle: RouteHandler): RouteHandler =>
    async request => {
      const found = await workspaces.find(workspaceOf(request))
      return found.ok ? handle(request) : found
    }
  const blobRoutes = createBlobRoutes(parts)

  const closing =
    (close: RouteHandler): RouteHandler =>
    request =>
      sessions.whileClosing(workspaceOf(request), () => close(request))

  /** Tells the draft's session, whose next request to the model then says so. */
  const telling =
    <Value>(handle: RouteHandler, toNote: (value: Value) => DraftNote | undefined): RouteHandler =>
    async request => {
      const answer = await handle(request)
      const note =
        answer instanceof Response || !answer.ok ? undefined : toNote(answer.value as Value)
      if (note) await sessions.tell(workspaceOf(request), note)
      return answer
    }

  /** With a session that belongs to the workspace in the address. */
  const inSession =
    (
      handle: (request: RouteRequest, sessionId: SessionId) => Promise<Result<unknown> | Response>,
    ): RouteHandler =>
    async request => {
      const sessionId = sessionOf(request)
      const found = await sessions.belongs(workspaceOf(request), sessionId)
      return found.ok ? handle(request, sessionId) : found
    }

  /** With the log as it is now, rows that wait included. */
  const withLog = (
    handle: (request: RouteRequest, sessionId: SessionId) => Promise<Result<unknown> | Response>,
  ): RouteHandler =>
    inSession(async (request, sessionId) => {
      const opened = await sessions.actor(sessionId)
      if (opened.ok) await opened.value.flush()
      return handle(request, sessionId)
    })

  /** Behind the last row there is nothing to wait for: what comes next would be taken for known. */
  async function findEnd(sessionId: SessionId, after = 0): Promise<Result<never> | undefined> {
    if (after === 0) return undefined
    const last = await log.lastSeq(sessionId)
    if (after <= last) return undefined
    return fail(
      'INVALID_ARGUMENT',
      `Cannot go on after row ${after}: the log of ${sessionId} ends at ${last}. Go on with after=${last}, or read it from the beginning.`,
      { details: { last } },
    )
  }

  return {
    health: async () => ok({ status: 'ok', version: parts.version }),
    openapi: async () => ok(toOpenApi(parts.version)),
    tools: async () => ok(toCatalogJson(catalog)),

    async listWorkspaces({ scope }) {
      const all = await workspaces.list()
      const own =
        scope.kind === 'owner'
          ? all
          : all.filter(({ workspaceId }) => workspaceId === scope.workspaceId)
      return ok({
        workspaces: own.map(workspace => ({
          ...workspace,
          isAttached: link.isAttached(workspace.workspaceId),
        })),
      })
    },
    async attachWorkspace({ scope, body }) {
      const { key, ...named } = body as { key: string; name: string; place?: string }
      if (scope.kind === 'owner') return ok(await workspaces.attach(key, named))
      return workspaces.find(scope.workspaceId)
    },
    async getWorkspace(request) {
      const found = await workspaces.find(workspaceOf(request))
      return found.ok
        ? ok({ ...found.value, isAttached: link.isAttached(found.value.workspaceId) })
        : found
    },
    listFiles: ask('files', ({ query }) => ({ limit: 500, ...(query as { after?: string }) })),

    async link(request) {
      const found = await workspaces.find(workspaceOf(request))
      if (!found.ok) return found
      const { workspaceId } = found.value
      let detach = () => {}
      const stream = openEventStream(() => detach(), request.request.signal)
      const send = sendWhenBegun(question => stream.send(JSON.stringify(question)))
      detach = parts.attachClient(workspaceId, send)
      return stream.response
    },
    linkAnswers: inWorkspace(async request => {
      const { answers } = request.body as { answers: LinkAnswer[] }
      link.answer(workspaceOf(request), answers, { isForeign: true })
      return ok(null)
    }),
    linkEvents: inWorkspace(async request => {
      for (const event of (request.body as { events: LinkEvent[] }).events)
        if (event.type === 'log') logger.event(event.event, event.fields)
        else if (event.type === 'files-changed') listeners.tell(workspaceOf(request), event)
      return ok(null)
    }),
    async workspaceEvents(request) {
      const found = await workspaces.find(workspaceOf(request))
      return found.ok ? listeners.open(found.value.workspaceId, request.request.signal) : found
    },

    hasBlob: inWorkspace(blobRoutes.hasBlob),
    getBlob: inWorkspace(blobRoutes.getBlob),
    putBlob: inWorkspace(blobRoutes.putBlob),

    moveHeads: inWorkspace(async request => {
      const { changeSetId, heads } = request.body as z.infer<typeof headsBody>
      const moves = await toHeadMoves(heads, workspaceOf(request), parts)
      if (!moves.ok) return moves
      const origin = changeSetId
        ? ({ kind: 'change-set', changeSetId: changeSetId as never } as const)
        : ({ kind: 'upload' } as const)
      const moved = await sources.moveHeads(workspaceOf(request), moves.value, origin)
      if (moved.ok && changeSetId) await fates.noteUploaded(workspaceOf(request), changeSetId)
      return moved
    }),
    history: inWorkspace(async request => {
      const { path, before } = request.query as { path: string; before?: string }
      const docPath = parseDocPath(path)
      if (!docPath.ok) return docPath
      return ok(await sources.history(workspaceOf(request), docPath.value, { before }))
    }),

    listSessions: inWorkspace(async request =>
      ok({ sessions: await sessions.list(workspaceOf(request)) }),
    ),
    async createSession(request) {
      const found = await workspaces.find(workspaceOf(request))
      return found.ok ? ok(await sessions.create(found.value.workspaceId, request.body)) : found
    },
    getSession: inSession(async request => sessions.find(workspaceOf(request), sessionOf(request))),
    async deleteSession(request) {
      if (runs.isUnderWay(sessionOf(request)))
        return fail(
          'CONFLICT',
          'The session was not deleted: its run is under way. Cancel it first.',
        )
      const { discard } = request.query as { discard?: string }
      const removed = await sessions.remove(workspaceOf(request), sessionOf(request), {
        discard: discard === 'true',
      })
      if (removed.ok) runs.forget(sessionOf(request))
      return removed
    },

    callTool: inSession(async ({ body }, sessionId) => {
      const call = body as {
        tool: string
        arguments: unknown
        toolCallId?: string
        approve?: ApprovalPolicy
      }
      const { tool, arguments: given, toolCallId, approve = 'ask' } = call
      const state = await sessions.call(sessionId, {
        tool,
        arguments: given,
        toolCallId,
        policy: approve,
        author: 'person',
      })
      return state.ok
        ? ok('outcome' in state.value ? state.value.outcome.envelope : state.value.pending)
        : state
    }),
    getCall: inSession(async ({ params }, sessionId) => {
      const state = await sessions.callState(sessionId, params.toolCallId ?? '')
      return state.ok
        ? ok('outcome' in state.value ? state.value.outcome.envelope : state.value.pending)
        : state
    }),
    sendMessage: inSession(({ body }, sessionId) => runs.send(sessionId, body)),
    cancel: inSession(({ body }, sessionId) =>
      runs.cancel(sessionId, (body as { by?: string }).by ?? 'a person'),
    ),
    resume: inSession(({ body }, sessionId) => runs.resume(sessionId, body)),
    clear: inSession((_request, sessionId) => runs.clear(sessionId)),

    events: withLog(async ({ query, request }, sessionId) => {
      const after = cursorOf(query.after as number | undefined, request)
      return (await findEnd(sessionId, after)) ?? runs.events(sessionId, after, request.signal)
    }),
    log: withLog(async ({ query }, sessionId) => {
      const page = query as { after?: number; limit?: number }
      const beyond = await findEnd(sessionId, page.after)
      return beyond ?? ok({ rows: await log.read(sessionId, page) })
    }),

    getTurn: inSession(async ({ params }, sessionId) => findTurn(log, sessionId, params.turnId!)),

    listActiveFiles: inSession(async (request, sessionId) =>
      ok({
        files: (await sessions.activeFiles(workspaceOf(request), sessionId).list()).map(asActive),
      }),
    ),
    addActiveFile: inSession(async (request, sessionId) => {
      const { path, buffer } = request.body as { path: string; buffer?: string }
      const files = sessions.activeFiles(workspaceOf(request), sessionId)
      const added = await files.add(path, { buffer, similar: true })
      return added.ok ? ok(asActive(added.value)) : added
    }),
    removeActiveFile: inSession(async (request, sessionId) =>
      sessions.activeFiles(workspaceOf(request), sessionId).remove(request.query.path as string),
    ),

    listDrafts: ask('draft-list', ({ query }) => query),
    review: ask('draft-review', ({ query }) => query),
    publish: telling(
      closing(ask('draft-publish', ({ body }) => ({ by: 'a person', ...(body as object) }))),
      notePublished,
    ),
    discard: telling(
      closing(ask('draft-discard', ({ body }) => ({ by: 'a person', ...(body as object) }))),
      noteDiscarded,
    ),
    undo: telling(
      ask('undo', ({ body }) => body),
      noteTakenBack('undone'),
    ),
    redo: telling(
      ask('redo', ({ body }) => body),
      noteTakenBack('redone'),
    ),
    listApprovals: ask('approval-list', ({ query }) => ({ all: query.all === 'true' })),
    async decide(request) {
      const found = await workspaces.find(workspaceOf(request))
      if (!found.ok) return found
      return sessions.decide(found.value.workspaceId, request.params.approvalId ?? '', {
        ...(request.body as Decision),
        by: (request.body as Decision).by ?? 'a person',
      })
    },
    listRules: ask('rule-list', () => ({})),
    addRule: ask('rule-add', ({ body }) => ({ rule: body })),
    removeRule: ask('rule-remove', ({ params }) => ({ ruleId: params.ruleId ?? '' })),
  }
}
