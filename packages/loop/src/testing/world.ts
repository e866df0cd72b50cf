import { createHash } from 'node:crypto'
import {
  type ConversationId,
  createIdSource,
  type Effect,
  type JournalLine,
  type LogRow,
  type Pending,
  type SessionId,
  type ToolCallId,
  type ToolOutcome,
} from '@filewright/protocol'
import type { Arrival, LoopPort, OfferedTool, ToolCall } from '../port/loop-port.ts'
import type { Model } from '../port/model.ts'
import type { PromptFiles, PromptInput } from '../port/prompt-input.ts'
import { startRun } from '../steps/start-run.ts'
import { createClock, type TestClock } from './clock.ts'

/** What outlives a process: the log, the inbox, what tools did, and the blobs. */
export interface World {
  readonly rows: LogRow[]
  readonly inbox: Arrival[]
  /** One entry per effect that took place, in order. */
  readonly effects: string[]
  readonly outcomes: Map<string, ToolOutcome>
  readonly approvals: Map<string, 'open' | 'approved' | 'denied'>
  readonly results: Map<string, string>
  readonly deltas: string[]
  readonly clock: TestClock
  readonly ids: LoopPort['ids']
  active: PromptFiles
}

export function createWorld(): World {
  let count = 0
  const clock = createClock()
  return {
    rows: [],
    inbox: [],
    effects: [],
    outcomes: new Map(),
    approvals: new Map(),
    results: new Map(),
    deltas: [],
    clock,
    ids: createIdSource(digits => (++count).toString(16).padStart(digits, '0')),
    active: { files: [] },
  }
}

export interface TestTool {
  readonly readOnly?: boolean
  /** Asks a person first. */
  readonly asks?: boolean
  /** A run of its own answers it. */
  readonly delegates?: true
  run(
    args: Record<string, unknown>,
    tools: { world: World; signal: AbortSignal },
  ): Promise<TestAnswer> | TestAnswer
}

export interface TestAnswer {
  readonly text: string
  readonly code?: string
  readonly effects?: readonly Effect[]
}

export interface ProcessOptions {
  readonly model: Model
  readonly tools?: Readonly<Record<string, TestTool>>
  readonly input?: PromptInput
  /** The process dies with this append: before its rows are kept, or after. */
  readonly dies?: { readonly at: number; readonly kept: boolean }
}

export class Died extends Error {}

const SESSION = 'ses_0000000000000001' as SessionId
const CONVERSATION = 'con_0000000000000001' as ConversationId

/** One process on a world. When it dies, nothing that it began goes on. */
export function createProcess(
  world: World,
  options: ProcessOptions,
): LoopPort & { appends: number } {
  const tools = options.tools ?? {}
  let isAlive = true
  let lastDurable = world.rows.length
  const listeners = new Set<(what: 'cancel' | 'other') => void>()
  const offered = offer(tools)

  const alive = <Value>(value: Value): Promise<Value> =>
    isAlive ? Promise.resolve(value) : new Promise(() => {})

  const perform = async (
    call: ToolCall,
    signal: AbortSignal,
    begun: Promise<void> | undefined,
  ): Promise<ToolOutcome> => {
    const known = world.outcomes.get(call.id)
    if (known) return known
    const tool = tools[call.name]
    const args = JSON.parse(call.arguments) as Record<string, unknown>
    const answer = tool
      ? await tool.run(args, { world, signal })
      : {
          text: `UNKNOWN_TOOL: the tools are ${Object.keys(tools).join(', ')}`,
          code: 'UNKNOWN_TOOL',
        }
    if (signal.aborted) return outcomeOf(call, { text: 'CANCELLED', code: 'CANCELLED' })
    const outcome = outcomeOf(call, answer)
    if (!tool?.readOnly) await begun
    if (!isAlive) return new Promise(() => {})
    if (!tool?.readOnly && !answer.code) {
      world.effects.push(`${call.name} ${call.arguments}`)
      world.outcomes.set(call.id, outcome)
    }
    return outcome
  }

  const port: LoopPort & { appends: number } = {
    appends: 0,
    model: options.model,
    tools: offered,
    helperTools: offered.filter(({ readOnly, delegates }) => readOnly && !delegates),
    ids: world.ids,
    inbox: {
      read: () => alive([...world.inbox]),
      onArrival: listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    rows: after => alive(world.rows.filter(row => row.seq > after)),
    append: (lines, consumed = []) => {
      if (!isAlive) throw new Died()
      port.appends++
      const isLast = options.dies?.at === port.appends
      if (isLast && !options.dies?.kept) die()
      const rows = lines.map((body, index) => toRow(body, world.rows.length + index + 1, world))
      world.rows.push(...rows)
      for (const id of consumed)
        world.inbox.splice(
          world.inbox.findIndex(item => item.id === id),
          1,
        )
      const upTo = world.rows.length
      if (isLast) {
        lastDurable = upTo
        die()
      }
      const durable = new Promise<void>(resolve =>
        setImmediate(() => {
          if (!isAlive) return
          lastDurable = Math.max(lastDurable, upTo)
          resolve()
        }),
      )
      return { rows, durable }
    },
    callTool: async (call, signal, begun) => {
      if (tools[call.name]?.asks && !world.approvals.has(call.id)) {
        world.approvals.set(call.id, 'open')
        return alive(toPending(call.id))
      }
      if (world.approvals.get(call.id) === 'denied')
        return alive(outcomeOf(call, { text: 'DENIED: the person said no', code: 'DENIED' }))
      return alive(await perform(call, signal, begun))
    },
    reconcile: async call => {
      const outcome = world.outcomes.get(call.id)
      if (outcome) return alive({ type: 'result', outcome })
      if (world.approvals.get(call.id) === 'open')
        return alive({ type: 'pending', pending: toPending(call.id) })
      return alive({ type: 'unknown' })
    },
    abandon: async call => {
      world.approvals.delete(call.id)
      return alive(world.outcomes.get(call.id))
    },
    keepResult: async (id, text) => {
      world.results.set(id, text)
      return alive({ sha256: sha256(text), sizeBytes: Buffer.byteLength(text) })
    },
    promptInput: () => alive(options.input ?? EMPTY_INPUT),
    activeFiles: () => world.active,
    image: () => alive(undefined),
    emitDelta: (_turnId, text) => {
      world.deltas.push(text)
    },
    now: world.clock.now,
    sleep: world.clock.sleep,
    sha256,
    report: cause => {
      throw cause
    },
    random: () => 0,
  }

  /** Rows that were not on the disk yet are gone with a loss of power. */
  function die(): never {
    isAlive = false
    world.rows.length = lastDurable
    throw new Died()
  }

  arrivals.set(port, what => {
    for (const listener of listeners) listener(what)
  })
  return port
}

const arrivals = new WeakMap<LoopPort, (what: 'cancel' | 'other') => void>()

/** Puts something into the inbox, and wakes the process. */
export function send(world: World, port: LoopPort | undefined, line: JournalLine): void {
  world.inbox.push({ id: `item-${world.ids('message')}`, line })
  if (port) arrivals.get(port)?.(line.type === 'cancel' ? 'cancel' : 'other')
}

export function ask(
  world: World,
  text: string,
  tools: Readonly<Record<string, TestTool>> = {},
  limits?: Readonly<Record<string, number>>,
): void {
  const reads = Object.keys(tools).filter(name => tools[name]?.readOnly)
  const run = {
    on: { text },
    model: 'test/model',
    toolset: 'workshop',
    reads,
    limits,
  }
  append(world, ...startRun(run, world.ids).lines)
}

/** Rows that another part of the product writes. */
export function append(world: World, ...lines: readonly JournalLine[]): void {
  for (const line of lines) world.rows.push(toRow(line, world.rows.length + 1, world))
}

export function linesOf<Type extends JournalLine['type']>(
  world: World,
  type: Type,
): Extract<JournalLine, { type: Type }>[] {
  return world.rows.flatMap(row =>
    row.body.type === type ? [row.body as Extract<JournalLine, { type: Type }>] : [],
  )
}

export function offer(tools: Readonly<Record<string, TestTool>>): readonly OfferedTool[] {
  return Object.entries(tools).map(([name, tool]) => ({
    name,
    description: `Does ${name}.`,
    guidance: `Use ${name} for ${name}.`,
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    readOnly: tool.readOnly === true,
    label: () => `Doing ${name}`,
    ...(tool.delegates && { delegates: true as const }),
  }))
}

export const EMPTY_INPUT: PromptInput = {
  workspace: { name: 'test', snapshot: { entries: [] } },
  manifest: { version: '0', files: [] },
  pathsUsed: [],
  houseRules: [],
  openApprovals: [],
  session: { toolset: 'workshop', date: '2026-11-02', mode: 'direct' },
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function outcomeOf(call: ToolCall, { text, code, effects }: TestAnswer): ToolOutcome {
  return {
    envelope: {
      success: code === undefined,
      errorCode: code ?? null,
      message: text,
      errors: code ? [text] : [],
      warnings: [],
      sessionId: SESSION,
      conversationId: CONVERSATION,
      turnId: call.turnId,
      toolCallId: call.id,
    },
    text,
    effects,
  }
}

function toPending(toolCallId: ToolCallId): Pending {
  return { pending: true, approvalId: `apr_${toolCallId}`, toolCallId, message: 'waits' }
}

function toRow(body: JournalLine, seq: number, world: World): LogRow {
  const time = new Date(world.clock.now()).toISOString()
  return { sessionId: SESSION, conversationId: CONVERSATION, seq, type: body.type, time, body }
}
