import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import {
  type Client,
  type ClientOptions,
  openClientState,
  openDiskWorkspace,
  startClient,
} from '@filewright/client'
import { fail, ok, type Result } from '@filewright/protocol'
import type { Config } from '../settings/config.ts'
import { findOwnFolders } from './own-folders.ts'

export interface OpenFolderOptions {
  /** A person said yes to a home folder, a disk's root or a very large tree. */
  readonly allowLarge?: boolean
  /**
   * Asks the person at this process before the folder is offered. If it is already open, the process that lists it asks
   * instead.
   */
  readonly confirmScan?: (question: string) => Promise<void>
}

export interface OpenedWorkspace {
  readonly workspaceId: string
  readonly name: string
  readonly root: string
  readonly recovery: readonly string[]
}

/** The folders that the owner works on, each with a client of its own. */
export interface Folders {
  open(dir: string, options?: OpenFolderOptions): Promise<Result<OpenedWorkspace>>
  /** Undefined for a workspace that a client on another machine has. */
  rootOf(workspaceId: string): Promise<string | undefined>
  close(): Promise<void>
}

export interface FoldersOptions
  extends Pick<ClientOptions, 'engines' | 'fetch' | 'server' | 'token' | 'watch'> {
  readonly config: Config
  readonly onError: (error: unknown, key: string) => void
}

interface OpenFolder {
  readonly client: Client
  readonly opened: OpenedWorkspace
}

export function createFolders(folders: FoldersOptions): Folders {
  const opening = new Map<string, Promise<Result<OpenFolder>>>()

  /** A second request for a folder waits for the first one's client; a folder that failed to open can be asked for again. */
  async function openOnce(root: string, options: OpenFolderOptions): Promise<Result<OpenFolder>> {
    const key = folderKey(root)
    const begun = opening.get(key) ?? openFolder(folders, root, key, options)
    opening.set(key, begun)
    let isOpen = false
    try {
      const result = await begun
      isOpen = result.ok
      return result
    } finally {
      if (!isOpen) opening.delete(key)
    }
  }

  return {
    async open(dir, options = {}) {
      const root = realFolder(dir)
      if (!root.ok) return root
      const folder = await openOnce(root.value, options)
      if (!folder.ok) return folder
      if (options.allowLarge) folder.value.client.allowLarge() // it may have been opened without this
      const { client, opened } = folder.value
      return ok({ ...opened, recovery: [...opened.recovery, ...(await client.takeNotices())] })
    },
    async rootOf(workspaceId) {
      for (const begun of opening.values()) {
        const folder = await begun
        if (folder.ok && folder.value.opened.workspaceId === workspaceId)
          return folder.value.opened.root
      }
      return undefined
    },
    async close() {
      for (const begun of opening.values()) {
        const folder = await begun
        if (folder.ok) await folder.value.client.close()
      }
    },
  }
}

async function openFolder(
  { config, onError, ...link }: FoldersOptions,
  root: string,
  key: string,
  { allowLarge, confirmScan }: OpenFolderOptions,
): Promise<Result<OpenFolder>> {
  const own = findOwnFolders(root, config)
  if (!own.ok) return own
  const workspace = await openDiskWorkspace(root, { ownFolders: own.value })
  if (!workspace.ok) return workspace
  const name = basename(root) || root
  const client = await startClient({
    ...link,
    workspace: workspace.value,
    state: await openClientState(stateOf(config, key)),
    origin: 'http://filewright.local',
    key: config.shared ? sharedFolderKey(root) : key,
    name,
    place: root,
    allowLarge,
    confirmScan,
    onError: error => onError(error, key),
  })
  const { workspaceId, recovery } = client
  return ok({ client, opened: { workspaceId, name, root, recovery } })
}

/** Where the rules for a folder are kept on this machine. */
export function folderState(config: Pick<Config, 'stateRoot'>, root: string): string {
  return stateOf(config, folderKey(root))
}

/** The key of a folder among those of other machines, which may have one at the same path. */
export function sharedFolderKey(root: string): string {
  return folderKey(`${hostname()}:${root}`)
}

export function folderKey(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16)
}

function stateOf({ stateRoot }: Pick<Config, 'stateRoot'>, key: string): string {
  return join(stateRoot, 'workspaces', key)
}

export function realFolder(dir: string): Result<string> {
  try {
    const root = realpathSync(dir)
    if (statSync(root).isDirectory()) return ok(root)
    return fail('INVALID_ARGUMENT', `"${dir}" is a file. Name the folder to work on.`)
  } catch {
    return fail('NOT_FOUND', `There is no folder "${dir}".`)
  }
}
