import { fail, type IdSource, ok, type Result, type WorkspaceId } from '@filewright/protocol'
import type { Settings } from '../store/settings.ts'

export interface KnownWorkspace {
  readonly workspaceId: WorkspaceId
  readonly name: string
  /** Where the client has it, so that a person can tell two of the same name apart. */
  readonly place?: string
  /** ISO 8601. */
  readonly created: string
  /** Its files are in the store, and any instance can be its home. */
  readonly isHosted?: true
}

/** The workspaces this server knows. A client names its own by a key; the same key is the same workspace. */
export interface Workspaces {
  attach(key: string, named: Pick<KnownWorkspace, 'name' | 'place'>): Promise<KnownWorkspace>
  /** One that is hosted; its key follows from its id. */
  addHosted(hosted: Pick<KnownWorkspace, 'workspaceId' | 'name'>): Promise<void>
  /** Of a hosted one. */
  rename(workspaceId: WorkspaceId, name: string): Promise<void>
  removeHosted(workspaceId: WorkspaceId): Promise<void>
  find(workspaceId: string): Promise<Result<KnownWorkspace, 'NOT_FOUND'>>
  /** In the order in which they were first attached. */
  list(): Promise<readonly KnownWorkspace[]>
}

const HOSTED = 'hosted-'

/** By which the client of a hosted workspace attaches. */
export function hostedKey(workspaceId: string): string {
  return HOSTED + workspaceId
}

/** Undefined for the key of any other workspace. */
export function hostedIdOf(key: string): string | undefined {
  return key.startsWith(HOSTED) ? key.slice(HOSTED.length) : undefined
}

export function createWorkspaces(settings: Settings, ids: IdSource, now: () => Date): Workspaces {
  const PREFIX = 'workspace/'
  const list = async () =>
    (await settings.list<KnownWorkspace>(PREFIX))
      .map(({ value }) => value)
      .sort((a, b) => (a.created < b.created ? -1 : 1))
  const found = new Map<string, KnownWorkspace>() // none of these is ever removed
  const findHosted = (id: string) => settings.get<KnownWorkspace>(PREFIX + hostedKey(id))
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
    async addHosted({ workspaceId, name }) {
      const created = now().toISOString()
      const workspace: KnownWorkspace = { workspaceId, name, created, isHosted: true }
      await settings.set(PREFIX + hostedKey(workspaceId), workspace)
    },
    async rename(workspaceId, name) {
      const known = await findHosted(workspaceId)
      if (known) await settings.set(PREFIX + hostedKey(workspaceId), { ...known, name })
    },
    removeHosted: workspaceId => settings.delete(PREFIX + hostedKey(workspaceId)),
    async find(workspaceId) {
      const held = found.get(workspaceId)
      if (held) return ok(held)
      const hosted = await findHosted(workspaceId) // another instance may rename or remove it
      if (hosted) return ok(hosted)
      const known = (await list()).find(workspace => workspace.workspaceId === workspaceId)
      if (!known) return fail('NOT_FOUND', `There is no workspace "${workspaceId}" on this server.`)
      found.set(workspaceId, known)
      return ok(known)
    },
  }
}
