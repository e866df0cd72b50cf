import type {
  JournalLine,
  LineOf,
  LogRow,
  PlanStep,
  QueuedMessage,
  SessionEvent,
  Usage,
} from '@filewright/protocol'
import { toDraftNote } from '../log/draft-note.ts'
import { failureReason } from '../log/failure-reason.ts'

/** One thing to see, in the order in which it happened. */
export type RunEntry = { readonly key: string } & (
  | { readonly kind: 'person'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly isStreaming: boolean }
  | {
      readonly kind: 'call'
      readonly label: string
      readonly state: 'running' | 'waiting' | 'done' | 'failed'
      /** Why it failed. */
      readonly message?: string
      /** While it runs: how far it has come. */
      readonly progress?: string
      /** It asks the person: its result is their answer. */
      readonly isQuestion?: boolean
    }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'plan'; readonly steps: readonly PlanStep[] }
  | {
      readonly kind: 'end'
      readonly closing: string
      readonly message?: string
      readonly usage?: Usage
      /** Something waits in the draft. */
      readonly isDrafted: boolean
    }
)

/** A session as a person sees it: folded from its events, the same again from its beginning. */
export type RunView = {
  readonly entries: readonly RunEntry[]
  readonly state: 'idle' | 'running' | 'waiting'
  /** The call of each approval that was asked for. */
  readonly approvals: Readonly<Record<string, string>>
  readonly isDrafted: boolean
  /** The run is paused: nothing comes until it is resumed or stopped. */
  readonly isLost: boolean
  /** Messages that the run takes up at its next step. */
  readonly queued: readonly QueuedMessage[]
  /** The last run ended before the model was done: it can go on. */
  readonly isStopped: boolean
  /** Grows when something happened that shows elsewhere on the page: an approval, an answer, an end. */
  readonly pulse: number
}

export const EMPTY_VIEW: RunView = {
  entries: [],
  state: 'idle',
  approvals: {},
  isDrafted: false,
  isLost: false,
  queued: [],
  isStopped: false,
  pulse: 0,
}

export function foldEvent(view: RunView, event: SessionEvent): RunView {
  if (event.type === 'row') return foldRow({ ...view, isLost: false }, event.row)
  if (event.type === 'run-lost')
    return put(
      { ...settled(view), isLost: true },
      { kind: 'note', key: `lost ${view.entries.length}`, text: event.message },
    )
  if (event.type === 'queue') return { ...view, queued: event.messages }
  if (event.type === 'call-progress')
    return withCall(view, event.toolCallId, { progress: event.text })
  const entry = view.entries.find(({ key }) => key === event.turnId)
  const before = event.type === 'text-delta' && entry?.kind === 'text' ? entry.text : ''
  return put(view, {
    kind: 'text',
    key: event.turnId,
    text: before + event.text,
    isStreaming: true,
  })
}

function foldRow(view: RunView, { seq, body }: LogRow): RunView {
  const key = `row ${seq}`
  switch (body.type) {
    case 'user_message':
    case 'steer':
      return put(withoutQueued(view, body.message_id), { kind: 'person', key, text: body.text })
    case 'run-start':
      return foldRunStart(view, key, body)
    case 'rewind':
      return put(wentBack(pulsed(view), body), { kind: 'note', key, text: toRewindNote(body) })
    case 'assistant_message':
      if (body.text.trim() === '') return without(view, body.turn_id)
      return foldAnswer(view, key, body)
    case 'call-start':
      return foldStart(view, body)
    case 'approval': {
      const approvals = { ...view.approvals, [body.approval_id]: body.tool_call_id }
      return withCall({ ...pulsed(view), approvals }, body.tool_call_id, { state: 'waiting' })
    }
    case 'question':
      return withCall(pulsed(view), body.tool_call_id, {
        state: 'waiting',
        label: body.question,
        isQuestion: true,
      })
    case 'plan':
      return put(withoutPlan(view), { kind: 'plan', key, steps: body.steps })
    case 'helper':
      return foldDelegated(view, key, body.line)
    case 'decision': {
      const callId = view.approvals[body.approval_id]
      if (callId === undefined) return view
      return withCall({ ...pulsed(view), state: 'running' }, callId, { state: 'running' })
    }
    case 'tool_result':
      return foldResult(view, body)
    case 'retry': {
      const text = `${body.reason.replace(/\.$/, '')}. Trying again in ${Math.ceil(body.wait_ms / 1000)} s.`
      return put(without(view, body.turn_id), { kind: 'note', key, text })
    }
    case 'limit':
      return put(view, { kind: 'note', key, text: `${body.message} ${GO_ON}` })
    case 'compaction':
      return body.summary === undefined
        ? view
        : put(view, { kind: 'note', key, text: 'The conversation so far was summarized.' })
    case 'cancel':
      return put(view, { kind: 'note', key, text: `Stopped by ${body.by}.` })
    case 'run-end':
      return foldEnd(pulsed(view), key, body)
    case 'draft':
      return put(
        { ...pulsed(view), isDrafted: view.isDrafted && !isClosing(body) },
        { kind: 'note', key, text: toDraftNote(body) },
      )
    default:
      return view
  }
}

function foldRunStart(view: RunView, key: string, { goes_on }: LineOf<'run-start'>): RunView {
  const started = { ...view, state: 'running', isDrafted: false, isStopped: false } as const
  return goes_on ? put(started, { kind: 'note', key, text: 'Continued.' }) : started
}

/** A run has one checklist: the newest, where the run is now. */
function withoutPlan(view: RunView): RunView {
  const ended = view.entries.findLastIndex(({ kind }) => kind === 'end')
  const entries = view.entries.filter(({ kind }, at) => kind !== 'plan' || at < ended)
  return { ...view, entries }
}

function withoutQueued(view: RunView, taken: string | undefined): RunView {
  const queued = view.queued.filter(({ messageId }) => messageId !== taken)
  return { ...view, queued, state: 'running' }
}

function foldAnswer(view: RunView, key: string, line: LineOf<'assistant_message'>): RunView {
  const { turn_id, text } = line
  return withCut(put(view, { kind: 'text', key: turn_id, text, isStreaming: false }), key, line)
}

function foldStart(view: RunView, { tool_call_id, label }: LineOf<'call-start'>): RunView {
  return put(view, { kind: 'call', key: tool_call_id, label, state: 'running' })
}

/** Of a helper, what it reads. */
function foldDelegated(view: RunView, key: string, line: JournalLine): RunView {
  return line.type === 'call-start' ? put(view, { kind: 'note', key, text: line.label }) : view
}

function isClosing({ action, undecided }: LineOf<'draft'>): boolean {
  return action === 'discarded' || (action === 'published' && !undecided)
}

/** A limit ends the run, not the conversation. */
const GO_ON = 'You can continue it.'

/** The first thing that a run shows is the message that began it. */
function wentBack(view: RunView, { to_seq }: LineOf<'rewind'>): RunView {
  const at = view.entries.findIndex(({ key }) => Number(/^row (\d+)$/.exec(key)?.[1]) > to_seq)
  const entries = at < 0 ? view.entries : view.entries.slice(0, at)
  return { ...view, entries, isDrafted: false, isStopped: false }
}

function toRewindNote({ withdrawn, written }: LineOf<'rewind'>): string {
  const gone = withdrawn.length > 0 ? ` Out of the draft again: ${withdrawn.join(', ')}.` : ''
  const kept = written.length > 0 ? ` Already written, and left: ${written.join(', ')}.` : ''
  return `What came after this was taken back.${gone}${kept}`
}

/** What follows begins where this one was cut. */
function withCut(view: RunView, key: string, answer: LineOf<'assistant_message'>): RunView {
  if (answer.finish_reason !== 'length') return view
  return put(view, {
    kind: 'note',
    key,
    text: 'The answer was cut at the output limit of the model.',
  })
}

function pulsed(view: RunView): RunView {
  return { ...view, pulse: view.pulse + 1 }
}

function foldResult(view: RunView, result: LineOf<'tool_result'>): RunView {
  const isDrafted =
    view.isDrafted || (result.effects ?? []).some(effect => effect.where === 'draft')
  const call = view.entries.find(({ key }) => key === result.tool_call_id)
  const wasWaiting = call?.kind === 'call' && call.state === 'waiting'
  const folded = withCall(
    { ...(wasWaiting ? { ...pulsed(view), state: 'running' } : view), isDrafted },
    result.tool_call_id,
    result.success ? { state: 'done' } : { state: 'failed', message: failureReason(result) },
  )
  if (!wasWaiting || !call.isQuestion || !result.success) return folded
  return put(folded, { kind: 'note', key: `${call.key} answer`, text: result.content })
}

/** A run that waits has not ended: it continues with the answer. */
function foldEnd(view: RunView, key: string, end: LineOf<'run-end'>): RunView {
  if (end.reason === 'waiting') return { ...view, state: 'waiting' }
  const { closing, message, usage } = end
  // the limit's message is already shown above
  const told = view.entries.some(
    entry => entry.kind === 'note' && entry.text === `${message} ${GO_ON}`,
  )
  return put(
    { ...settled(view), state: 'idle', queued: [], isStopped: end.reason !== 'final' },
    {
      kind: 'end',
      key,
      closing,
      message: told ? undefined : message,
      usage,
      isDrafted: view.isDrafted,
    },
  )
}

/** Nothing streams any more. */
function settled(view: RunView): RunView {
  const entries = view.entries.map(entry =>
    entry.kind === 'text' && entry.isStreaming ? { ...entry, isStreaming: false } : entry,
  )
  return { ...view, entries }
}

function put(view: RunView, entry: RunEntry): RunView {
  const at = view.entries.findIndex(({ key }) => key === entry.key)
  const entries = at < 0 ? [...view.entries, entry] : view.entries.with(at, entry)
  return { ...view, entries }
}

function without(view: RunView, key: string): RunView {
  return { ...view, entries: view.entries.filter(entry => entry.key !== key) }
}

type Call = Extract<RunEntry, { kind: 'call' }>

function withCall(view: RunView, key: string, progress: Partial<Call>): RunView {
  const call = view.entries.find(entry => entry.key === key)
  return call?.kind === 'call' ? put(view, { ...call, ...progress }) : view
}
