import {
  dropUnlessBegun,
  Exit,
  type FolderOptions,
  type Host,
  howToAnswer,
  howToApprove,
  inFolder,
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
  type Toolset,
  visible,
  visibleName,
} from '@filewright/protocol'
import { settleInstructions } from '../../input/instructions-question.ts'
import { canAsk } from '../../input/prompt.ts'
import { readStdin } from '../../input/read-stdin.ts'
import { settleScan } from '../../input/scan-question.ts'
import { answer, answerData } from '../../output/output.ts'
import { approveAll, askApproval, openApprovals } from '../approvals/approvals.ts'
import { askQuestion, openQuestions } from '../approvals/questions.ts'
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
  readonly effort?: string
  readonly light?: boolean
  readonly continue?: boolean
  readonly session?: string
  readonly rewind?: number
  readonly maxTurns?: number
  readonly budgetTokens?: number
  readonly budgetDollars?: number
  readonly budgetTime?: number
}

export async function run(
  { task: given, ...options }: RunOptions & { readonly task: string },
  host: Host,
): Promise<void> {
  const task = given === '-' ? await readStdin('the task on stdin is') : given
  if (task.trim() === '') throw new Exit(EXIT_CODES.invalid, 'name the task: filewright run "TASK"')
  return host.inWorkspace(options, async work => {
    const { connection, params } = work
    await settleScan(work, options)
    await settleInstructions(work)
    const earlier = await findEarlier(work, options)
    if (earlier) return begin(work, earlier, task, options, () => {})
    const { sessionId } = unwrapOrExit(
      await connection.call('createSession', {
        params,
        body: { title: task.trim().slice(0, 60) },
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
  const { toolset, plan, light, rewind } = options
  const model = await connection.useModel(options.model)
  if (rewind !== undefined) await goBack(work, sessionId, rewind)
  await follow(work, sessionId, options, async () => {
    const body = {
      text: task,
      model,
      toolset,
      approve: approvalPolicy(options),
      plan,
      light,
      ...boundsOf(options),
    }
    const sent = await connection.call('sendMessage', { params, body })
    const { notice, messageId } = unwrapOrExit(sent)
    begun()
    if (notice) note(notice)
    if (messageId)
      note(
        `· A run is in progress: it gets the message when the current tool is done. Take it back with: filewright queue take-back ${messageId} --session ${sessionId} ${inFolder(work)}`,
      )
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
    await settleInstructions(work)
    const sessionId = given ?? (await findStopped(work))
    if (!sessionId) return note('No run is stopped: there is nothing to resume.')
    const session = await connection.call('getSession', {
      params: { ...params, sessionId },
    })
    const { state, stopped } = unwrapOrExit(session)
    if (state === 'idle' && !stopped) return publishLeft(work, sessionId, options)
    await follow(work, sessionId, options, async () => {
      if (!(await answerApprovals(work, sessionId, options))) return false
      await connection.useModel(options.model)
      const body = {
        ...(options.model && { model: options.model }),
        approve: approvalPolicy(options),
        goOn: true,
        ...boundsOf(options),
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
  const open = sessions.find(({ state }) => state !== 'idle')
  if (open) return open.sessionId
  const last = sessions.find(({ kind }) => kind === 'work')?.sessionId
  const found =
    last && (await connection.call('getSession', { params: { ...params, sessionId: last } }))
  if (found && unwrapOrExit(found).stopped) return last
  const drafts = unwrapOrExit(await connection.call('listDrafts', { params }))
  return drafts.findLast(({ state, purpose }) => state === 'open' && purpose === 'workshop')
    ?.sessionId
}

/** The run itself has ended; what may be left is its draft. */
async function publishLeft(work: Work, sessionId: string, options: RunOptions): Promise<void> {
  const { published, waits } = await publishDraft(work, sessionId, options, { reason: 'final' })
  if (published) answer(published)
  if (waits) {
    process.exitCode = EXIT_CODES.waiting
    return
  }
  if (published) return
  note(
    'The run of this session has ended: there is nothing to resume. "filewright review" shows what its draft holds.',
  )
}

/** The conversation that the task goes on with, if it is not a new one. */
async function findEarlier(
  { connection, params }: Work,
  { continue: isLast, session, rewind }: RunOptions,
): Promise<string | undefined> {
  if (session !== undefined && isLast)
    throw new Exit(EXIT_CODES.invalid, 'give --continue or --session, not both')
  if (session !== undefined) return session
  if (!isLast && rewind !== undefined)
    throw new Exit(EXIT_CODES.invalid, '--rewind needs --continue or --session')
  if (!isLast) return undefined
  const { sessions } = unwrapOrExit(await connection.call('listSessions', { params }))
  const last = sessions.find(({ kind }) => kind === 'work')
  if (!last)
    throw new Exit(
      EXIT_CODES.missing,
      'there is no earlier conversation in this folder: omit --continue',
    )
  return last.sessionId
}

async function goBack({ connection, params, config }: Work, sessionId: string, seq: number) {
  const body = { seq, by: config.userName }
  const rewound = await connection.call('rewind', { params: { ...params, sessionId }, body })
  const { withdrawn, written } = unwrapOrExit(rewound)
  if (withdrawn.length > 0) note(`· Out of the draft again: ${withdrawn.map(visible).join(', ')}`)
  if (written.length > 0)
    note(`· Already written, and left as it is: ${written.map(visible).join(', ')}`)
}

function boundsOf(options: RunOptions) {
  const {
    effort,
    maxTurns,
    budgetTokens: tokens,
    budgetDollars: dollars,
    budgetTime: seconds,
  } = options
  const budget = { tokens, dollars, seconds }
  const hasBudget = Object.values(budget).some(amount => amount !== undefined)
  return { effort, maxTurns, ...(hasBudget && { budget }) }
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
        isJson ? answerData(JSON.stringify({ ...event, ...notification })) : text.print(event),
    },
    {
      signal: stop.signal,
      settings: { model: options.model, approve: approvalPolicy(options), plan: options.plan },
    },
  )
  try {
    const first = events.next()
    if (!(await start())) return await leaveWaiting(work, sessionId)
    text.begin()
    for (let next = await first; !next.done; next = await events.next()) {
      const end = next.value
      text.endLine()
      if (end.reason === 'waiting' && (await answerApprovals(work, sessionId, options))) continue
      return await finish(work, sessionId, end, options)
    }
  } finally {
    text.endLine()
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
  const left = policy === 'all' ? approvals.filter(({ needsPerson }) => needsPerson) : approvals
  const questions = await openQuestions(work, sessionId)
  if (!canAsk()) return left.length + questions.length === 0
  for (const question of questions) if (!(await askQuestion(work, question))) return false
  if (policy === 'rules') return left.length === 0
  for (const { id } of left) if (!(await askApproval(work, id))) return false
  return true
}

/** Says what a person has to answer before the run can go on. */
async function leaveWaiting(work: Work, sessionId: string): Promise<void> {
  for (const { id, label } of await openApprovals(work, sessionId))
    note(`${label}: waits for a person. Approve it with: ${howToApprove(id, work)}`)
  for (const { id, question } of await openQuestions(work, sessionId))
    note(`${visibleName(question)} Answer it with: ${howToAnswer(id, work)}`)
  note(`Then continue with: filewright resume ${sessionId} ${inFolder(work)}`)
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
  if (end.reason === 'limit' || end.reason === 'cancelled' || end.reason === 'failed')
    note(`· Go on with: filewright resume ${sessionId} ${inFolder(work)}`)
  if (end.usage) note(`· ${describeSpend(end.usage)}`)
  const { published, waits }: Publishing =
    end.reason === 'waiting' ? {} : await publishDraft(work, sessionId, options, end)
  if (!isJson) answer(published ?? end.closing)
  else if (published) answerData(JSON.stringify({ type: 'published', message: published }))
  if (end.reason === 'waiting') await leaveWaiting(work, sessionId)
  else process.exitCode = waits && end.reason === 'final' ? EXIT_CODES.waiting : EXIT_OF[end.reason]
}

const EXIT_OF: Readonly<Record<Exclude<RunEnd['reason'], 'waiting'>, number>> = {
  final: EXIT_CODES.success,
  cancelled: EXIT_CODES.cancelled,
  limit: EXIT_CODES.limit,
  failed: EXIT_CODES.unavailable,
}
