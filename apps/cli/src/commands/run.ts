import {
  dropUnlessBegun,
  Exit,
  type FolderOptions,
  inWorkspace,
  lastCursor,
  note,
  type RunEnd,
  unwrapOrExit,
  type Work,
  watchRun,
} from '@filewright/host'
import {
  type ApprovalPolicy,
  describeSpend,
  EXIT_CODES,
  type SessionEvent,
  type Toolset,
  visible,
} from '@filewright/protocol'
import { askYesNo, canAsk } from '../input/prompt.ts'
import { settleScan } from '../input/scan-question.ts'
import { answer } from '../output/output.ts'
import { showChanges } from '../output/show-changes.ts'
import { approveAll, askApproval, howToApprove, inFolder, openApprovals } from './approvals.ts'

export interface RunOptions extends FolderOptions {
  readonly toolset?: Toolset
  readonly model?: string
  readonly active?: readonly string[]
  readonly publish?: 'ask' | 'auto' | 'never'
  readonly approve?: ApprovalPolicy
  readonly output?: 'text' | 'json'
  readonly plan?: boolean
  readonly budgetTokens?: number
  readonly budgetDollars?: number
}

export async function run(task: string, options: RunOptions): Promise<void> {
  if (task.trim() === '')
    throw new Exit(EXIT_CODES.invalid, 'say what is wanted: filewright run "TASK"')
  return inWorkspace(options, async work => {
    const { connection, params } = work
    await settleScan(work, options)
    const { sessionId } = unwrapOrExit(
      await connection.call('createSession', {
        params,
        body: { title: task.slice(0, 60) },
      }),
    )
    await dropUnlessBegun(work, sessionId, begun => begin(work, sessionId, task, options, begun))
  })
}

async function begin(
  work: Work,
  sessionId: string,
  task: string,
  options: RunOptions,
  begun: () => void,
): Promise<void> {
  const { connection } = work
  const params = { ...work.params, sessionId }
  for (const path of options.active ?? [])
    unwrapOrExit(await connection.call('addActiveFile', { params, body: { path } }))
  const { toolset, plan, budgetTokens, budgetDollars } = options
  const model = await connection.useModel(options.model)
  const hasBudget = budgetTokens !== undefined || budgetDollars !== undefined
  await follow(work, sessionId, options, async () => {
    const body = {
      text: task,
      model,
      toolset,
      approve: approvalPolicy(options),
      plan,
      ...(hasBudget && { budget: { tokens: budgetTokens, dollars: budgetDollars } }),
    }
    const sent = await connection.call('sendMessage', { params, body })
    const { notice } = unwrapOrExit(sent)
    begun()
    if (notice) note(notice)
    return true
  })
}

export function resume(given: string | undefined, options: RunOptions): Promise<void> {
  return inWorkspace(options, async work => {
    const { connection, params } = work
    await settleScan(work, options)
    const sessionId = given ?? (await findStopped(work))
    if (!sessionId) return note('No run is stopped: there is nothing to resume.')
    const session = await connection.call('getSession', {
      params: { ...params, sessionId },
    })
    if (unwrapOrExit(session).state === 'idle') return publishLeft(work, sessionId, options)
    await follow(work, sessionId, options, async () => {
      if (!(await answerApprovals(work, sessionId, options))) return false
      await connection.useModel(options.model)
      const body = {
        ...(options.model && { model: options.model }),
        approve: approvalPolicy(options),
      }
      unwrapOrExit(await connection.call('resume', { params: { ...params, sessionId }, body }))
      return true
    })
  })
}

/** The run that stopped last, or one that ended with its draft left open. */
async function findStopped({ connection, params }: Work): Promise<string | undefined> {
  const listed = await connection.call('listSessions', { params })
  const { sessions } = unwrapOrExit(listed)
  const stopped = sessions.find(({ state }) => state !== 'idle')
  if (stopped) return stopped.sessionId
  const drafts = unwrapOrExit(await connection.call('listDrafts', { params }))
  return drafts.findLast(({ state, purpose }) => state === 'open' && purpose === 'workshop')
    ?.sessionId
}

/** The run itself has ended; what may be left is its draft. */
async function publishLeft(work: Work, sessionId: string, options: RunOptions): Promise<void> {
  const { published, waits } = await publishDraft(work, sessionId, options, 'final')
  if (published) return answer(published)
  if (waits) {
    process.exitCode = EXIT_CODES.waiting
    return
  }
  note(
    'The run of this session has ended: there is nothing to resume. "filewright review" shows what its draft holds.',
  )
}

/** On a terminal a person is asked; elsewhere what a rule does not allow waits. */
function approvalPolicy({ approve }: RunOptions): ApprovalPolicy {
  return approve ?? (canAsk() ? 'ask' : 'rules')
}

async function follow(
  work: Work,
  sessionId: string,
  options: RunOptions,
  start: () => Promise<boolean>,
): Promise<void> {
  const isJson = options.output === 'json'
  const stop = new AbortController()
  const after = unwrapOrExit(await lastCursor(work, sessionId))
  const cancel = () =>
    void work.connection.call('cancel', { params: { ...work.params, sessionId }, body: {} })
  process.once('SIGINT', cancel)
  const text = createTextPrinter()
  const events = watchRun(
    work,
    sessionId,
    after,
    {
      onEvent: (event, notification) =>
        isJson ? answer(JSON.stringify({ ...event, ...notification })) : text.print(event),
    },
    {
      signal: stop.signal,
      settings: { model: options.model, approve: approvalPolicy(options), plan: options.plan },
    },
  )
  try {
    const first = events.next()
    if (!(await start())) return await leaveWaiting(work, sessionId)
    for (let next = await first; !next.done; next = await events.next()) {
      const end = next.value
      text.endLine()
      if (end.reason === 'waiting' && (await answerApprovals(work, sessionId, options))) continue
      return await finish(work, sessionId, end, options)
    }
  } finally {
    process.off('SIGINT', cancel)
    stop.abort()
  }
}

/** False when something still waits, because nobody can be asked here or wants to decide later. */
async function answerApprovals(
  work: Work,
  sessionId: string,
  options: RunOptions,
): Promise<boolean> {
  const approvals = await openApprovals(work, sessionId)
  const policy = approvalPolicy(options)
  if (policy === 'all') await approveAll(work, approvals)
  else if (policy === 'ask' && canAsk()) {
    for (const { id } of approvals) if (!(await askApproval(work, id))) return false
  } else return approvals.length === 0
  return true
}

/** Says what a person has to answer before the run can go on. */
async function leaveWaiting(work: Work, sessionId: string): Promise<void> {
  for (const { id, label } of await openApprovals(work, sessionId))
    note(`${label}: waits for a person. Approve it with: ${howToApprove(id, work)}`)
  note(`Then go on with: filewright resume ${sessionId} ${inFolder(work)}`)
  process.exitCode = EXIT_CODES.waiting
}

async function finish(
  work: Work,
  sessionId: string,
  end: RunEnd,
  options: RunOptions,
): Promise<void> {
  const isJson = options.output === 'json'
  // what a limit said was printed as it came
  if (end.message && (isJson || end.reason !== 'limit')) note(end.message)
  if (end.reason === 'limit')
    note(
      `· It can go on from the page ("filewright serve ${inFolder(work)}"), under "Earlier conversations".`,
    )
  if (end.usage) note(`· ${describeSpend(end.usage)}`)
  const { published, waits }: Publishing =
    end.reason === 'waiting' ? {} : await publishDraft(work, sessionId, options, end.reason)
  if (!isJson) answer(published ?? end.closing)
  else if (published) answer(JSON.stringify({ type: 'published', message: published }))
  if (end.reason === 'waiting') await leaveWaiting(work, sessionId)
  else process.exitCode = waits && end.reason === 'final' ? EXIT_CODES.waiting : EXIT_OF[end.reason]
}

const EXIT_OF: Readonly<Record<Exclude<RunEnd['reason'], 'waiting'>, number>> = {
  final: EXIT_CODES.success,
  cancelled: EXIT_CODES.cancelled,
  limit: EXIT_CODES.limit,
  failed: EXIT_CODES.unavailable,
}

interface Publishing {
  readonly published?: string
  /** A person was to be asked, and there is none here. */
  readonly waits?: true
}

async function publishDraft(
  work: Work,
  sessionId: string,
  options: RunOptions,
  reason: RunEnd['reason'],
): Promise<Publishing> {
  const { connection, params, config } = work
  const how = options.publish ?? (canAsk() ? 'ask' : 'never')
  if (how === 'never') return {}
  const drafts = unwrapOrExit(await connection.call('listDrafts', { params }))
  const draft = drafts.find(
    each => each.sessionId === sessionId && each.state === 'open' && each.purpose === 'workshop',
  )
  if (!draft) return {}
  const which = `--draft ${draft.id} ${inFolder(work)}`
  if (how === 'auto' && reason !== 'final') {
    note(
      `The draft was not published, because the run did not come to its end: look at it with "filewright review ${which}" and publish it with "filewright publish --yes ${which}".`,
    )
    return {}
  }
  let revision: number | undefined
  if (how === 'ask') {
    const review = unwrapOrExit(
      await connection.call('review', { params, query: { draftId: draft.id } }),
    )
    if (review.changes.length === 0) return {}
    if (!canAsk()) {
      note(
        `The draft waits for a person: look at it with "filewright review ${which}" and publish it with "filewright publish --yes ${which}".`,
      )
      return { waits: true }
    }
    note(showChanges(review.changes, review.diffs))
    if (!(await askYesNo('Publish these changes?'))) return {}
    revision = review.draft.revision
  }
  const published = unwrapOrExit(
    await connection.call('publish', {
      params,
      body: { draftId: draft.id, revision, by: how === 'auto' ? 'publish auto' : config.userName },
    }),
  )
  for (const warning of published.warnings) note(`Warning: ${warning}`)
  return { published: published.message }
}

/** Text goes to stdout as it comes; what the tools do goes to stderr. */
function createTextPrinter() {
  let isMidLine = false
  let printed = { turnId: '', chars: 0 }
  return {
    print(event: SessionEvent) {
      if (event.type === 'run-lost') return this.endLine() // the command ends with what it says
      if (event.type !== 'row') {
        const before = printed.turnId === event.turnId ? printed.chars : 0
        // after a reconnect the text comes again from its beginning
        const text = event.type === 'text-so-far' ? event.text.slice(before) : event.text
        printed = { turnId: event.turnId, chars: before + text.length }
        if (text === '') return
        process.stdout.write(process.stdout.isTTY ? visible(text) : text)
        isMidLine = !text.endsWith('\n')
        return
      }
      const { body } = event.row
      if (body.type === 'retry') printed = { turnId: '', chars: 0 }
      // what was cut at the output limit goes on in the middle of its line
      const goesOn =
        body.type === 'assistant_message' && body.finish_reason === 'length' && !body.tool_calls
      if ((body.type === 'assistant_message' && !goesOn) || body.type === 'retry') this.endLine()
      if (body.type === 'call-start') note(`· ${body.label}`)
      if (body.type === 'tool_result' && !body.success) note(`  ${body.content.split('\n')[0]}`)
      if (body.type === 'retry')
        note(
          `· ${body.reason.replace(/\.$/, '')}; trying again in ${Math.ceil(body.wait_ms / 1000)} s`,
        )
      if (body.type === 'limit') {
        this.endLine()
        note(`· ${body.message}`)
      }
    },
    endLine() {
      if (isMidLine) process.stdout.write('\n')
      isMidLine = false
    },
  }
}
