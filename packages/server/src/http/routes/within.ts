import {
  type ClientMethod,
  type ClientMethods,
  fail,
  type Result,
  type SessionId,
  type WorkspaceId,
} from '@filewright/protocol'
import type { ClientLink } from '../../link/client-link.ts'
import type { Actors } from '../../session/actors.ts'
import type { Workspaces } from '../../sources/workspaces.ts'
import type { Scope } from '../scope.ts'

export interface InWorkspace {
  readonly params: { readonly workspaceId: WorkspaceId }
}

export interface InSession {
  readonly params: { readonly workspaceId: WorkspaceId; readonly sessionId: SessionId }
}

type RouteStep<Asked, Answer> = (request: Asked) => Promise<Answer>

/** Checks that what a handler needs exists. */
export interface Within {
  /** A workspace that was attached at least once. */
  workspace<Asked extends InWorkspace, Answer>(
    handle: RouteStep<Asked, Answer>,
  ): RouteStep<Asked, Answer | Missing>
  /** The same for whoever offers its folder. Files in the store are offered by this server alone. */
  folder<Asked extends InWorkspace & { readonly scope: Scope }, Answer>(
    handle: RouteStep<Asked, Answer>,
  ): RouteStep<Asked, Answer | Result<never>>
  /** A session that belongs to the workspace in the address. */
  session<Asked extends InSession, Answer>(
    handle: RouteStep<Asked, Answer>,
  ): RouteStep<Asked, Answer | Missing>
  /** The same with its current log, waiting rows included. */
  log<Asked extends InSession, Answer>(
    handle: RouteStep<Asked, Answer>,
  ): RouteStep<Asked, Answer | Missing>
  /** Asks the attached client and passes on its answer; a workspace that was never attached is missing, not away. */
  ask<Asked extends InWorkspace, Method extends ClientMethod>(
    method: Method,
    toParams: (request: Asked) => ClientMethods[Method]['params'],
  ): RouteStep<Asked, Result<ClientMethods[Method]['value']>>
}

type Missing = Result<never, 'NOT_FOUND'>

export interface WithinParts {
  readonly workspaces: Workspaces
  readonly actors: Actors
  readonly link: ClientLink
}

const ASK_MS = 10 * 60_000

export function createWithin({ workspaces, actors, link }: WithinParts): Within {
  const session: Within['session'] = handle => async request => {
    const { workspaceId, sessionId } = request.params
    const found = await actors.find(workspaceId, sessionId)
    return found.ok ? handle(request) : found
  }
  return {
    workspace: handle => async request => {
      const found = await workspaces.find(request.params.workspaceId)
      return found.ok ? handle(request) : found
    },
    folder: handle => async request => {
      const found = await workspaces.find(request.params.workspaceId)
      if (!found.ok) return found
      if (found.value.isHosted && !request.scope.isOwner)
        return fail(
          'DENIED',
          'The files of this workspace are in the store of this server: no folder is attached to it.',
        )
      return handle(request)
    },
    session,
    log: handle =>
      session(async request => {
        const opened = await actors.open(request.params.sessionId)
        if (opened.ok) await opened.value.flush()
        return handle(request)
      }),
    ask: (method, toParams) => async request => {
      const found = await workspaces.find(request.params.workspaceId)
      if (!found.ok) return found
      return link.ask(found.value.workspaceId, method, toParams(request), { timeoutMs: ASK_MS })
    },
  }
}
