import { fail, ok } from '@filewright/protocol'
import { catalog, toCatalogJson } from '@filewright/tools'
import type { ClientLink } from '../../link/client-link.ts'
import { hostedIdOf, type KnownWorkspace, type Workspaces } from '../../sources/workspaces.ts'
import { toOpenApi } from '../openapi.ts'
import type { Routes } from '../route.ts'
import { reaches } from '../scope.ts'
import type { OwnerDesk } from './owner-routes.ts'

export interface WorkspaceRouteParts {
  readonly version: string
  readonly workspaces: Workspaces
  readonly link: ClientLink
  readonly desk?: Pick<OwnerDesk, 'opensFolders'>
}

type WorkspaceRoutes = Pick<
  Routes,
  'health' | 'openapi' | 'tools' | 'listWorkspaces' | 'attachWorkspace' | 'getWorkspace'
>

/** The server itself, and the workspaces it knows. */
export function createWorkspaceRoutes({
  version,
  workspaces,
  link,
  desk,
}: WorkspaceRouteParts): WorkspaceRoutes {
  const summarise = (workspace: KnownWorkspace) => ({
    ...workspace,
    isAttached: workspace.isHosted === true || link.isAttached(workspace.workspaceId),
  })

  return {
    health: async () => ok({ status: 'ok', version }),
    openapi: async () => ok(toOpenApi(version)),
    tools: async () => ok(toCatalogJson(catalog)),

    async listWorkspaces({ scope }) {
      const all = await workspaces.list()
      const own = all.filter(({ workspaceId }) => reaches(scope, workspaceId))
      return ok({ workspaces: own.map(summarise), opensFolders: desk?.opensFolders ?? false })
    },
    async attachWorkspace({ scope, body: { key, ...named } }) {
      if (scope.workspaces === 'all') {
        const hostedId = hostedIdOf(key)
        return hostedId === undefined
          ? ok(await workspaces.attach(key, named))
          : workspaces.find(hostedId)
      }
      const [own, ...others] = scope.workspaces
      if (own && others.length === 0) return workspaces.find(own)
      return fail(
        'DENIED',
        `The folder was not attached: the token "${scope.name}" reaches several workspaces, so none of them is meant. Attach with a token for one workspace, or for all.`,
      )
    },
    async getWorkspace({ params }) {
      const found = await workspaces.find(params.workspaceId)
      return found.ok ? ok(summarise(found.value)) : found
    },
  }
}
