import type { SessionId, WorkspaceId } from '@filewright/protocol'

/**
 * Tools of MCP servers outside, for runs. An implementation starts processes and talks to addresses that only a person
 * named, on this machine; whatever a server says is bounded and cleaned before it comes here.
 */
export interface OutsideTools {
  /**
   * What a session may use now. It takes no longer than a server's time to start, and never fails: what is missing is in
   * `troubles`. None for a workspace whose folder is on another machine.
   */
  open(place: OutsidePlace): Promise<OutsideSession>
  /** The run of the session has stopped: its servers stay for the next message, for a while. */
  rest(sessionId: SessionId): void
  /** The session was deleted. */
  forget(sessionId: SessionId): void
}

export interface OutsidePlace {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
}

export interface OutsideSession {
  readonly tools: readonly OutsideTool[]
  /** One sentence for each server or tool that is missing. */
  readonly troubles: readonly string[]
  /** Calls a tool by its offered name, once. An aborted call tells its server to stop. */
  call(name: string, given: unknown, signal: AbortSignal): Promise<OutsideEnd>
  /** The person saw how the tool is defined now, and said yes to a call. */
  noteSeen(name: string): void
}

export interface OutsideTool {
  /** `NAME__tool`, valid for every provider. */
  readonly name: string
  readonly server: string
  /** What its server calls it, in visible characters. */
  readonly title: string
  /** Its server's words, bounded. */
  readonly description: string
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The hash of its definition and of the way to its server: what a rule is about. */
  readonly sha256: string
  /** Whether it is defined as it was when a person added its server, or first used it. */
  readonly standing: 'known' | 'new' | 'changed'
}

/** How a call ended, as far as anybody knows. */
export type OutsideEnd =
  /** `text` is bounded and in visible characters; `isError`: the server says that it failed. */
  | { readonly type: 'answered'; readonly text: string; readonly isError: boolean }
  /** The server was gone before the call was sent; `why` ends a sentence. */
  | { readonly type: 'not-sent'; readonly why: string }
  /** It was sent, and no answer will come. */
  | { readonly type: 'lost'; readonly why: string }

/** No server, or none yet. */
export const NOTHING_OUTSIDE: OutsideSession = {
  tools: [],
  troubles: [],
  call: async () => ({ type: 'not-sent', why: 'no MCP server runs' }),
  noteSeen: () => {},
}

/** Without MCP servers. */
export const NO_OUTSIDE: OutsideTools = {
  open: async () => NOTHING_OUTSIDE,
  rest: () => {},
  forget: () => {},
}
