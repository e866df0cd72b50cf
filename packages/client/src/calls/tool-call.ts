import { hash } from 'node:crypto'
import {
  type Answer,
  type CallIds,
  type CallPolicy,
  type CallState,
  type Circumstances,
  type IdSource,
  type Proposer,
  type Result,
  type serialise,
  type ToolDeclaration,
  toCallState,
  type UnsavedText,
} from '@filewright/protocol'
import type { ClientContext, Tool } from '@filewright/tools'
import type { DraftStore } from '../draft/draft-store.ts'
import type { Desk } from '../draft/draft-view.ts'
import type { FileLister } from '../files/file-lister.ts'
import type { Gate } from '../gate/gate.ts'
import type { Publisher } from '../publish/publisher.ts'

/** One call as the client runs it. */
export interface CallParams {
  readonly ids: CallIds
  readonly tool: string
  readonly input: unknown
  /** The input was checked in this same process. */
  readonly isChecked?: boolean
  /** The arguments as the server's log has them, where the draft keeps the call for it. */
  readonly logged?: string
  readonly policy: CallPolicy
  readonly author: string
  /** Warnings of the preflight, carried into the envelope. */
  readonly warnings?: readonly string[]
  readonly unsaved?: readonly UnsavedText[]
  /** Resolves when the server can no longer forget the call: it has no effect before. */
  readonly begun?: Promise<void>
}

export interface RunnerPorts {
  readonly desk: Desk
  readonly lister: FileLister
  readonly drafts: DraftStore
  readonly gate: Gate
  readonly ids: IdSource
  readonly now: () => Date
  /** Queues the writes of a session and a person's actions on its draft. */
  readonly oneAtATime: ReturnType<typeof serialise>
  readonly publisher: Publisher
  /** Bytes that only the store has. */
  readonly fetchBase: (sha256: string) => Promise<Uint8Array | undefined>
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
  /** How far a long call has come. */
  readonly onProgress: (ids: CallIds, text: string) => void
  readonly onError: (cause: unknown) => void
}

/** False when the server could not keep the call: then nobody will ask for its outcome. */
export async function hasBegun({ begun }: CallParams): Promise<boolean> {
  return begun === undefined || begun.then(() => true).catch(() => false)
}

/** Inputs for replaying a call's operations. */
export function circumstancesOf(
  { author, ids: { toolCallId } }: CallParams,
  now: Date,
): Circumstances {
  const seed = hash('sha256', toolCallId).slice(0, 8)
  return { time: now.toISOString(), author, seed: Number.parseInt(seed, 16) }
}

/** The envelope of a call that writes, and the log line its specification requires. */
export function toEnded(
  log: RunnerPorts['log'],
  tool: Tool,
  { ids, input, warnings }: CallParams,
  result: Result<Answer<Record<string, unknown>>>,
): CallState {
  const state = toState(asOwnCode(tool, input, result), { ids, warnings })
  const executed = tool.hooks?.events?.executed
  if (executed && 'outcome' in state) {
    const { event, fields } = executed({ ids, input: input as never }, state.outcome.envelope)
    log(event, fields)
  }
  return state
}

/** A failure under the code that the tool's callers know it by. */
function asOwnCode<Value>(tool: Tool, input: unknown, result: Result<Value>): Result<Value> {
  if (result.ok) return result
  const own = proposerOf(tool)?.toOwnCode?.(result.failure, input as never)
  if (own === undefined) return result
  const { kind } = result.failure
  const usual = tool.declaration.failures[own] ?? kind
  const failure = { ...result.failure, code: own, kind: kind === 'denied' ? kind : usual }
  return { ok: false, failure }
}

/** The client half of a tool that writes the workspace. */
export function proposerOf(tool: Tool): Proposer<ToolDeclaration, ClientContext> | undefined {
  const { client } = tool.handlers
  return typeof client === 'object' ? client : undefined
}

export function refuse(ids: CallIds, result: Result<never>): CallState {
  return toState(result, { ids })
}

export function toState(
  result: Result<Answer<Record<string, unknown>>>,
  { ids, warnings }: { ids: CallIds; warnings?: readonly string[] },
): CallState {
  return toCallState(result, ids, warnings)
}
