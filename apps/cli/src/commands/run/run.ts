import {
  dropUnlessBegun,
  Exit,
  type FolderOptions,
  type Host,
  howToApprove,
  inFolder,
  lastCursor,
  note,
  type RunEnd,
  unwrapOrExit,
  type Work,
  watchRun,
} from '@filewright/host'
import { type ApprovalPolicy, describeSpend, EXIT_CODES, type Toolset } from '@filewright/protocol'
import { canAsk } from '../../input/prompt.ts'
import { settleScan } from '../../input/scan-question.ts'
import { answer } from '../../output/output.ts'
import { approveAll, askApproval, openApprovals } from '../approvals/approvals.ts'
import { type Publishing, type PublishPolicy, publishDraft } from './publish-draft.ts'
import { createTextPrinter } from './text-printer.ts'

interface RunOptions extends FolderOptions {
  readonly toolset?: Toolset
  readonly model?: string
  readonly active?: readonly string[]
  readonly publish?: PublishPolicy
  readonly approve?: ApprovalPolicy
  readonly output?: 'text' | 'json'
  readonly plan?: boolean
  readonly budgetTokens?: number
  readonly budgetDollars?: number
}

export async function run(
  { task, ...options }: RunOptions & { readonly task: string },
  host: Host,
): Promise<void> {
  if (task.trim() === '') throw new Exit(EXIT_CODES.invalid, 'name the task: filewright run "TASK"')
  return host.inWorkspace(options, async work => {
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

export function resume(
  { session: given, ...options }: RunOptions & { readonly session?: string },
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async work => {
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

/** False when something still waits, because there is no one to ask or the person decides later. */
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
