import { unifiedDiff } from '@filewright/documents/text'
import {
  type Answer,
  type Approval,
  type CallState,
  type Change,
  type ChangeId,
  type ChangeSetId,
  type Content,
  type Decision,
  type DocPath,
  type DraftLine,
  fail,
  ok,
  type Proposal,
  type Result,
  toBytes,
  toDocPath,
} from '@filewright/protocol'
import { type ClientContext, findTool, type Tool } from '@filewright/tools'
import { nothingWritten } from '../apply/nothing-written.ts'
import { type Draft, foldDraft } from '../draft/draft.ts'
import { refuseForeignName } from '../files/foreign.ts'
import { withoutKeys } from '../files/key-files.ts'
import { type Plan, planPublish } from '../publish/publish.ts'
import { describePublished, unchangedFiles } from '../publish/published-proposal.ts'
import { diffsOf, reviewFiles } from '../publish/review.ts'
import { contradiction } from './contradiction.ts'
import {
  type CallParams,
  changeSetIdOf,
  circumstancesOf,
  hasBegun,
  oneCallDraftId,
  proposerOf,
  type RunnerPorts,
  refuse,
  toEnded,
} from './tool-call.ts'

/** What tools that write the workspace want: one-call drafts, asked about at the gate, then applied. */
export interface Proposals {
  propose(tool: Tool, params: CallParams, options: ProposeOptions): Promise<CallState>
  /** The outcome of a call, or that it waits; undefined for a call that made no proposal. */
  outcomeOf(toolCallId: string): Promise<CallState | undefined>
  /** Nobody waits for the call any more: a later yes must not bring it back. */
  withdraw(toolCallId: string): Promise<void>
  /** Resolves when a decision about the call that is being carried out has its outcome. */
  carriedOut(toolCallId: string): Promise<void>
  approvals(options: { all?: boolean }): Promise<readonly Approval[]>
  decide(
    approvalId: string,
    decision: Decision,
  ): Promise<Result<{ approval: Approval; outcome: CallState }>>
  /** After a restart: what a person approved and a crash cut off is finished. */
  finishDecided(): Promise<void>
}

/** What was planned a moment ago, for a draft that is on its way to the disk. */
interface Planned {
  readonly plan: Plan
  readonly kept: Promise<void>
}

interface Closing {
  /** It was published; without one it is discarded. */
  readonly changeSetId?: ChangeSetId
  /** The decision, where it is not written down yet. */
  readonly decided?: readonly DraftLine[]
}

export interface ProposeOptions {
  readonly context: ClientContext
  /** False when the call was given up; past it, its effect may be there. */
  readonly commit: () => boolean
}

export function createProposals(ports: RunnerPorts): Proposals {
  const { desk, drafts, gate, ids, now, oneAtATime } = ports
  const ended = (tool: Tool, params: CallParams, result: Result<Answer<Record<string, unknown>>>) =>
    toEnded(ports.log, tool, params, result)

  async function propose(
    tool: Tool,
    params: CallParams,
    { context, commit }: ProposeOptions,
  ): Promise<CallState> {
    const proposed = await proposerOf(tool)!.propose(params.input as never, context)
    if (!proposed.ok) return ended(tool, params, nothingWritten(proposed))
    const lines = await toLines(proposed.value, params)
    if (!lines.ok) return ended(tool, params, nothingWritten(lines))
    const draft = foldDraft(lines.value)!
    const plan = await planPublish(desk, draft, [], changeSetIdOf(draft.id))
    if (!plan.ok) return ended(tool, params, nothingWritten(plan))
    if (!(await hasBegun(params)) || !commit())
      return refuse(params.ids, fail('CANCELLED', 'Nothing was written: the call was given up.'))
    const time = now().toISOString()
    const warned = withWarnings(lines.value, plan.value.warnings)
    const answer = await askGate(proposed.value, plan.value, params)
    if (answer.effect === 'deny')
      return ended(
        tool,
        params,
        fail(
          'DENIED',
          `Nothing was written: the rule ${answer.rule.id} denies ${params.tool} here. Ask the person, or choose another path.`,
          { details: { ruleId: answer.rule.id } },
        ),
      )
    if (answer.effect === 'ask' && params.policy !== 'all') {
      const approvalId = ids('approval')
      const ask: DraftLine = { type: 'ask', approvalId, time }
      return pendingOf(await drafts.append(draft.id, [...warned, ask]))
    }
    const by = answer.effect === 'allow' ? `rule ${answer.rule.id}` : params.author
    const decided: DraftLine = { type: 'decide', decision: { decision: 'approved', by }, time }
    const { draft: stored, kept } = await drafts.begin(draft.id, [...warned, decided])
    return finish(stored, { plan: plan.value, kept })
  }

  /** Applies what was approved; what a restart finds half done is finished here too. */
  async function finish(draft: Draft, planned?: Planned): Promise<CallState> {
    const { call } = draft.open
    const tool = findTool(call!.tool)!
    const params: CallParams = { ...call!, author: draft.decision!.by }
    const refused = draft.decision?.refused ?? []
    const changeSetId = changeSetIdOf(draft.id)
    const before = await ports.findApplied(changeSetId)
    const published = before
      ? await describePublished(desk, before, undefined, refused)
      : await applyDraft(draft, changeSetId, refused, planned)
    if (!published.ok) return close(draft, tool, params, published)
    const proposer = proposerOf(tool)!
    const isUnwritten = proposer.answersUnchanged && published.value.files.length === 0
    if (isUnwritten && refused.length > 0)
      return close(draft, tool, params, denied(draft.decision!))
    const files = isUnwritten ? await unchangedFiles(desk, draft) : published.value.files
    const fault = proposer.findFault?.(files)
    if (fault) return close(draft, tool, params, fault, { changeSetId })
    const answer = proposer.finish(call!.input as never, { ...published.value, files })
    const answered = ok(answer as Answer<Record<string, unknown>>)
    return close(draft, tool, params, answered, { changeSetId })
  }

  async function applyDraft(
    draft: Draft,
    changeSetId: ChangeSetId,
    refused: NonNullable<Decision['refused']>,
    planned?: Planned,
  ) {
    const ids = refused.map(({ changeId }) => changeId as ChangeId)
    const plan = planned ? ok(planned.plan) : await planPublish(desk, draft, ids, changeSetId)
    if (!plan.ok) return plan
    const applied = await ports.apply(plan.value, planned?.kept)
    return applied.ok ? describePublished(desk, applied.value, plan.value, refused) : applied
  }

  async function close(
    draft: Draft,
    tool: Tool,
    params: CallParams,
    result: Result<Answer<Record<string, unknown>>>,
    { changeSetId, decided = [] }: Closing = {},
  ): Promise<CallState> {
    const state = ended(tool, params, result)
    const time = now().toISOString()
    await drafts.append(draft.id, [
      ...decided,
      { type: 'outcome', toolCallId: params.ids.toolCallId, state },
      {
        type: 'close',
        how: changeSetId ? 'published' : 'discarded',
        ...(changeSetId && { changeSetId }),
        by: draft.decision?.by ?? params.author,
        time,
      },
    ])
    return state
  }

  /** A no has no effect that a crash could come before: it is written down with what follows from it, or not at all. */
  function closeDenied(
    draft: Draft,
    decision: Decision,
    result: Result<never>,
  ): Promise<CallState> {
    const call = draft.open.call!
    const params: CallParams = { ...call, author: decision.by }
    const decided: DraftLine[] = [{ type: 'decide', decision, time: now().toISOString() }]
    return close(draft, findTool(call.tool)!, params, result, { decided })
  }

  /** A proposal as the lines of a draft of its own, every base pinned. */
  async function toLines(proposal: Proposal, params: CallParams): Promise<Result<DraftLine[]>> {
    const { ids: callIds, tool, input, policy } = params
    const time = now().toISOString()
    const lines: DraftLine[] = [
      {
        type: 'open',
        draftId: oneCallDraftId(callIds.toolCallId),
        sessionId: callIds.sessionId,
        time,
        purpose: 'one-call',
        label: proposal.label,
        ...(proposal.description && { description: proposal.description }),
        call: {
          ids: callIds,
          tool,
          input,
          policy,
          warnings: [...(params.warnings ?? []), ...(proposal.warnings ?? [])],
        },
      },
    ]
    for (const [index, edit] of proposal.edits.entries()) {
      const isNew = edit.base === null
      const foreign = isNew && refuseForeignName(edit.path, edit.docPath, edit.format)
      if (foreign) return foreign
      const pinned = await pin(edit)
      if (!pinned.ok) return pinned
      lines.push({
        type: 'edit',
        toolCallId: callIds.toolCallId,
        docPath: edit.docPath,
        path: edit.path,
        format: edit.format,
        base: edit.base,
        operations: [
          {
            toolCallId: callIds.toolCallId,
            index,
            operation: edit.operation,
            circumstances: circumstancesOf(params, now()),
          },
        ],
        time,
      })
    }
    return ok(lines)
  }

  async function pin(edit: Proposal['edits'][number]): Promise<Result<null>> {
    if (edit.base === null || (await desk.state.getBlob(edit.base))) return ok(null)
    const read = await desk.workspace.read(edit.docPath, { allowPrivate: true })
    const isThere = read.ok && read.value.sha256 === edit.base
    const bytes = isThere ? read.value.bytes : await ports.fetchBase(edit.docPath, edit.base)
    if (!bytes)
      return fail(
        'CONFLICT',
        `Nothing was written: the bytes ${edit.base.slice(0, 8)} that the change of "${edit.path}" was planned on are not known any more. Read the file and plan the change on the version you get.`,
      )
    await desk.state.putBlob(bytes)
    return ok(null)
  }

  async function askGate(proposal: Proposal, plan: Plan, { tool, ids: { sessionId } }: CallParams) {
    if (gate.rules().length === 0) return gate.answer({ tool, sessionId, files: [] })
    const planned = new Map(plan.changeSet.files.map(file => [file.docPath, file.content]))
    const files: { docPath: DocPath; bytes: number }[] = []
    for (const { docPath } of proposal.edits) {
      const bytes = newLength(planned.get(docPath) ?? [])
      files.push({ docPath, bytes })
      const place = await desk.workspace.locate(docPath)
      const real = place.ok ? toDocPath(place.value.realPath) : docPath
      if (real !== docPath) files.push({ docPath: real, bytes }) // a link: it is that file which is written
    }
    return gate.answer({ tool, sessionId, files })
  }

  async function toApproval(draft: Draft): Promise<Approval> {
    const { call, label, description, time } = draft.open
    const reviewed = await reviewFiles(desk, draft)
    const state = draft.decision
      ? draft.decision.decision
      : draft.state === 'open'
        ? 'open'
        : 'stale'
    const drift = state === 'open' ? await driftOf(draft) : { warnings: [], diffs: new Map() }
    const diffs = await diffsOf(desk, draft)
    const shown = await withoutKeys(desk, draft, {
      changes: reviewed.ok ? reviewed.value.flatMap(file => file.changes) : [],
      diffs: diffs.map(({ path, diff }) => ({ path, diff: drift.diffs.get(path) ?? diff })),
    })
    return {
      id: draft.approvalId!,
      toolCallId: call!.ids.toolCallId,
      sessionId: draft.sessionId,
      draftId: draft.id,
      tool: call!.tool,
      label: label ?? call!.tool,
      ...(description && { description }),
      time,
      state,
      changes: withLabels(call!, shown.changes),
      warnings: [...call!.warnings, ...drift.warnings, ...shown.warnings],
      diffs: shown.diffs,
    }
  }

  /** What the person has to know before answering: where the changes land now, or that they do not any more. */
  async function driftOf(
    draft: Draft,
  ): Promise<{ warnings: string[]; diffs: ReadonlyMap<string, string> }> {
    const diffs = new Map<string, string>()
    const plan = await planPublish(desk, draft, [], changeSetIdOf(draft.id))
    if (!plan.ok)
      return { warnings: [`It cannot be written as it is. ${plan.failure.message}`], diffs }
    for (const { docPath, path, content } of plan.value.changeSet.files) {
      const found = plan.value.found.get(docPath)
      if (found && content) diffs.set(path, unifiedDiff(found, toBytes(content, found), path))
    }
    const warnings = [...diffs.keys()].map(
      path =>
        `"${path}" changed since this was planned; the diff has the changes where they land now, and each change names the place it was planned for.`,
    )
    return { warnings, diffs }
  }

  async function findUnknownRefusal(draft: Draft, { refused = [] }: Decision) {
    if (refused.length === 0) return undefined
    const reviewed = await reviewFiles(desk, draft)
    if (!reviewed.ok) return reviewed
    const known = new Set<string>(
      reviewed.value.flatMap(file => file.changes.map(change => change.id)),
    )
    const unknown = refused.filter(({ changeId }) => !known.has(changeId))
    if (unknown.length === 0) return undefined
    return fail(
      'NOT_FOUND',
      `Nothing was decided: there is no change ${unknown.map(({ changeId }) => changeId).join(', ')} in it. The changes are ${[...known].join(', ')}.`,
    )
  }

  async function remember(draft: Draft, { decision, remember: how }: Decision) {
    const effect = decision === 'approved' ? 'allow' : 'deny'
    const { tool } = draft.open.call!
    for (const path of draft.files.keys()) {
      // a file may be called "**": the answer was about that file, and a rule on its name would be about all
      if (/[*?{]/.test(path)) continue
      await gate.add({
        effect,
        tool,
        path,
        ...(how === 'session' && { sessionId: draft.sessionId }),
      })
    }
  }

  return {
    propose,

    async outcomeOf(toolCallId) {
      const own = await drafts.find(oneCallDraftId(toolCallId))
      if (!own) return undefined
      return own.outcomes.get(toolCallId) ?? (isUndecided(own) ? pendingOf(own) : undefined)
    },

    async withdraw(toolCallId) {
      const waiting = await drafts.find(oneCallDraftId(toolCallId))
      if (waiting && isUndecided(waiting)) await withdraw(waiting)
    },

    async carriedOut(toolCallId) {
      const own = await drafts.find(oneCallDraftId(toolCallId))
      if (own?.state === 'open' && own.decision) await oneAtATime(own.sessionId, async () => {})
    },

    async approvals({ all = false }) {
      const found = (all ? await drafts.list() : drafts.open()).filter(draft => draft.approvalId)
      return Promise.all(found.map(toApproval))
    },

    async decide(approvalId, decision) {
      const all = await drafts.list()
      const draft = all.find(({ approvalId: own }) => own === approvalId)
      if (!draft) {
        const open = drafts
          .open()
          .flatMap(({ approvalId: own, decision: made }) => (own && !made ? [own] : []))
        return fail(
          'NOT_FOUND',
          `There is no approval "${approvalId}". Open are: ${open.join(', ') || 'none'}.`,
        )
      }
      return oneAtATime(draft.sessionId, async () => {
        const fresh = (await drafts.find(draft.id))!
        const earlier = fresh.outcomes.get(fresh.open.call!.ids.toolCallId)
        const other =
          fresh.decision && (await contradiction(fresh, fresh.decision, decision, ports))
        if (other) return other
        if (fresh.decision && earlier)
          return ok({ approval: await toApproval(fresh), outcome: earlier })
        if (fresh.state !== 'open')
          return fail(
            'CONFLICT',
            `"${approvalId}" is ${fresh.state} already: nothing waits for it.`,
          )
        const problem = await findUnknownRefusal(fresh, decision)
        if (problem) return problem
        const line: DraftLine = { type: 'decide', decision, time: now().toISOString() }
        const outcome =
          decision.decision === 'approved'
            ? await finish(await drafts.append(fresh.id, [line]))
            : await closeDenied(fresh, decision, denied(decision))
        if (decision.remember) await remember(fresh, decision)
        return ok({ approval: await toApproval((await drafts.find(draft.id))!), outcome })
      })
    },

    async finishDecided() {
      for (const draft of drafts.open())
        if (draft.open.purpose === 'one-call' && draft.decision?.decision === 'approved')
          await finish(draft)
    },
  }

  /** Nobody waits for the call any more: a later yes must not bring it back. */
  function withdraw({ id, sessionId }: Draft): Promise<void> {
    return oneAtATime(sessionId, async () => {
      const draft = await drafts.find(id)
      if (!draft || !isUndecided(draft)) return
      const decision: Decision = { decision: 'denied', by: 'cancel', reason: 'It was cancelled.' }
      const cancelled = fail(
        'CANCELLED',
        'Nothing was written: the call was cancelled while it waited for a person.',
      )
      await closeDenied(draft, decision, cancelled)
    })
  }
}

function pendingOf(draft: Draft): CallState {
  const { label, call } = draft.open
  return {
    pending: {
      pending: true,
      approvalId: draft.approvalId!,
      toolCallId: call!.ids.toolCallId,
      message: `${label}: waits for a person. Approve it with: filewright approvals approve ${draft.approvalId}`,
    },
  }
}

function withLabels(
  { tool, input }: Pick<CallParams, 'tool' | 'input'>,
  changes: readonly Change[],
): readonly Change[] {
  const labels = proposerOf(findTool(tool)!)!.labels?.(input as never)
  return changes.map(change => {
    const own = labels?.get(change.id)
    return own ? { ...change, labels: own } : change
  })
}

/** For the person who is asked and for the model that is answered. */
function withWarnings(lines: readonly DraftLine[], warnings: readonly string[]): DraftLine[] {
  return lines.map(line =>
    line.type === 'open' && line.call
      ? { ...line, call: { ...line.call, warnings: [...line.call.warnings, ...warnings] } }
      : line,
  )
}

function denied({ by, reason }: Decision): Result<never> {
  return fail(
    'DENIED',
    `Nothing was written: ${by} refused this change${reason ? `: ${reason}` : ''}. Do not send it again as it is; ask what is wanted instead.`,
    {
      details: { deniedBy: by, ...(reason && { reason }) },
    },
  )
}

function newLength(content: Content): number {
  return content.reduce((sum, slice) => sum + (slice.from === 'inline' ? slice.bytes.length : 0), 0)
}

function isUndecided({ state, approvalId, decision }: Draft): boolean {
  return state === 'open' && approvalId !== undefined && decision === undefined
}
