import { ok } from '@filewright/protocol'
import { catalog, toCatalogJson } from '@filewright/tools'
import type { ClientLink } from '../../link/client-link.ts'
import { hostedIdOf, type KnownWorkspace, type Workspaces } from '../../sources/workspaces.ts'
import { toOpenApi } from '../openapi.ts'
import type { Routes } from '../route.ts'
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
      const own =
        scope.kind === 'owner'
          ? all
          : all.filter(({ workspaceId }) => workspaceId === scope.workspaceId)
      return ok({ workspaces: own.map(summarise), opensFolders: desk?.opensFolders ?? false })
    },
    async attachWorkspace({ scope, body: { key, ...named } }) {
      const hostedId = hostedIdOf(key)
      if (scope.kind === 'owner' && hostedId !== undefined) return workspaces.find(hostedId)
      if (scope.kind === 'owner') return ok(await workspaces.attach(key, named))
      return workspaces.find(scope.workspaceId)
    },
    async getWorkspace({ params }) {
      const found = await workspaces.find(params.workspaceId)
      return found.ok ? ok(summarise(found.value)) : found
    },
  }
}
