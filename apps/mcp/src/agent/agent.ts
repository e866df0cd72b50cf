import type { Caller } from '@filewright/host'
import type { Toolset } from '@filewright/protocol'
import type { Turns } from './turns.ts'

/** Who says yes to what writes files, or drops work. Only the person's configuration sets it. */
export type AgentPolicy = 'ask' | 'auto' | 'never'

/** The agent of another product, at work in one workspace with one token. */
export interface Agent {
  readonly connection: Caller
  readonly params: { readonly workspaceId: string }
  readonly toolset: Toolset
  readonly policy: AgentPolicy
  /** Where the page shows a person what waits; undefined where no page can be shown. */
  reviewLink(): Promise<string | undefined>
  /** The option that names the folder, for a command that a person types; empty where it has none. */
  readonly inFolder: string
  /** The session of calls that name no draft: one for each workspace and token. */
  session(): Promise<string>
  /** Keeps the order in which calls came. */
  readonly turns: Turns
  /** Sessions of results that were shortened elsewhere than in the standing one, by call. */
  readonly shortened: Map<string, string>
  /** Calls that wait for a person, by what was asked: the same call asks for their end. */
  readonly waiting: Map<string, WaitingCall>
  /** Of this process alone: the codes that its forms ask for derive from it. */
  readonly formKey: Uint8Array
}

export interface WaitingCall {
  readonly sessionId: string
  readonly toolCallId: string
}
