import { isAbsolute } from 'node:path'
import type { McpServer, SessionInfo } from '@agentclientprotocol/sdk'
import { realFolder } from '@filewright/host'
import { fail, type LogRow, rowsInView } from '@filewright/protocol'
import { type AttachedEditor, sendUpdate } from '../editor/editor.ts'
import { type SessionFolder, toRelative } from '../editor/folder.ts'
import type { Mode, OpenSession } from '../editor/open-session.ts'
import { createProjection } from '../show/projection.ts'
import { toOutsideConfigs } from './mcp-servers.ts'
import { cancelPrompt } from './prompt.ts'
import { Refused, unwrap } from './refused.ts'

export interface SessionPreset {
  readonly mode?: Mode
  readonly model?: string
  readonly allowLarge?: boolean
}

export interface FolderGiven {
  readonly cwd: string
  readonly additionalDirectories?: readonly string[]
  readonly mcpServers?: readonly McpServer[]
}

/** The sessions that the editor has open in this process. */
export interface OpenSessions {
  find(sessionId: string): OpenSession
  /** Undefined where it is closed, or was never there. */
  findOpen(sessionId: string): OpenSession | undefined
  begin(given: FolderGiven): Promise<OpenSession>
  /** An earlier one, of any face of ours. */
  open(sessionId: string, given: FolderGiven): Promise<OpenSession>
  list(cwd: string | undefined): Promise<SessionInfo[]>
  close(sessionId: string): Promise<void>
  delete(sessionId: string): Promise<void>
  /** The editor is gone: sessions without a prompt are not kept. */
  end(): Promise<void>
}

export function createSessions(editor: AttachedEditor, preset: SessionPreset): OpenSessions {
  const { connection } = editor
  const open = new Map<string, OpenSession>()

  async function openFolder({
    cwd,
    additionalDirectories = [],
  }: FolderGiven): Promise<SessionFolder> {
    if (!isAbsolute(cwd)) return refuse(`"${cwd}" is not an absolute path.`)
    const { allowLarge } = preset
    const { workspaceId, root } = unwrap(await connection.openWorkspace(cwd, { allowLarge }))
    const folder = { connection, params: { workspaceId }, root }
    const outside = additionalDirectories.filter(
      path => path !== root && path !== cwd && toRelative(folder, path) === undefined,
    )
    if (outside.length > 0)
      return refuse(
        `A session works on one folder and what is below it, and ${outside.join(', ')} is not in ${root}. Open a folder that holds both.`,
      )
    return folder
  }

  function keep(sessionId: string, folder: SessionFolder, isBegun: boolean): OpenSession {
    const session: OpenSession = {
      sessionId,
      folder,
      followed: new Map(),
      mode: preset.mode ?? 'workshop',
      model: preset.model,
      effort: undefined,
      isBegun,
    }
    open.set(sessionId, session)
    return session
  }

  async function close(sessionId: string): Promise<void> {
    const session = open.get(sessionId)
    if (!session) return
    open.delete(sessionId)
    if (session.turn) await cancelPrompt(session)
    const params = { ...session.folder.params, sessionId }
    if (!session.isBegun) await connection.call('deleteSession', { params })
  }

  async function workspaceOf(sessionId: string): Promise<string | undefined> {
    const { workspaces } = unwrap(await connection.call('listWorkspaces'))
    for (const { workspaceId } of workspaces) {
      const params = { workspaceId, sessionId }
      if ((await connection.call('getSession', { params })).ok) return workspaceId
    }
    return undefined
  }

  return {
    find(sessionId) {
      return open.get(sessionId) ?? refuse(`There is no open session "${sessionId}".`, 'NOT_FOUND')
    },
    findOpen: sessionId => open.get(sessionId),
    async begin(given) {
      const folder = await openFolder(given)
      const servers = unwrap(toOutsideConfigs(given.mcpServers))
      const created = await connection.call('createSession', { params: folder.params, body: {} })
      const { sessionId } = unwrap(created)
      await connection.useOutside(sessionId, servers)
      return keep(sessionId, folder, false)
    },
    async open(sessionId, given) {
      const servers = unwrap(toOutsideConfigs(given.mcpServers))
      const known = open.get(sessionId)
      const folder = known?.folder ?? (await openFolder(given))
      const params = { ...folder.params, sessionId }
      if (!known) unwrap(await connection.call('getSession', { params }))
      await connection.useOutside(sessionId, servers)
      return known ?? keep(sessionId, folder, true)
    },
    async list(cwd) {
      const { workspaces } = unwrap(await connection.call('listWorkspaces'))
      const found = cwd === undefined ? undefined : realFolder(cwd)
      const root = found?.ok ? found.value : cwd
      const wanted = workspaces.filter(
        ({ place }) => place !== undefined && (root === undefined || place === root),
      )
      const listed = await Promise.all(
        wanted.map(async ({ workspaceId, place }) => {
          const found = await connection.call('listSessions', { params: { workspaceId } })
          if (!found.ok) return []
          return found.value.sessions
            .filter(({ kind, title }) => kind === 'work' && title !== '')
            .map(({ sessionId, title, updated }) => {
              return { sessionId, cwd: place!, title, updatedAt: updated }
            })
        }),
      )
      return listed.flat().sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    },
    close,
    async delete(sessionId) {
      const workspaceId =
        open.get(sessionId)?.folder.params.workspaceId ?? (await workspaceOf(sessionId))
      await close(sessionId)
      if (workspaceId === undefined) return
      const deleted = await connection.call('deleteSession', { params: { workspaceId, sessionId } })
      if (!deleted.ok && deleted.failure.kind !== 'missing') throw new Refused(deleted.failure)
    },
    async end() {
      await Promise.all([...open.keys()].map(id => close(id).catch(() => {}))) // nobody is left to tell
    },
  }
}

const PAGE = 1000

/** The conversation so far, as the editor shows it. */
export async function replay(
  editor: AttachedEditor,
  { folder, sessionId }: OpenSession,
): Promise<void> {
  const { session } = editor.capabilities
  const projection = createProjection({
    folder,
    isReplay: true,
    shows: { notices: false, compaction: !!session?.compaction },
  })
  const rows: LogRow[] = []
  for (;;) {
    const page = await folder.connection.call('log', {
      params: { ...folder.params, sessionId },
      query: { after: rows.at(-1)?.seq ?? 0, limit: PAGE },
    })
    const { rows: more, last } = unwrap(page)
    rows.push(...more)
    if (more.length === 0 || rows.at(-1)!.seq >= last) break
  }
  for (const row of rowsInView(rows))
    for (const update of await projection.take({ type: 'row', cursor: row.seq, row }))
      await sendUpdate(editor, sessionId, update)
}

function refuse(
  message: string,
  code: 'INVALID_ARGUMENT' | 'NOT_FOUND' = 'INVALID_ARGUMENT',
): never {
  const refused = fail(code, message)
  throw new Refused((refused as Extract<typeof refused, { ok: false }>).failure)
}
