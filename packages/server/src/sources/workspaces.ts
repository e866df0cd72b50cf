import { fail, type IdSource, ok, type Result, type WorkspaceId } from '@filewright/protocol'
import type { Settings } from '../store/settings.ts'

export interface KnownWorkspace {
  readonly workspaceId: WorkspaceId
  readonly name: string
  /** Where the client has it, so that a person can tell two of the same name apart. */
  readonly place?: string
  /** ISO 8601. */
  readonly created: string
}

/** The workspaces this server knows. A client names its own by a key; the same key is the same workspace. */
export interface Workspaces {
  attach(key: string, named: Pick<KnownWorkspace, 'name' | 'place'>): Promise<KnownWorkspace>
  find(workspaceId: string): Promise<Result<KnownWorkspace, 'NOT_FOUND'>>
  /** In the order in which they were first attached. */
  list(): Promise<readonly KnownWorkspace[]>
}

export function createWorkspaces(settings: Settings, ids: IdSource, now: () => Date): Workspaces {
  const PREFIX = 'workspace/'
  const list = async () =>
    (await settings.list<KnownWorkspace>(PREFIX))
      .map(({ value }) => value)
      .sort((a, b) => (a.created < b.created ? -1 : 1))
  const found = new Map<string, KnownWorkspace>() // none is ever removed
  return {
    list,
    async attach(key, { name, place }) {
      const known = await settings.get<KnownWorkspace>(PREFIX + key)
      if (known && known.name === name && (place === undefined || known.place === place))
        return known
      const named = { name, ...(place !== undefined && { place }) }
      const fresh = { workspaceId: ids('workspace'), ...named, created: now().toISOString() }
      let workspace: KnownWorkspace = fresh
      await settings.update<KnownWorkspace>(PREFIX + key, there => {
        workspace = there ? { ...there, ...named } : fresh // another may have attached it meanwhile
        return workspace
      })
      found.set(workspace.workspaceId, workspace)
      return workspace
    },
    async find(workspaceId) {
      const known =
        found.get(workspaceId) ??
        (await list()).find(workspace => workspace.workspaceId === workspaceId)
      if (!known) return fail('NOT_FOUND', `There is no workspace "${workspaceId}" on this server.`)
      found.set(workspaceId, known)
      return ok(known)
    },
  }
}
