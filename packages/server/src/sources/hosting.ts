import { fail, type IdSource, ok, type Result, type WorkspaceId } from '@filewright/protocol'
import type { Hosted } from '../store/hosted.ts'
import { hostedKey, type KnownWorkspace, type Workspaces } from './workspaces.ts'

/** Runs the clients of hosted workspaces in this process. */
export interface HostedClients {
  /** Undefined: there is no such workspace. False: another instance that is up is its home. */
  open(workspaceId: WorkspaceId): Promise<boolean | undefined>
  close(workspaceId: WorkspaceId): Promise<void>
}

/** Workspaces that are made and removed here, and opened when they are asked for. */
export interface Hosting {
  create(name: string | undefined): Promise<KnownWorkspace>
  rename(workspaceId: WorkspaceId, name: string): Promise<Result<KnownWorkspace>>
  remove(workspaceId: WorkspaceId): Promise<Result<null>>
  open: HostedClients['open']
}

export interface HostingParts {
  readonly hosted: Hosted
  readonly workspaces: Workspaces
  readonly clients: HostedClients
  readonly ids: IdSource
}

export function createHosting({ hosted, workspaces, clients, ids }: HostingParts): Hosting {
  async function find(workspaceId: WorkspaceId): Promise<Result<KnownWorkspace>> {
    const found = await workspaces.find(workspaceId)
    if (!found.ok || found.value.isHosted) return found
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was changed: the files of "${found.value.name}" are in a folder of the machine that attached it. Rename or remove the folder there.`,
    )
  }

  return {
    open: clients.open,
    async create(name = 'New workspace') {
      const workspaceId = ids('workspace') as WorkspaceId
      await hosted.add({ workspaceId, key: hostedKey(workspaceId), name })
      await workspaces.addHosted({ workspaceId, name })
      const made = await workspaces.find(workspaceId)
      if (!made.ok) throw new Error(`The workspace ${workspaceId} is gone as soon as it was made`)
      return made.value
    },
    async rename(workspaceId, name) {
      const found = await find(workspaceId)
      if (!found.ok) return found
      await hosted.rename(workspaceId, name)
      await workspaces.rename(workspaceId, name)
      return ok({ ...found.value, name })
    },
    async remove(workspaceId) {
      const found = await find(workspaceId)
      if (!found.ok) return found
      await workspaces.removeHosted(workspaceId) // nobody opens it again
      await clients.close(workspaceId)
      await hosted.remove(workspaceId)
      return ok(null)
    },
  }
}
