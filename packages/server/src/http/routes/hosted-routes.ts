import { fail, ok, type Result } from '@filewright/protocol'
import type { ClientLink } from '../../link/client-link.ts'
import type { SessionLog } from '../../log/log.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Hosting } from '../../sources/hosting.ts'
import type { KnownWorkspace } from '../../sources/workspaces.ts'
import type { Routes } from '../route.ts'
import type { OwnerDesk } from './owner-routes.ts'
import type { WorkspaceEvents } from './workspace-events.ts'

export interface HostedRouteParts {
  /** Absent: nothing is shared with other instances. */
  readonly hosting?: Hosting
  readonly desk?: OwnerDesk
  readonly link: ClientLink
  readonly log: SessionLog
  readonly runs: Runs
}

type HostedRoutes = Pick<Routes, 'createWorkspace' | 'renameWorkspace' | 'deleteWorkspace'>

/** Workspaces that a person with a browser alone makes: in the shared store, else in the state folder. */
export function createHostedRoutes(
  { hosting, desk, link, log, runs }: HostedRouteParts,
  viewers: WorkspaceEvents,
): HostedRoutes {
  const summarise = (workspace: KnownWorkspace) => ({
    ...workspace,
    isAttached: workspace.isHosted === true || link.isAttached(workspace.workspaceId),
  })

  return {
    async createWorkspace({ scope, body }) {
      if (hosting) {
        const { workspaceId, name } = await hosting.create(body.name)
        return ok({ workspaceId, name })
      }
      if (!desk) return notHere()
      return scope.isOwner
        ? desk.openFolder(undefined)
        : fail(
            'DENIED',
            `Not with the token "${scope.name}": without a shared store a new workspace is a folder of this machine, which only the token of the server itself makes. Nothing was done.`,
          )
    },
    async renameWorkspace({ params, body }) {
      const renamed = hosting ? await hosting.rename(params.workspaceId, body.name) : notHere()
      return renamed.ok ? ok(summarise(renamed.value)) : renamed
    },
    async deleteWorkspace({ params: { workspaceId } }) {
      if (!hosting) return notHere()
      const sessions = await log.listSessions({ workspaceId })
      const removed = await hosting.remove(workspaceId)
      if (!removed.ok) return removed
      for (const { sessionId } of sessions) runs.forget(sessionId)
      viewers.end(workspaceId)
      return removed
    },
  }
}

function notHere(): Result<never> {
  return fail(
    'INVALID_ARGUMENT',
    'This server has no shared store (FILEWRIGHT_DATABASE and FILEWRIGHT_BLOBS), so its workspaces are folders. Make, rename or delete the folder itself.',
  )
}
