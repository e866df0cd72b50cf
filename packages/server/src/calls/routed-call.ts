import type { ApprovalPolicy, CallIds, WorkspaceId } from '@filewright/protocol'

/** A call on its way to whoever runs it. */
export interface RoutedCall {
  readonly ids: CallIds
  readonly workspaceId: WorkspaceId
  readonly tool: string
  /** An object, or its JSON text as a model sent it. */
  readonly arguments: unknown
  readonly policy: ApprovalPolicy
  readonly author: string
  /** Resolves when the call's row cannot be lost: no effect before. Absent where it cannot already. */
  readonly begun?: Promise<void>
  /** As the call's row has them, where the client keeps the call for a log that may lose it. */
  readonly loggedArguments?: string
}
