import { EXIT_CODES } from '@filewright/protocol'
import { Exit, unwrapOrExit } from '../exit/exit.ts'
import type { Caller } from '../link/caller.ts'
import { type OpenedWorkspace, realFolder } from '../owner/folders.ts'
import { findOwnFolders } from '../owner/own-folders.ts'
import type { Config } from '../settings/config.ts'
import type { Connection } from './connection.ts'

/** A workspace, and a way to ask about it: what the route of a face has too. */
export interface WorkspaceCaller {
  readonly connection: Caller
  readonly params: { readonly workspaceId: string }
}

/** One command's work on one folder. */
export interface Work extends WorkspaceCaller {
  readonly config: Config
  readonly connection: Connection
  readonly workspace: OpenedWorkspace
}

export interface FolderOptions {
  /** -C */
  readonly cwd?: string
  readonly allowLarge?: boolean
}

/** A folder that was deleted under us has no name. */
export function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new Exit(EXIT_CODES.missing, 'the current folder is gone; name one with -C')
  }
}

/** Checked before the state is created, so that a refused folder does not end up with our state among its files. */
export function refuseStateInside(dir: string, config: Config): void {
  unwrapOrExit(findOwnFolders(unwrapOrExit(realFolder(dir)), config))
}

/** The session that `call` keeps, one a workspace. */
export async function standingSession({ connection, params }: WorkspaceCaller): Promise<string> {
  const session = await connection.call('createSession', {
    params,
    body: { standing: true },
  })
  return unwrapOrExit(session).sessionId
}

/** For a session made for one run: if the run does not begin, its empty session is deleted. */
export async function dropUnlessBegun<Value>(
  { connection, params }: WorkspaceCaller,
  sessionId: string,
  run: (begun: () => void) => Promise<Value>,
): Promise<Value> {
  let isBegun = false
  try {
    return await run(() => {
      isBegun = true
    })
  } catch (error) {
    if (!isBegun)
      await connection.call('deleteSession', { params: { ...params, sessionId } }).catch(() => {}) // the error says why it did not begin
    throw error
  }
}
