import { createHash } from 'node:crypto'
import { normaliseForContentHash, unifiedDiff } from '@filewright/documents/text'
import {
  type Answer,
  type Applied,
  type Approval,
  type ApprovalPolicy,
  type CallIds,
  type CallState,
  type Change,
  type ChangeId,
  type ChangeSetId,
  type Decision,
  type DraftId,
  type DraftLine,
  fail,
  type IdSource,
  ok,
  type Proposal,
  type Proposer,
  type PublishedFile,
  parseDocPath,
  type Result,
  type ToolDeclaration,
  toCallState,
} from '@filewright/protocol'
import { type ClientContext, findTool, type Tool } from '@filewright/tools'
import type { Draft } from './draft/draft.ts'
import { foldDraft } from './draft/draft.ts'
import { startDraftCall } from './draft/draft-call.ts'
import type { DraftStore } from './draft/draft-store.ts'
import type { Desk } from './draft/draft-view.ts'
import type { FileLister } from './file-lister.ts'
import type { Gate } from './gate.ts'
import { type Plan, planPublish } from './publish.ts'
import { diffsOf, reviewFiles } from './review.ts'
import { serialise } from './serialise.ts'

/** One call as the client runs it. */
export interface CallParams {
  readonly ids: CallIds
  readonly tool: string
  readonly input: unknown
  readonly policy: ApprovalPolicy
  readonly author: string
  /** Warnings of the preflight, carried into the envelope. */
  readonly warnings?: readonly string[]
}

export interface RunnerPorts {
  readonly desk: Desk
  readonly lister: FileLister
  readonly drafts: DraftStore
  readonly gate: Gate
  readonly ids: IdSource
  readonly now: () => Date
  /** Applies a change set and tells the store; only the client has it. */
  readonly apply: (plan: Plan) => Promise<Result<Applied>>
  /** Whether a change set was applied before a restart. */
  readonly findApplied: (id: ChangeSetId) => Promise<Applied | undefined>
  readonly fetchBase: (docPath: string, sha256: string) => Promise<Uint8Array | undefined>
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
  readonly onError: (cause: unknown) => void
}

/** Runs client tools: each call ends in exactly one outcome, and asked again answers the same. */
export interface ToolRunner {
  run(params: CallParams): Promise<CallState>
  state(toolCallId: string): Promise<CallState | null>
  cancel(toolCallId: string): Promise<void>
  approvals(options: { all?: boolean }): Promise<readonly Approval[]>
  decide(
    approvalId: string,
    decision: Decision,
  ): Promise<Result<{ approval: Approval; outcome: CallState }>>
  /** After a restart: what a person approved and a crash cut off is finished. */
  finishDecided(): Promise<void>
}

interface RunningCall {
  call: Promise<CallState>
  /** Given up; it ends without an effect unless it is committed. */
  isAbandoned: boolean
  /** Past the border where giving up could keep its effect from happening. */
  isCommitted: boolean
}

export function createToolRunner(ports: RunnerPorts): ToolRunner {
  const { desk, lister, drafts, gate, ids, now, log } = ports
  const running = new Map<string, RunningCall>()
  const oneAtATime = serialise()

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
    const tool = findTool(params.tool)
    if (!tool?.handlers.client)
      return refuse(params.ids, fail('UNKNOWN_TOOL', `This client has no tool "${params.tool}".`))
    const schema = tool.declaration.forwards ?? tool.declaration.input
    const input = schema.safeParse(params.input)
    if (!input.success)
      return refuse(
        params.ids,
        fail(
          'INVALID_ARGUMENT',
          `The arguments of ${params.tool} do not fit: ${input.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
        ),
      )
    const parsed = { ...params, input: input.data }
    if (tool.declaration.writes === 'nothing') return runReading(tool, parsed)
    return oneAtATime(params.ids.sessionId, async () => {
      const earlier = await outcomeOf(params.ids.toolCallId)
      if (earlier) return earlier
      if (tool.declaration.writes === 'workspace') return runProposal(tool, parsed, commit)
      return runDrafting(tool, parsed, commit)
    })
  }

  /** A bug of ours still ends the call; its cause is for the log alone. */
  function unexpected(params: CallParams, cause: unknown): CallState {
    ports.onError(cause)
    const failure = fail(
      'INTERNAL_ERROR',
      `${params.tool} failed on an error of the client's own; its log has the cause. Look at the files before you try again.`,
    )
    const tool = findTool(params.tool)
    return tool ? ended(tool, params, failure) : refuse(params.ids, failure)
  }

  async function runReading(tool: Tool, params: CallParams): Promise<CallState> {
    const call = startDraftCall({
      desk,
      lister,
      draft: draftFor(params.ids),
      ids: params.ids,
      circumstances: circumstances(params),
    })
    return toState(await handler(tool)(params.input as never, call.context), params)
  }

  async function runDrafting(
    tool: Tool,
    params: CallParams,
    commit: () => boolean,
  ): Promise<CallState> {
    const draft = draftFor(params.ids)
    const call = startDraftCall({
      desk,
      lister,
      draft,
      ids: params.ids,
      circumstances: circumstances(params),
    })
    const result = nothingWritten(await handler(tool)(params.input as never, call.context))
    const state = toState(result, params)
    if (!result.ok || !commit()) {
      call.abandon()
      return state
    }
    if (call.lines.length === 0) return state
    const isNew = !drafts.openOf(params.ids.sessionId)
    const opening: DraftLine[] = isNew ? [draft.open] : []
    await drafts.append(draft.id, [
      ...opening,
      ...call.lines,
      { type: 'outcome', toolCallId: params.ids.toolCallId, state },
    ])
    return state
  }

  async function runProposal(
    tool: Tool,
    params: CallParams,
    commit: () => boolean,
  ): Promise<CallState> {
    const proposer = tool.handlers.client as Proposer<ToolDeclaration, ClientContext>
    const call = startDraftCall({
      desk,
      lister,
      draft: draftFor(params.ids),
      ids: params.ids,
      circumstances: circumstances(params),
    })
    const proposed = await proposer.propose(params.input as never, call.context)
    if (!proposed.ok) return ended(tool, params, nothingWritten(proposed))
    const lines = await toLines(proposed.value, params)
    if (!lines.ok) return ended(tool, params, nothingWritten(lines))
    const draft = foldDraft(lines.value)!
    const plan = await planPublish(desk, draft, [], changeSetIdOf(draft.id))
    if (!plan.ok) return ended(tool, params, nothingWritten(plan))
    if (!commit())
      return refuse(params.ids, fail('CANCELLED', 'Nothing was written: the call was given up.'))
    const time = now().toISOString()
    const answer = askGate(proposed.value, params)
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
      const pending: CallState = {
        pending: {
          pending: true,
          approvalId,
          toolCallId: params.ids.toolCallId,
          message: `${proposed.value.label}: waits for a person. Approve it with: filewright approvals approve ${approvalId}`,
        },
      }
      await drafts.append(draft.id, [...lines.value, { type: 'ask', approvalId, time }])
      return pending
    }
    const by = answer.effect === 'allow' ? `rule ${answer.rule.id}` : params.author
    const decided: DraftLine = { type: 'decide', decision: { decision: 'approved', by }, time }
    const stored = await drafts.append(draft.id, [...lines.value, decided])
    return finish(stored)
  }

  /** Applies what was approved; what a restart finds half done is finished here too. */
  async function finish(draft: Draft): Promise<CallState> {
    const { call } = draft.open
    const tool = findTool(call!.tool)!
    const params: CallParams = { ...call!, author: draft.decision!.by }
    const refused = draft.decision?.refused ?? []
    const changeSetId = changeSetIdOf(draft.id)
    const before = await ports.findApplied(changeSetId)
    const published = before
      ? await describe(before, undefined, refused)
      : await applyDraft(draft, changeSetId, refused)
    if (!published.ok) return close(draft, tool, params, published, 'discarded')
    const isUnwritten = isCreateFile(tool) && published.value.files.length === 0
    if (isUnwritten && refused.length > 0)
      return close(draft, tool, params, denied(draft.decision!), 'discarded')
    const files = isUnwritten ? await unchangedFiles(draft) : published.value.files
    const unhashed = findUnhashed(tool, files)
    if (unhashed) return close(draft, tool, params, unhashed, 'published', changeSetId)
    const proposer = tool.handlers.client as Proposer<ToolDeclaration, ClientContext>
    const answer = proposer.finish(call!.input as never, { ...published.value, files })
    return close(
      draft,
      tool,
      params,
      ok(answer as Answer<Record<string, unknown>>),
      'published',
      changeSetId,
    )
  }

  async function applyDraft(
    draft: Draft,
    changeSetId: ChangeSetId,
    refused: NonNullable<Decision['refused']>,
  ) {
    const plan = await planPublish(
      desk,
      draft,
      refused.map(({ changeId }) => changeId as ChangeId),
      changeSetId,
    )
    if (!plan.ok) return plan
    const applied = await ports.apply(plan.value)
    return applied.ok ? describe(applied.value, plan.value, refused) : applied
  }

  async function describe(
    applied: Applied,
    plan: Plan | undefined,
    refused: NonNullable<Decision['refused']>,
  ) {
    const files: PublishedFile[] = []
    for (const file of applied.files) {
      const base = file.before ? await desk.state.getBlob(file.before) : null
      const read =
        file.after === null
          ? undefined
          : await desk.workspace.read(file.docPath, { allowPrivate: true })
      const bytes = read?.ok && read.value.sha256 === file.after ? read.value.bytes : undefined
      files.push({
        ...file,
        rebased: plan?.rebased.has(file.docPath) ?? false,
        contentHash: bytes ? contentHash(bytes) : null,
        ...(plan?.lineMaps.has(file.docPath) && { lineMap: plan.lineMaps.get(file.docPath) }),
        ...(bytes && { diff: unifiedDiff(base ?? null, bytes, file.path) }),
      })
    }
    return ok({ files, refused, dropped: plan?.dropped ?? [], warnings: applied.warnings })
  }

  /** Files that had the very content asked for, so that nothing had to be written. */
  async function unchangedFiles({ files }: Draft): Promise<PublishedFile[]> {
    const unchanged: PublishedFile[] = []
    for (const { docPath } of files.values()) {
      const read = await desk.workspace.read(docPath, { allowPrivate: true })
      if (!read.ok) continue
      const { path, bytes, sha256 } = read.value
      unchanged.push({
        docPath,
        path,
        before: sha256,
        after: sha256,
        sizeBytes: bytes.length,
        rebased: false,
        contentHash: contentHash(bytes),
      })
    }
    return unchanged
  }

  async function close(
    draft: Draft,
    tool: Tool,
    params: CallParams,
    result: Result<Answer<Record<string, unknown>>>,
    how: 'published' | 'discarded',
    changeSetId?: ChangeSetId,
  ): Promise<CallState> {
    const state = ended(tool, params, result)
    const time = now().toISOString()
    await drafts.append(draft.id, [
      { type: 'outcome', toolCallId: params.ids.toolCallId, state },
      {
        type: 'close',
        how,
        ...(changeSetId && { changeSetId }),
        by: draft.decision?.by ?? params.author,
        time,
      },
    ])
    return state
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
            circumstances: circumstances(params),
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

  function askGate(proposal: Proposal, { tool, ids: { sessionId } }: CallParams) {
    const files = proposal.edits.map(edit => ({
      docPath: edit.docPath,
      bytes: JSON.stringify(edit.operation).length,
    }))
    return gate.answer({ tool, sessionId, files })
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

  function circumstances({ author, ids: { toolCallId } }: CallParams) {
    return {
      time: now().toISOString(),
      author,
      seed: Number.parseInt(createHash('sha256').update(toolCallId).digest('hex').slice(0, 8), 16),
    }
  }

  async function outcomeOf(toolCallId: string): Promise<CallState | undefined> {
    for (const draft of drafts.open()) {
      const outcome = draft.outcomes.get(toolCallId)
      if (outcome) return outcome
    }
    const own = await drafts.find(oneCallDraftId(toolCallId))
    if (!own) return undefined
    return (
      own.outcomes.get(toolCallId) ?? (own.approvalId && !own.decision ? pendingOf(own) : undefined)
    )
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

  async function toApproval(draft: Draft): Promise<Approval> {
    const { call, label, description, time } = draft.open
    const reviewed = await reviewFiles(desk, draft)
    const state = draft.decision
      ? draft.decision.decision
      : draft.state === 'open'
        ? 'open'
        : 'stale'
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
      changes: reviewed.ok
        ? withLabels(
            call!,
            reviewed.value.flatMap(file => file.changes),
          )
        : [],
      warnings: call!.warnings,
      diffs: await diffsOf(desk, draft),
    }
  }

  /** The envelope of a call that writes, and the log line its spec asks for. */
  function ended(
    tool: Tool,
    params: CallParams,
    result: Result<Answer<Record<string, unknown>>>,
  ): CallState {
    const state = toState(asToolCode(tool, params, result), params)
    if (isCreateFile(tool) && 'outcome' in state) {
      const { envelope } = state.outcome
      const { path, overwrite = false } = params.input as { path: string; overwrite?: boolean }
      log('Tool.CreateFile.Executed', {
        SessionId: params.ids.sessionId,
        ConversationId: params.ids.conversationId,
        TurnId: params.ids.turnId,
        Path: envelope.path ?? path,
        Overwrite: overwrite,
        Success: envelope.success,
        ErrorCode: envelope.errorCode,
        SizeBytes: envelope.sizeBytes ?? null,
        Hash: envelope.hash ?? null,
      })
    }
    return state
  }

  return {
    run,

    async state(toolCallId) {
      const under = running.get(toolCallId)
      if (under?.isAbandoned && !under.isCommitted) return null // whenever it ends, it has no effect
      if (under) return under.call
      return (await outcomeOf(toolCallId)) ?? (await drafts.findOutcome(toolCallId)) ?? null
    },

    async cancel(toolCallId) {
      const under = running.get(toolCallId)
      if (under) under.isAbandoned = true
      const waiting = await drafts.find(oneCallDraftId(toolCallId))
      if (waiting && isUndecided(waiting)) await withdraw(waiting)
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
        if (fresh.decision && earlier)
          return ok({ approval: await toApproval(fresh), outcome: earlier })
        const { call } = fresh.open
        const problem = await findUnknownRefusal(fresh, decision)
        if (problem) return problem
        const line: DraftLine = { type: 'decide', decision, time: now().toISOString() }
        const decided = await drafts.append(fresh.id, [line])
        const params: CallParams = { ...call!, author: decision.by }
        const outcome =
          decision.decision === 'approved'
            ? await finish(decided)
            : await close(decided, findTool(call!.tool)!, params, denied(decision), 'discarded')
        if (decision.remember) await remember(decided, decision)
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
      const decided = await drafts.append(id, [
        { type: 'decide', decision, time: now().toISOString() },
      ])
      const { call } = draft.open
      const params: CallParams = { ...call!, author: decision.by }
      const cancelled = fail(
        'CANCELLED',
        'Nothing was written: the call was cancelled while it waited for a person.',
      )
      await close(decided, findTool(call!.tool)!, params, cancelled, 'discarded')
    })
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
    for (const path of draft.files.keys())
      await gate.add({
        effect,
        tool,
        path,
        ...(how === 'session' && { sessionId: draft.sessionId }),
      })
  }
}

function handler(tool: Tool) {
  return tool.handlers.client as Exclude<
    typeof tool.handlers.client,
    Proposer<ToolDeclaration, ClientContext> | undefined
  >
}

function withLabels(
  { tool, input }: Pick<CallParams, 'tool' | 'input'>,
  changes: readonly Change[],
): readonly Change[] {
  const proposer = findTool(tool)!.handlers.client as Proposer<ToolDeclaration, ClientContext>
  const labels = proposer.labels?.(input as never)
  return changes.map(change => {
    const own = labels?.get(change.id)
    return own ? { ...change, labels: own } : change
  })
}

/** Refused before anything was done: said first (CONTRACT §3), whoever refused it. */
function nothingWritten<Value, Code extends string>(
  result: Result<Value, Code>,
): Result<Value, Code> {
  if (result.ok || /^Nothing was /.test(result.failure.message)) return result
  const message = `Nothing was written: ${result.failure.message.replace(/^(Cannot|There) /, lowered => lowered.toLowerCase())}`
  return { ok: false, failure: { ...result.failure, message } }
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

function refuse(ids: CallIds, result: Result<never>): CallState {
  return toState(result, { ids })
}

function toState(
  result: Result<Answer<Record<string, unknown>>>,
  { ids, warnings }: { ids: CallIds; warnings?: readonly string[] },
): CallState {
  return toCallState(result, ids, warnings)
}

/** TUL-004's own codes for its tool; everybody else keeps the common ones. */
function asToolCode(
  tool: Tool,
  { input }: CallParams,
  result: Result<Answer<Record<string, unknown>>>,
): typeof result {
  if (result.ok || !isCreateFile(tool)) return result
  const { code, kind, details } = result.failure
  const own = isOfParentFolder(details, (input as { path: string }).path)
    ? 'DirectoryCreateFailed'
    : CREATE_FILE_CODES[code]
  if (own === undefined) return result
  const usual = tool.declaration.failures[own] ?? kind
  const failure = { ...result.failure, code: own, kind: kind === 'denied' ? kind : usual }
  return { ok: false, failure }
}

function isCreateFile(tool: Tool): boolean {
  return tool.declaration.name === 'workspace_create_file'
}

/** What failed was a folder on the way to the file. */
function isOfParentFolder(
  details: Readonly<Record<string, unknown>> | undefined,
  path: string,
): boolean {
  if (details?.errno === undefined) return false
  if (details.cause === 'folder') return true
  const target = parseDocPath(path)
  const failed = parseDocPath(String(details.path))
  return target.ok && failed.ok && target.value.startsWith(`${failed.value}/`)
}

/** Written, and gone or changed again before its content could be hashed (TUL-004 §5.3). */
function findUnhashed(tool: Tool, files: readonly PublishedFile[]): Result<never> | undefined {
  const file = isCreateFile(tool) ? files.find(each => each.contentHash === null) : undefined
  if (!file) return undefined
  const { path, after: sha256 } = file
  return fail(
    'HashFailed',
    `"${path}" was written, but it could not be read again to compute its content hash: something else changed it meanwhile. Read it before you go on.`,
    { kind: 'internal', details: { path, sha256 } },
  )
}

const CREATE_FILE_CODES: Readonly<Record<string, string>> = {
  WRITE_FAILED: 'WriteFailed',
  LOCKED: 'WriteFailed',
  TOO_LARGE: 'TooLarge',
  INTERNAL_ERROR: 'UnhandledException',
}

function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(normaliseForContentHash(bytes)).digest('hex')
}

function oneCallDraftId(toolCallId: string): DraftId {
  return `drf_${toolCallId}` as DraftId
}

/** One draft is applied once: its change set's id follows from it. */
export function changeSetIdOf(draftId: DraftId): ChangeSetId {
  return `cs_${draftId.replace(/^drf_/, '')}` as ChangeSetId
}

function isUndecided({ state, approvalId, decision }: Draft): boolean {
  return state === 'open' && approvalId !== undefined && decision === undefined
}
