import {
  type Approval,
  type CallIds,
  type CallState,
  type Decision,
  type DraftLine,
  fail,
  ok,
  type Proposer,
  type Result,
  type ToolDeclaration,
  type UnsavedText,
} from '@filewright/protocol'
import { type ClientContext, findTool, type Tool } from '@filewright/tools'
import { nothingWritten } from '../apply/nothing-written.ts'
import { type Draft, foldDraft } from '../draft/draft.ts'
import { toUnkept } from '../link/unkept.ts'
import { createApprovals } from './approvals.ts'
import { type DraftCall, startDraftCall } from './draft-call.ts'
import { outcomeOf } from './pending-call.ts'
import { propose } from './propose.ts'
import {
  type CallParams,
  circumstancesOf,
  hasBegun,
  type RunnerPorts,
  refuse,
  toEnded,
  toState,
} from './tool-call.ts'

/** Runs client tools: each call ends in exactly one outcome, and a repeated call gets the same answer. */
export interface ToolRunner {
  run(params: CallParams): Promise<CallState>
  state(toolCallId: string): Promise<CallState | null>
  cancel(toolCallId: string): Promise<void>
  approvals(options: { all?: boolean }): Promise<readonly Approval[]>
  decide(
    approvalId: string,
    decision: Decision,
    unsaved?: readonly UnsavedText[],
  ): Promise<Result<{ approval: Approval; outcome: CallState }>>
}

interface RunningCall {
  call: Promise<CallState>
  /** Abandoned; it ends without an effect unless it is committed. */
  isAbandoned: boolean
  /** Past the point where abandoning it could prevent its effect. */
  isCommitted: boolean
}

interface Ended {
  readonly state: CallState
  /** Its effect is durable. */
  readonly kept?: Promise<void>
}

export function createToolRunner(ports: RunnerPorts): ToolRunner {
  const { desk, lister, drafts, ids, now, oneAtATime } = ports
  const running = new Map<string, RunningCall>()
  const approvals = createApprovals(ports)

  function run(params: CallParams): Promise<CallState> {
    const { toolCallId } = params.ids
    const under = running.get(toolCallId)
    if (under) return under.call
    const entry: RunningCall = {
      call: Promise.resolve(null as unknown as CallState),
      isAbandoned: false,
      isCommitted: false,
    }
    const commit = () => {
      entry.isCommitted = !entry.isAbandoned
      return entry.isCommitted
    }
    entry.call = runOnce(params, commit)
      .catch(cause => unexpected(params, cause))
      .finally(() => running.delete(toolCallId))
    running.set(toolCallId, entry)
    return entry.call
  }

  async function runOnce(params: CallParams, commit: () => boolean): Promise<CallState> {
    if (!isPlainId(params.ids.toolCallId) || !isPlainId(params.ids.sessionId))
      return refuse(params.ids, strangeId())
    const tool = findTool(params.tool)
    if (!tool?.handlers.client)
      return refuse(params.ids, fail('UNKNOWN_TOOL', `This client has no tool "${params.tool}".`))
    const input = checkInput(tool, params)
    if (!input.ok) return refuse(params.ids, input)
    const parsed = { ...params, input: input.value }
    if (tool.declaration.writes === 'nothing') return runReading(tool, parsed)
    const ended = await oneAtATime(params.ids.sessionId, async (): Promise<Ended> => {
      const earlier = await findOutcome(params.ids.toolCallId)
      if (earlier) return { state: earlier }
      if (tool.declaration.writes === 'workspace') {
        const { context } = startCall(parsed)
        return { state: await propose(ports, tool, parsed, { context, commit }) }
      }
      return runDrafting(tool, parsed, commit)
    })
    await ended.kept // the session's next call works in the meantime, and may share the wait for the disk
    return ended.state
  }

  /** An internal error still ends the call; only the log gets its cause. */
  function unexpected(params: CallParams, cause: unknown): CallState {
    ports.onError(cause)
    const failure =
      toUnkept(params.tool, cause) ??
      fail(
        'INTERNAL_ERROR',
        `${params.tool} failed with an internal error of the client; its log has the cause. Check the files before you try again.`,
      )
    const tool = findTool(params.tool)
    return tool ? toEnded(ports.log, tool, params, failure) : refuse(params.ids, failure)
  }

  function startCall(params: CallParams, draft = draftFor(params.ids)): DraftCall {
    const circumstances = circumstancesOf(params, now())
    const onProgress = (text: string) => ports.onProgress(params.ids, text)
    return startDraftCall({ desk, lister, draft, ids: params.ids, circumstances, onProgress })
  }

  async function runReading(tool: Tool, params: CallParams): Promise<CallState> {
    const result = await handler(tool)(params.input as never, startCall(params).context)
    return toState(result, params)
  }

  async function runDrafting(
    tool: Tool,
    params: CallParams,
    commit: () => boolean,
  ): Promise<Ended> {
    const draft = draftFor(params.ids)
    const call = startCall(params, draft)
    const result = nothingWritten(await handler(tool)(params.input as never, call.context))
    const state = toState(result, params)
    if (!result.ok || !(await hasBegun(params))) {
      call.abandon()
      return { state }
    }
    if (!commit()) {
      call.abandon()
      return { state: toState(givenUp(), params) }
    }
    if (call.lines.length === 0) return { state }
    const isNew = !drafts.openOf(params.ids.sessionId)
    const opening: DraftLine[] = isNew ? [draft.open] : []
    const { kept } = await drafts.begin(draft.id, [
      ...opening,
      ...call.lines,
      toOutcome(params, state),
    ])
    return { state, kept }
  }

  function draftFor({ sessionId }: CallIds): Draft {
    const open = drafts.openOf(sessionId)
    if (open) return open
    return foldDraft([
      {
        type: 'open',
        draftId: ids('draft'),
        sessionId,
        time: now().toISOString(),
        purpose: 'workshop',
      },
    ])!
  }

  /** Its outcome where that is at hand: among open drafts, or in a draft of its own. */
  async function findOutcome(toolCallId: string): Promise<CallState | undefined> {
    for (const draft of drafts.open()) {
      const outcome = draft.outcomes.get(toolCallId)
      if (outcome) return outcome
    }
    return outcomeOf(drafts, toolCallId)
  }

  return {
    run,
    approvals: approvals.list,
    decide: approvals.decide,

    async state(toolCallId) {
      const under = running.get(toolCallId)
      if (under?.isAbandoned && !under.isCommitted) return null // whenever it ends, it has no effect
      if (under) return under.call
      await approvals.carriedOut(toolCallId)
      return (await findOutcome(toolCallId)) ?? (await drafts.findOutcome(toolCallId)) ?? null
    },

    async cancel(toolCallId) {
      const under = running.get(toolCallId)
      if (under) under.isAbandoned = true
      await approvals.withdraw(toolCallId)
    },
  }
}

/** Whoever asked does not want it any more. */
function givenUp() {
  return fail('CANCELLED', 'Nothing was written: the call was cancelled.')
}

/** It names a file of the state folder. */
function isPlainId(id: string): boolean {
  return /^[\w.-]{1,120}$/.test(id)
}

function strangeId() {
  return fail(
    'INVALID_ARGUMENT',
    'Nothing was done: the ids of a call and its session are 1 to 120 letters, digits, "_", "." and "-".',
  )
}

function toOutcome({ ids, tool, logged }: CallParams, state: CallState): DraftLine {
  const call = logged === undefined ? undefined : { tool, arguments: logged }
  return { type: 'outcome', toolCallId: ids.toolCallId, ...(call && { call }), state }
}

function checkInput(tool: Tool, { tool: name, input, isChecked }: CallParams): Result<unknown> {
  const { forwards } = tool.declaration
  if (isChecked && !forwards) return ok(input)
  const schema = forwards ?? tool.declaration.input
  const checked = schema.safeParse(input)
  if (checked.success) return ok(checked.data)
  const problems = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return fail('INVALID_ARGUMENT', `The arguments of ${name} do not fit: ${problems.join('; ')}`)
}

function handler(tool: Tool) {
  return tool.handlers.client as Exclude<
    typeof tool.handlers.client,
    Proposer<ToolDeclaration, ClientContext> | undefined
  >
}
