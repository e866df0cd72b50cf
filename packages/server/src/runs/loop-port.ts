import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { type Arrival, type LoopPort, type Model, RUN_LEFT, RunCut } from '@filewright/loop'
import {
  type ApprovalPolicy,
  type CallIds,
  type CallPolicy,
  type CallState,
  type IdSource,
  type JournalLine,
  LIMITS,
  type SessionId,
  type TokenId,
  type Toolset,
  type TurnId,
  type Usage,
} from '@filewright/protocol'
import { findTool, type SourceReader, type TextWork } from '@filewright/tools'
import type { ToolRouter } from '../calls/tool-router.ts'
import type { ClientLink } from '../link/client-link.ts'
import type { SessionLog } from '../log/log.ts'
import type { HeldLease } from '../log/log-holder.ts'
import type { OutsideTools } from '../outside/outside-tools.ts'
import { acknowledgeOf } from '../record/call-durability.ts'
import type { CallRecorder } from '../record/call-recorder.ts'
import type { Deltas } from '../session/deltas.ts'
import type { SessionActor } from '../session/session-actor.ts'
import type { SessionActiveFiles } from '../sources/active-files.ts'
import type { Blobs } from '../store/blobs.ts'
import { StoreAway } from '../store/store-away.ts'
import type { Logger } from '../words/logger.ts'
import { createActiveFilesSource } from './active-files-source.ts'
import { createHouseRules } from './house-rules.ts'
import { netEffects } from './net-effects.ts'
import { type OfferFor, SMALL_WINDOW } from './offered-tools.ts'
import { createOutsideRun } from './outside-run.ts'
import { gatherPrompt, type PersonalRules } from './prompt-gatherer.ts'
import { REWIND } from './rewind.ts'

/** What may change from run to run. */
export interface LoopSettings {
  model: Model
  toolset: Toolset
  isPlan: boolean
  /** The person asked for the tools of small windows. */
  isLight: boolean
  policy: ApprovalPolicy
  /** Whose token the run is counted for; undefined: nobody counts. */
  tokenId?: TokenId | undefined
}

export interface LoopPortOptions {
  readonly settings: LoopSettings
  readonly actor: SessionActor
  readonly lease: HeldLease
  readonly workspaceName: string
  readonly log: SessionLog
  readonly blobs: Blobs
  readonly texts: TextWork
  readonly router: ToolRouter
  readonly link: ClientLink
  readonly recorder: CallRecorder
  readonly outside: OutsideTools
  readonly deltas: Deltas
  readonly reader: SourceReader
  readonly personalRules: PersonalRules
  readonly activeFiles: SessionActiveFiles
  readonly arrivals: Set<(what: 'cancel' | 'other') => void>
  readonly handedOut: Set<string>
  readonly takenBack: Set<string>
  readonly onTaken: (sessionId: SessionId) => void
  readonly ids: IdSource
  readonly logger: Logger
  readonly now: () => Date
  readonly spend: Spend
  readonly hasOthers: HasOthers
}

/** Another token than that of whoever gave the run its policy brought words into the session. */
export type HasOthers = (sessionId: SessionId) => Promise<boolean>

/** A run of this token was asked to pay a model. */
export type Spend = (tokenId: TokenId, usage: Usage, sessionId: SessionId) => void

const nextTurn = promisify(setImmediate)

/** One turn of the event loop commits the row, the next hands it to the disk; planning then runs beside that. */
async function beginSync(): Promise<void> {
  await nextTurn()
  await nextTurn()
}

/** After these the turn's text is in a row, or starts again. */
const ENDS_TEXT: ReadonlySet<string> = new Set(['assistant_message', 'retry', 'run-end'])

/** Of the run itself, or of a helper that it asked. */
function usageIn(line: JournalLine): Usage[] {
  if (line.type === 'helper') return usageIn(line.line)
  return line.type === 'usage' ? [line.usage] : []
}

/** Everything the loop of this session may touch. */
export function createLoopPort(options: LoopPortOptions): LoopPort {
  const { settings, actor, lease, log, blobs, router, recorder, deltas, now, spend } = options
  const { sessionId, workspaceId } = actor
  let conversationId = actor.conversationId()

  const idsOf = (turnId: TurnId, toolCallId: CallIds['toolCallId']): CallIds => ({
    sessionId,
    conversationId,
    turnId,
    toolCallId,
  })

  async function mapOf(path: string): Promise<string | undefined> {
    const state = await router.call({
      ids: idsOf(options.ids('turn'), options.ids('toolCall')),
      workspaceId,
      tool: 'get_file_info',
      arguments: { path },
      policy: 'rules',
      author: settings.model.name,
    })
    return 'outcome' in state && state.outcome.envelope.success ? state.outcome.text : undefined
  }

  /** A yes to all is one to the words of its giver: with those of another, each call asks a person. */
  async function policyFor({ written }: { readonly written?: true }): Promise<CallPolicy> {
    if (written) return 'person'
    const { policy } = settings
    return policy === 'all' && (await options.hasOthers(sessionId)) ? 'person' : policy
  }

  const rules = createHouseRules(options.link, workspaceId)
  let window: number | undefined
  function wanted(isHelper = false): OfferFor {
    const { toolset, isPlan, model } = settings
    const size = window ?? model.facts.contextTokens ?? LIMITS.unknownContextTokens
    const isLight = settings.isLight || size < SMALL_WINDOW
    return { toolset, isPlan, isLight, window: size, isHelper }
  }
  const outside = createOutsideRun({ ...options, sessionId, workspaceId, idsOf, wanted })

  return {
    get model() {
      return settings.model
    },
    get tools() {
      return outside.offer(wanted())
    },
    get helperTools() {
      return outside.offer(wanted(true))
    },
    ids: options.ids,
    inbox: {
      async read() {
        conversationId = actor.conversationId()
        const waiting = await log.peekInbox(sessionId)
        const items = waiting.filter(
          ({ id, type }) => type !== REWIND && !options.takenBack.has(id),
        )
        for (const { id } of items) options.handedOut.add(id)
        return items.map(item => ({ id: item.id, ...(item.body as object) }) as Arrival)
      },
      onArrival(listener) {
        options.arrivals.add(listener)
        return () => options.arrivals.delete(listener)
      },
    },
    rows: after => log.read(sessionId, { after }),
    append(lines, consume) {
      const rows = lines.map(body => ({ conversationId, body }))
      for (const line of lines) if (line.type === 'model') window = line.context_tokens
      if (lines.some(({ type }) => ENDS_TEXT.has(type))) deltas.end(sessionId)
      if (settings.tokenId)
        for (const usage of lines.flatMap(usageIn)) spend(settings.tokenId, usage, sessionId)
      const acknowledge = acknowledgeOf(lines)
      const appending = lease.appendNow(rows, { consume, acknowledge })
      const last = appending.rows.at(-1)
      if (last) deltas.noteRow(sessionId, last.seq)
      if (consume && lines[0]?.type === 'steer') options.onTaken(sessionId)
      const durable = appending.kept.then(kept => {
        if (!kept.ok) throw new Error(kept.failure.message)
      })
      return { rows: appending.rows, durable }
    },
    async callTool(call, signal, begun) {
      const { id, turnId, name, arguments: given } = call
      if (begun) await beginSync()
      if (outside.takes(name)) return ended(await outside.call(call, signal, begun))
      const giveUp = () => {
        if (signal.reason === RUN_LEFT) return
        router.abandon(workspaceId, id).catch(cause => options.logger.error('Loop.Failed', cause))
      }
      signal.addEventListener('abort', giveUp)
      const policy = await policyFor(call)
      const running = recorder.run({
        ids: idsOf(turnId, id),
        workspaceId,
        tool: name,
        arguments: given,
        policy,
        author: settings.model.name,
        begun,
        isInRun: true,
      })
      const state = await running
        .catch(cause => {
          throw cause instanceof StoreAway ? new RunCut(cause) : cause
        })
        .finally(() => signal.removeEventListener('abort', giveUp))
      rules.noteCall(given)
      return ended(state)
    },
    async reconcile({ id, turnId, name }) {
      if (outside.takes(name)) return outside.reconcile({ id, turnId, name })
      if (findTool(name)?.declaration.asksPerson) return { type: 'unknown' } // asking again asks the same question
      const found = await recorder.find(workspaceId, id)
      if (!found.ok || !found.value) return { type: 'unknown' }
      if ('pending' in found.value) return { type: 'pending', pending: found.value.pending }
      await recorder.noteEnd(workspaceId, { toolCallId: id, name }, found.value)
      return { type: 'result', outcome: found.value.outcome }
    },
    abandon: (call, code) =>
      outside.takes(call.name)
        ? outside.abandon(call, code)
        : recorder.abandon(workspaceId, { toolCallId: call.id, name: call.name }),
    async keepResult(_toolCallId, text) {
      const stored = await blobs.put(new TextEncoder().encode(text), { durable: false })
      if (!stored.ok) throw new Error(stored.failure.message)
      return stored.value
    },
    netEffects: effects => netEffects({ ...options, workspaceId, sessionId }, effects),
    prepare: outside.prepare,
    async promptInput() {
      rules.forget()
      const input = await gatherPrompt({ ...options, ...settings, rules, workspaceId, sessionId })
      for (const { path } of input.pathsUsed) rules.noteCall(JSON.stringify({ path }))
      return { ...input, outside: outside.notes(wanted()) }
    },
    folderRules: rules.folders,
    activeFiles: createActiveFilesSource(
      options.activeFiles,
      mapOf,
      () => settings.toolset === 'workshop',
    ),
    image: sha256 => blobs.get(sha256 as never),
    emitDelta: (turnId, text) => deltas.emit(sessionId, turnId, text),
    emitThought: (turnId, text) => deltas.emitThought(sessionId, turnId, text),
    now: () => now().getTime(),
    sleep,
    sha256: text => createHash('sha256').update(text).digest('hex'),
    report: cause => options.logger.error('Loop.Failed', cause, { sessionId }),
    random: Math.random,
  }
}

function ended(state: CallState) {
  return 'pending' in state ? state.pending : state.outcome
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
