import {
  fail,
  type GivenBody,
  ok,
  type Result,
  type SessionId,
  type TokenId,
} from '@filewright/protocol'
import type { ActiveFile } from '@filewright/tools'
import type { Runs } from '../../runs/runs.ts'
import type { Sessions } from '../../session/sessions.ts'
import { checkPictures, type SentPicturesParts } from '../../sources/sent-pictures.ts'
import { decider, type OwnWork, refuseYesToAll } from '../own-work.ts'
import type { Quotas } from '../quotas.ts'
import type { RouteRequest, Routes } from '../route.ts'
import { holds, type Scope } from '../scope.ts'
import type { Within } from './within.ts'

export interface SessionRouteParts extends SentPicturesParts {
  readonly sessions: Sessions
  readonly runs: Runs
  readonly ownWork: OwnWork
  readonly quotas: Quotas
}

type SessionRoutes = Pick<
  Routes,
  | 'listSessions'
  | 'createSession'
  | 'getSession'
  | 'updateSession'
  | 'deleteSession'
  | 'sendMessage'
  | 'cancel'
  | 'resume'
  | 'rewind'
  | 'listQueue'
  | 'takeBack'
  | 'clear'
  | 'listActiveFiles'
  | 'addActiveFile'
  | 'removeActiveFile'
>

/** Sessions, their runs, and the files that are active in them. */
export function createSessionRoutes(
  { sessions, runs, ownWork, quotas, blobs, readable }: SessionRouteParts,
  within: Within,
): SessionRoutes {
  const filesOf = ({ params }: Pick<RouteRequest<'listActiveFiles'>, 'params'>) =>
    sessions.activeFiles(params.workspaceId, params.sessionId)

  /** A run that the token may start, within its bounds; one that is under way has them already. */
  async function inRun<Body extends GivenBody<'resume'>, Value>(
    scope: Scope,
    sessionId: SessionId,
    body: Body,
    begin: (given: Body & { readonly tokenId?: TokenId }) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    const refused =
      refuseYesToAll(scope, body.approve) ??
      (body.approve === 'all' ? await ownWork.refusePolicy(scope, sessionId) : undefined)
    if (refused) return refused
    await ownWork.begin(scope, sessionId)
    if (scope.isOwner) return begin(body)
    if (runs.isUnderWay(sessionId)) return (await quotas.refuseMore(scope)) ?? begin(body)
    return quotas.start({ scope, sessionId, budget: body.budget }, budget =>
      begin({ ...body, budget, tokenId: scope.tokenId }),
    )
  }

  /** With its log the proof of what others did in it goes. */
  async function refuseDelete(scope: Scope, sessionId: SessionId) {
    const isOwn = (await sessions.createdBy(sessionId)) === scope.tokenId
    if (isOwn || holds(scope, 'admin')) return undefined
    return fail(
      'DENIED',
      `The session was not deleted: another token made it. The token "${scope.name}" may put it away; to delete it takes the right to admin.`,
    )
  }

  /** Whatever comes into a session is noted before. */
  const noted =
    <
      Asked extends { readonly params: { readonly sessionId: SessionId }; readonly scope: Scope },
      Answer,
    >(
      handle: (request: Asked) => Promise<Answer>,
    ) =>
    async (request: Asked) => {
      await ownWork.begin(request.scope, request.params.sessionId)
      return handle(request)
    }

  return {
    listSessions: within.workspace(async ({ params }) =>
      ok({ sessions: await sessions.list(params.workspaceId) }),
    ),
    createSession: within.workspace(async ({ params, body, scope }) =>
      ok(
        await sessions.create(params.workspaceId, {
          ...body,
          ...(!scope.isOwner && { createdBy: scope.tokenId }),
        }),
      ),
    ),
    getSession: within.session(async ({ params: { workspaceId, sessionId } }) => {
      const session = await sessions.find(workspaceId, sessionId)
      const isOver = session.ok && session.value.state === 'idle'
      const stopped = isOver ? await runs.stoppedBy(sessionId) : undefined
      return session.ok && stopped ? ok({ ...session.value, stopped }) : session
    }),
    updateSession: within.session(({ params, body }) =>
      sessions.update(params.workspaceId, params.sessionId, body),
    ),
    async deleteSession({ params: { workspaceId, sessionId }, query, scope }) {
      const found = await sessions.find(workspaceId, sessionId)
      const refused = found.ok ? await refuseDelete(scope, sessionId) : found
      if (refused) return refused
      if (runs.isUnderWay(sessionId))
        return fail(
          'CONFLICT',
          'The session was not deleted: its run is under way. Cancel it first.',
        )
      const discard = query.discard === 'true'
      const by = decider(scope, undefined)
      const removed = await sessions.remove(workspaceId, sessionId, { discard, by })
      if (removed.ok) runs.forget(sessionId)
      return removed
    },

    sendMessage: within.session(async ({ params, body, scope }) => {
      const { workspaceId, sessionId } = params
      const checked = await checkPictures({ blobs, readable }, workspaceId, body.images)
      if (!checked.ok) return checked
      return inRun(scope, sessionId, body, given => runs.send(sessionId, given))
    }),
    cancel: within.session(({ params, body, scope }) =>
      runs.cancel(params.sessionId, decider(scope, body.by)),
    ),
    resume: within.session(({ params, body, scope }) =>
      inRun(scope, params.sessionId, body, given => runs.resume(params.sessionId, given)),
    ),
    rewind: within.session(
      noted(({ params, body, scope }) =>
        runs.rewind(params.sessionId, { ...body, by: decider(scope, body.by) }),
      ),
    ),
    listQueue: within.session(async ({ params }) =>
      ok({ messages: await runs.queued(params.sessionId) }),
    ),
    takeBack: within.session(
      noted(({ params }) => runs.takeBack(params.sessionId, params.messageId)),
    ),
    clear: within.session(({ params }) => runs.clear(params.sessionId)),

    listActiveFiles: within.session(async request =>
      ok({ files: (await filesOf(request).list()).map(toActive) }),
    ),
    addActiveFile: within.session(
      noted(async request => {
        const { path, buffer } = request.body
        const add = () => filesOf(request).add(path, { buffer, similar: true })
        const bytes = buffer === undefined ? undefined : Buffer.from(buffer)
        const added = bytes ? await quotas.storeWhole(request.scope, bytes, add) : await add()
        return added.ok ? ok(toActive(added.value)) : added
      }),
    ),
    removeActiveFile: within.session(
      noted(async request => filesOf(request).remove(request.query.path)),
    ),
  }
}

/** An entry as `workspace_list_active_files` has it. */
function toActive(file: ActiveFile) {
  return { ...file, isActive: true as const }
}
