import { fail, ok, type Result } from '@filewright/protocol'
import type { ClientLink } from '../../link/client-link.ts'
import type { Hosting } from '../../sources/hosting.ts'
import type { KnownWorkspace } from '../../sources/workspaces.ts'
import type { Routes } from '../route.ts'
import type { OwnerDesk } from './owner-routes.ts'

export interface HostedRouteParts {
  /** Absent: nothing is shared with other instances. */
  readonly hosting?: Hosting
  readonly desk?: OwnerDesk
  readonly link: ClientLink
}

type HostedRoutes = Pick<Routes, 'createWorkspace' | 'renameWorkspace' | 'deleteWorkspace'>

/** Workspaces that a person with a browser alone makes: in the shared store, else in the state folder. */
export function createHostedRoutes({ hosting, desk, link }: HostedRouteParts): HostedRoutes {
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
    deleteWorkspace: async ({ params }) =>
      hosting ? hosting.remove(params.workspaceId) : notHere(),
  }
}

function notHere(): Result<never> {
  return fail(
    'INVALID_ARGUMENT',
    'This server has no shared store (FILEWRIGHT_DATABASE and FILEWRIGHT_BLOBS), so its workspaces are folders. Make, rename or delete the folder itself.',
  )
}
