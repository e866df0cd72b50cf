import type { z } from 'zod'
import type { Effect } from '../log/journal.ts'
import type { Result } from '../words/result.ts'
import type { CallIds, Envelope } from './envelope.ts'
import type { Proposer } from './proposal.ts'
import type { Forwarded, ToolCode, ToolDeclaration, ToolInput, ToolResult } from './tool.ts'

export type ServerHandler<T extends ToolDeclaration, Context> = (
  input: ToolInput<T>,
  context: Context,
) => Promise<ToolResult<T>>

/** Checks and stores on the server; its value is what the client receives. */
export type Preflight<T extends ToolDeclaration, Context> = (
  input: ToolInput<T>,
  context: Context,
) => Promise<Result<Forwarded<T>, ToolCode<T>>>

export type ClientHandler<T extends ToolDeclaration, Context> = (
  input: Forwarded<T>,
  context: Context,
) => Promise<ToolResult<T>>

/** Which handlers a declaration needs, so that a missing one or one on the wrong side does not compile. */
export type HandlersFor<T extends ToolDeclaration, Server, Client> = T extends {
  executionLocation: 'server'
}
  ? { server: ServerHandler<T, Server>; client?: never; preflight?: never }
  : { client: ClientSide<T, Client>; server?: never } & (T extends { forwards: z.ZodType }
      ? { preflight: Preflight<T, Server> }
      : { preflight?: never })

/** A tool that writes the workspace only proposes; the runner asks, applies and lets it finish. */
export type ClientSide<T extends ToolDeclaration, Client> = T extends { writes: 'workspace' }
  ? Proposer<T, Client>
  : ClientHandler<T, Client>

export interface BoundTool<T extends ToolDeclaration, Server, Client> {
  readonly declaration: T
  readonly handlers: HandlersFor<T, Server, Client>
  readonly hooks?: ToolHooks<T>
}

/** Any tool, for the router and the runner that look it up by name. */
export interface AnyTool<Server, Client> {
  readonly declaration: ToolDeclaration
  readonly handlers: {
    readonly server?: ServerHandler<ToolDeclaration, Server>
    readonly preflight?: Preflight<ToolDeclaration, Server>
    readonly client?: ClientHandler<ToolDeclaration, Client> | Proposer<ToolDeclaration, Client>
  }
  readonly hooks?: ToolHooks<ToolDeclaration>
}

/**
 * How a tool differs from others besides its handlers: the code that runs calls asks the tool and never compares its
 * name.
 */
export interface ToolHooks<T extends ToolDeclaration> {
  /** Log entries that its specification requires at the stations of a call. */
  readonly events?: CallEvents<T>
  /** The files that a client wrote and did not name. `told` holds the fields it answered, unchecked. */
  toEffects?(input: Forwarded<T>, told: Readonly<Record<string, unknown>>): readonly Effect[]
}

export interface CallEvents<T extends ToolDeclaration> {
  /** The server hands the call to the client. */
  forwarded?(call: EventCall<T>): LoggedEvent
  /** The client ended it. */
  executed?(call: EventCall<T>, envelope: Envelope): LoggedEvent
  /** The server has the client's result. */
  received?(envelope: Envelope): LoggedEvent
}

export interface EventCall<T extends ToolDeclaration> {
  readonly ids: CallIds
  readonly input: Forwarded<T>
}

export interface LoggedEvent {
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}
