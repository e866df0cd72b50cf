import type { Approval, CallState, Failure, GivenBody, OpenQuestion } from '@filewright/protocol'
import { visible } from '@filewright/protocol'
import { useCallback, useState } from 'react'
import { Changes, KeyMark } from '../change/changes.tsx'
import { describeRule } from '../history/rules.tsx'
import { Button } from '../parts/button.tsx'
import type { PaneProps } from '../parts/pane.ts'
import { FailureNote, Warnings } from '../parts/section.tsx'
import { When } from '../parts/when.tsx'
import { type Written, WrittenNote, wayBack } from '../parts/written.tsx'
import { usePolled } from '../use-polled.ts'
import { QuestionCard } from './question-card.tsx'

type DecisionBody = GivenBody<'decide'>

/** What waits for the person, where the run is now. */
export function Approvals({ onAnswered, ...pane }: PaneProps & { onAnswered: () => void }) {
  const { polled, written, setWritten, failure, decide, tell } = useWaiting(pane, onAnswered)
  const { approvals = [], questions = [] } = polled.value ?? {}
  const isNeeded = approvals.length + questions.length > 0
  return (
    <section
      aria-label="Waiting for you"
      className={isNeeded || written || failure ? 'mt-4' : 'hidden'}
    >
      {failure && <FailureNote failure={failure} />}
      {written && <WrittenNote key={written.message} written={written} onChange={setWritten} />}
      {questions.map(question => (
        <QuestionCard
          key={question.id}
          question={question}
          onAnswer={given => tell(question, given)}
        />
      ))}
      {approvals.map(approval => (
        <ApprovalCard
          key={approval.id}
          approval={approval}
          onAnswer={answer => decide(approval, answer)}
        />
      ))}
    </section>
  )
}

/** What waits for the person, and how they answer. */
function useWaiting({ api, workspaceId, pulse }: PaneProps, onAnswered: () => void) {
  const ask = useCallback(async () => {
    const params = { workspaceId }
    const approvals = await api.call('listApprovals', { params })
    if (!approvals.ok) return approvals
    const questions = await api.call('listQuestions', { params })
    if (!questions.ok) return questions
    return { ok: true, value: { approvals: approvals.value, questions: questions.value } } as const
  }, [api, workspaceId])
  const polled = usePolled(ask, pulse)
  const [written, setWritten] = useState<Written>()
  const [failure, setFailure] = useState<Failure>()

  const decide = async (approval: Approval, answer: DecisionBody) => {
    const decided = await api.call('decide', {
      params: { workspaceId, approvalId: approval.id },
      body: answer,
    })
    const failed = decided.ok ? failureOf(decided.value.outcome) : decided.failure
    const isDenied = answer.decision === 'denied'
    setFailure(isDenied && decided.ok ? undefined : failed)
    setWritten(
      failed && !(isDenied && decided.ok)
        ? undefined
        : {
            message: `${isDenied ? 'Denied' : 'Done'}: ${approval.label}.`,
            warnings: [],
            isUndone: false,
            ...(!isDenied && wayBack(api, workspaceId, approval.draftId)),
          },
    )
    polled.reload()
  }

  /** The conversation says what was answered. */
  const tell = async ({ id }: OpenQuestion, given: string) => {
    const answered = await api.call('answerQuestion', {
      params: { workspaceId, questionId: id },
      body: { answer: given },
    })
    setFailure(answered.ok ? undefined : answered.failure)
    setWritten(undefined)
    polled.reload()
    if (answered.ok) onAnswered()
  }

  return { polled, written, setWritten, failure, decide, tell }
}

function ApprovalCard({
  approval,
  onAnswer,
}: {
  approval: Approval
  onAnswer: (answer: DecisionBody) => Promise<void>
}) {
  const { label, changes } = approval
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const left = changes.filter(({ id }) => refused.has(id))
  const accepted = changes.length - left.length
  const why = reason.trim() || undefined

  const answer = async (given: DecisionBody) => {
    setBusy(true)
    await onAnswer(given)
    setBusy(false)
  }
  const approve = () =>
    answer({
      decision: 'approved',
      refused: left.map(({ id }) => ({ changeId: id, reason: why })),
    })

  return (
    <article
      aria-label={visible(label)}
      className="mt-3 rounded-lg border border-accent bg-raised p-3 shadow-float"
    >
      <ApprovalHead {...approval} />
      <Changes changes={changes} refused={refused} onRefused={setRefused} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button kind="primary" disabled={busy || accepted === 0} onClick={approve}>
          {left.length === 0 ? 'Approve' : `Approve ${accepted} of ${changes.length}`}
        </Button>
        <Button
          kind="danger"
          disabled={busy}
          onClick={() => answer({ decision: 'denied', reason: why })}
        >
          Deny
        </Button>
        <WhyNot reason={reason} onReason={setReason} />
      </div>
      {left.length === 0 && (
        <Remember
          approval={approval}
          busy={busy}
          onRemember={remember => answer({ decision: 'approved', remember })}
        />
      )}
    </article>
  )
}

function WhyNot({ reason, onReason }: { reason: string; onReason: (reason: string) => void }) {
  return (
    <input
      aria-label="Why not"
      className="min-w-40 flex-1 rounded-md border border-field bg-card px-2 py-1 text-sm"
      placeholder="Why not? For the model"
      maxLength={2000}
      value={reason}
      onChange={event => onReason(event.target.value)}
    />
  )
}

function ApprovalHead({ label, description, time, warnings, changes }: Approval) {
  return (
    <>
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="keep-inside font-medium">
          {visible(label)}{' '}
          <KeyMark text={changes.find(change => change.labels)?.labels?.batchKey} />
        </h3>
        <When time={time} />
      </div>
      {description && <p className="keep-inside mt-1 text-muted">{visible(description)}</p>}
      <Warnings warnings={warnings} />
    </>
  )
}

/** The rule that an answer would make is read before it is made. */
function Remember({
  approval: { changes, tool, sessionId },
  busy,
  onRemember,
}: {
  approval: Approval
  busy: boolean
  onRemember: (remember: 'session' | 'always') => void
}) {
  const paths = [...new Set(changes.map(({ docPath }) => docPath))].filter(
    path => !/[*?{]/.test(path),
  )
  if (paths.length === 0) return null
  const rules = (own: object) =>
    paths.slice(0, 5).map(path => describeRule({ effect: 'write', tool, path, ...own }))
  return (
    <details className="mt-2 text-sm text-muted">
      <summary>Do not ask again about this</summary>
      <ul className="mt-1 list-disc pl-5">
        {rules({}).map(rule => (
          <li key={rule} className="keep-inside">
            {rule}
          </li>
        ))}
        {paths.length > 5 && <li>and {paths.length - 5} more files</li>}
      </ul>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          size="small"
          disabled={busy}
          title={rules({ sessionId }).join(' ')}
          onClick={() => onRemember('session')}
        >
          Approve, and always in this conversation
        </Button>
        <Button size="small" disabled={busy} onClick={() => onRemember('always')}>
          Approve, and always
        </Button>
      </div>
    </details>
  )
}

/** An approved call may still find that its files have changed. */
function failureOf(state: CallState): Failure | undefined {
  if (!('outcome' in state) || state.outcome.envelope.success) return undefined
  const { errorCode, kind, message, errors } = state.outcome.envelope
  return { code: errorCode ?? '', kind: kind ?? 'internal', message, errors }
}
