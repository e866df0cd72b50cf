import { fail, ok, type Result } from '@filewright/protocol'
import type { ClientLink } from '../../link/client-link.ts'
import type { Hosting } from '../../sources/hosting.ts'
import type { KnownWorkspace } from '../../sources/workspaces.ts'
import type { RouteRequest, Routes } from '../route.ts'
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
  /** For the owner's token alone. */
  const owned =
    <Asked extends Pick<RouteRequest<'createWorkspace'>, 'scope'>, Value>(
      act: (request: Asked) => Promise<Result<Value>>,
    ) =>
    async (request: Asked): Promise<Result<Value>> =>
      request.scope.kind === 'owner'
        ? act(request)
        : fail('DENIED', 'Only the owner of this server makes, renames and deletes workspaces.')

  const summarise = (workspace: KnownWorkspace) => ({
    ...workspace,
    isAttached: workspace.isHosted === true || link.isAttached(workspace.workspaceId),
  })

  return {
    createWorkspace: owned(async ({ body }: RouteRequest<'createWorkspace'>) => {
      if (!hosting) return desk ? desk.openFolder(undefined) : notHere()
      const { workspaceId, name } = await hosting.create(body.name)
      return ok({ workspaceId, name })
    }),
    renameWorkspace: owned(async ({ params, body }: RouteRequest<'renameWorkspace'>) => {
      const renamed = hosting ? await hosting.rename(params.workspaceId, body.name) : notHere()
      return renamed.ok ? ok(summarise(renamed.value)) : renamed
    }),
    deleteWorkspace: owned(async ({ params }: RouteRequest<'deleteWorkspace'>) =>
      hosting ? hosting.remove(params.workspaceId) : notHere(),
    ),
  }
}

function notHere(): Result<never> {
  return fail(
    'INVALID_ARGUMENT',
    'This server has no shared store (FILEWRIGHT_DATABASE and FILEWRIGHT_BLOBS), so its workspaces are folders. Make, rename or delete the folder itself.',
  )
}
