import type { CallIds, CallPolicy, WorkspaceId } from '@filewright/protocol'

/** A call on its way to the server's or the client's half of its tool. */
export interface RoutedCall {
  /** Its run goes on from the log, so stores that are away for a moment are no result: then `StoreAway` is thrown. */
  readonly isInRun?: true
  readonly ids: CallIds
  readonly workspaceId: WorkspaceId
  readonly tool: string
  /** An object, or the JSON text that a model sent. */
  readonly arguments: unknown
  readonly policy: CallPolicy
  readonly author: string
  /** Resolves when the call's row is durable; the call has no effect before. Absent where the row may come later. */
  readonly begun?: Promise<void>
  /** As in the call's row, for a client that keeps the call in case the log loses it. */
  readonly loggedArguments?: string
}
