import type { WorkspaceId } from '@filewright/protocol'

/**
 * Where the client of each workspace is attached, when several instances serve the same stores. Whatever concerns a
 * workspace is done there, and the other instances pass it on; where its client is nowhere, any instance does it.
 */
export interface Homes {
  /** The address at which the other instances reach this one. Until it is known nobody passes anything on to it. */
  announce(url: string): Promise<void>
  /** The client of the workspace is attached here, whoever had it before. */
  settle(workspaceId: WorkspaceId): Promise<void>
  /** It left. Has no effect once it is attached elsewhere. */
  leave(workspaceId: WorkspaceId): Promise<void>
  /** The address of another instance where the client is. An instance that says nothing for seconds is gone. */
  elsewhere(workspaceId: WorkspaceId): Promise<string | undefined>
  /** Whether the other instances know that this one is up: what it said lately reached the database. */
  isUp(): boolean
  /** Ends: nobody passes anything on to it any more. */
  retire(): Promise<void>
}
