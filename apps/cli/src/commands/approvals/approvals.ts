import {
  Exit,
  type FolderOptions,
  type Host,
  note,
  showChanges,
  showKey,
  unwrapOrExit,
  type Work,
} from '@filewright/host'
import {
  type Approval,
  type Decision,
  EXIT_CODES,
  type Result,
  visible,
} from '@filewright/protocol'
import { type Picked, pick } from '../../input/pick.ts'
import { askLine, canAsk } from '../../input/prompt.ts'
import { answer, answerJson } from '../../output/output.ts'
import { openQuestions, showQuestion } from './questions.ts'

interface ApprovalOptions extends FolderOptions {
  readonly json?: boolean
}

export function list(options: ApprovalOptions & { all?: boolean }, host: Host): Promise<void> {
  return host.inWorkspace(options, async work => {
    const approvals = await findApprovals(work, options.all)
    const questions = await openQuestions(work)
    if (options.json)
      return answerJson([...approvals, ...questions.map(each => ({ ...each, state: 'open' }))])
    if (approvals.length + questions.length === 0) note('Nothing waits for a person.')
    for (const approval of approvals) show(approval)
    for (const question of questions) showQuestion(question)
  })
}

interface DecideCommandOptions extends ApprovalOptions {
  readonly id?: string
  readonly reason?: string
  readonly refuse?: readonly string[]
  readonly remember?: 'session' | 'always'
}

export function decide(
  verb: 'approve' | 'deny',
  { id, ...options }: DecideCommandOptions,
  host: Host,
): Promise<void> {
  return host.inWorkspace(options, async work => {
    if (id === undefined) return askAll(work)
    const isAll = id === 'all'
    const open: readonly Asked[] = isAll ? await findApprovals(work) : [{ id, label: '' }]
    if (open.length === 0) note('Nothing waits for a person.')
    for (const approval of open) {
      if (isAll && verb === 'approve' && leaveExecuted(approval)) continue
      const decided = await send(work, approval.id, {
        decision: verb === 'approve' ? 'approved' : 'denied',
        by: work.config.userName,
        reason: options.reason,
        refused: options.refuse?.map(changeId => ({ changeId, reason: options.reason })),
        remember: options.remember,
      })
      const answered = isAll ? unlessAnswered(decided) : unwrapOrExit(decided)
      if (!answered || 'pending' in answered.outcome) continue
      const { envelope } = answered.outcome.outcome
      if (options.json) answerJson(envelope)
      else answer(isAll ? `${approval.label}: ${envelope.message}` : envelope.message)
      const isExpected = envelope.success || (verb === 'deny' && envelope.kind === 'denied')
      if (!isExpected) process.exitCode = EXIT_CODES[envelope.kind ?? 'internal']
    }
  })
}

/** Each in its turn, until one is left for later. */
async function askAll(work: Work): Promise<void> {
  if (!canAsk())
    throw new Exit(
      EXIT_CODES.invalid,
      'name the approval, or "all"; on a terminal, without an id, each is asked about',
    )
  const open = await findApprovals(work)
  if (open.length === 0) note('Nothing waits for a person.')
  for (const { id } of open) if (!(await askApproval(work, id))) return
}

type Asked = Pick<Approval, 'id' | 'label' | 'executed'>

/** Files that other programs execute are approved one by one. */
function leaveExecuted({ id, label, executed = [] }: Asked): boolean {
  for (const { why } of executed)
    note(visible(`${label}: ${why} Approve it by its id: filewright approvals approve ${id}`))
  if (executed.length > 0) process.exitCode = EXIT_CODES.waiting
  return executed.length > 0
}

/** Shows an approval and takes the answer here; false when the person wants to decide later. */
export async function askApproval(work: Work, approvalId: string): Promise<boolean> {
  const approval = (await findApprovals(work)).find(({ id }) => id === approvalId)
  if (!approval) return true // answered elsewhere meanwhile
  note(titleOf(approval))
  note(showChanges(approval.changes, approval.diffs))
  for (const warning of approval.warnings) note(`Warning: ${warning}`)
  const decision = await askDecision(approval, work.config.userName)
  if (!decision) return false
  unlessAnswered(await send(work, approvalId, decision))
  return true
}

/** Asks until the answer means something; nothing when the person wants to decide later. */
async function askDecision({ changes }: Approval, by: string): Promise<Decision | undefined> {
  const canNarrow = changes.length > 1
  const question = `Approve? [y]es, [n]o (a reason may follow), [l]ater${canNarrow ? ', [p]ick, or the ids of changes to refuse' : ''}: `
  for (;;) {
    const line = await askLine(question)
    if (line === '' || /^l(ater)?$/i.test(line)) return undefined
    if (/^y(es)?$/i.test(line)) return { decision: 'approved', by }
    const [, reason] = /^no?(?:$|[\s,:]+(.*))/i.exec(line) ?? []
    if (/^no?(?:$|[\s,:])/i.test(line)) return { decision: 'denied', by, ...(reason && { reason }) }
    if (canNarrow && /^p(ick)?$/i.test(line)) {
      const picked = await pick(changes, { canLeave: false })
      if (picked) return toDecision(picked, by)
      continue
    }
    const ids = line.split(/[\s,]+/)
    const strange = ids.filter(id => !changes.some(change => change.id === id))
    if (strange.length === 0)
      return { decision: 'approved', by, refused: ids.map(changeId => ({ changeId })) }
    note(`"${strange.join(' ')}" is neither an answer nor the id of one of its changes.`)
  }
}

function toDecision({ accepted, refused }: Picked, by: string): Decision {
  if (accepted.length === 0) return { decision: 'denied', by }
  return { decision: 'approved', by, refused: refused.map(changeId => ({ changeId })) }
}

/** What a run of this session waits for. */
export async function openApprovals(work: Work, sessionId: string): Promise<readonly Approval[]> {
  return (await findApprovals(work)).filter(approval => approval.sessionId === sessionId)
}

/** Approves without asking, because the run was started that way; not what only a person may approve. */
export async function approveAll(work: Work, approvals: readonly Approval[]): Promise<void> {
  for (const { id, needsPerson } of approvals) {
    if (needsPerson) continue
    const body = { decision: 'approved', by: work.config.userName, unasked: true } as const
    const decided = await send(work, id, body)
    if (!decided.ok && decided.failure.details?.needsPerson) note(decided.failure.message)
    else unlessAnswered(decided)
  }
}

async function findApprovals(
  { connection, params }: Work,
  all?: boolean,
): Promise<readonly Approval[]> {
  return unwrapOrExit(
    await connection.call('listApprovals', {
      params,
      query: all ? { all: 'true' } : {},
    }),
  )
}

function send(
  { connection, params }: Work,
  approvalId: string,
  decision: Decision & { readonly unasked?: true },
) {
  return connection.call('decide', {
    params: { ...params, approvalId },
    body: decision,
  })
}

/** Someone answered first, at another terminal or on the page: a note says so, and the rest continues. */
function unlessAnswered<Value>(decided: Result<Value>): Value | undefined {
  if (decided.ok || decided.failure.code !== 'CONFLICT') return unwrapOrExit(decided)
  note(decided.failure.message)
  return undefined
}

/** The label of the batch, with the model's key for it. */
function titleOf({ label, changes }: Approval): string {
  return `${label}${showKey(changes.find(change => change.labels)?.labels?.batchKey)}`
}

function show(approval: Approval): void {
  answer(`${approval.id}  ${approval.state}  ${approval.tool}  ${titleOf(approval)}`)
  answer(showChanges(approval.changes, approval.diffs))
  for (const warning of approval.warnings) note(`Warning: ${warning}`)
}
