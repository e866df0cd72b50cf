import type {
  ImageName,
  JournalLine,
  LineOf,
  LogRow,
  PlanStep,
  QueuedMessage,
  SessionEvent,
  Usage,
} from '@filewright/protocol'
import { toDraftNote } from '../log/draft-note.ts'
import { answerWords, failureWords } from '../log/failure-words.ts'

/** One thing to see, in the order in which it happened. */
export type RunEntry = {
  readonly key: string
} /** `seq`: the row of the log to go back to; absent for words to a run that went on. */ & (
  | { readonly kind: 'person'; readonly text: string; readonly seq?: number }
  | { readonly kind: 'text'; readonly text: string; readonly isStreaming: boolean }
  | {
      readonly kind: 'call'
      readonly label: string
      readonly state: 'running' | 'waiting' | 'done' | 'failed'
      /** Why it failed, for a person. */
      readonly message?: string
      /** What the person said to it. */
      readonly denial?: string
      /** While it runs: how far it has come. */
      readonly progress?: string
      /** What it showed to the model. */
      readonly images?: readonly ImageName[]
      /** It asks the person: its result is their answer. */
      readonly isQuestion?: boolean
      readonly tool?: string
      /** As the model gave them, in JSON. */
      readonly arguments?: string
      /** The text that the model was given. */
      readonly result?: string
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
      /** What the run sent, and where to. */
      readonly sent?: SentSoFar
    }
)

/** What went to a model, over all requests of a run. */
export interface SentSoFar {
  readonly model: string
  /** Null: nothing left the process. */
  readonly endpoint: string | null
  readonly requests: number
  readonly sizeBytes: number
}

export interface RunStop {
  readonly key: string
  /** ISO 8601. */
  readonly time: string
  readonly isWaiting: boolean
  readonly words: string
}

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
  /** How the run stopped last: it ended, or waits. */
  readonly stop?: RunStop
  /** How many follow the session, this page among them. */
  readonly listeners: number
  /** The last run ended before the model was done: it can go on. */
  readonly isStopped: boolean
  /** Grows when something happened that shows elsewhere on the page: an approval, an answer, an end. */
  readonly pulse: number
  readonly sent?: SentSoFar
  /** How full the model's context was with the last request, in tokens. */
  readonly context: { readonly used?: number; readonly size?: number }
  /** Of the run in progress or the last one. */
  readonly usage?: Usage
}

export const EMPTY_VIEW: RunView = {
  entries: [],
  state: 'idle',
  approvals: {},
  isDrafted: false,
  isLost: false,
  queued: [],
  listeners: 1,
  isStopped: false,
  pulse: 0,
  context: {},
}

/** What arrived together: the list of entries is copied once, however long it is. */
export function foldEvents(view: RunView, events: readonly SessionEvent[]): RunView {
  return events.reduce(foldNext, { ...view, entries: [...view.entries] })
}

export function foldEvent(view: RunView, event: SessionEvent): RunView {
  return foldEvents(view, [event])
}

/** Changes the list of entries in place: it is this fold's own. */
function foldNext(view: RunView, event: SessionEvent): RunView {
  if (event.type === 'row') return foldRow({ ...view, isLost: false }, event.row)
  if (event.type === 'run-lost')
    return put(
      { ...settled(view), isLost: true },
      { kind: 'note', key: `lost ${view.entries.length}`, text: event.message },
    )
  if (event.type === 'thought-delta') return view
  if (event.type === 'queue') return { ...view, queued: event.messages }
  if (event.type === 'listeners') return { ...view, listeners: event.count }
  if (event.type === 'call-progress')
    return withCall(view, event.toolCallId, { progress: event.text })
  const entry = find(view, event.turnId)
  const before = event.type === 'text-delta' && entry?.kind === 'text' ? entry.text : ''
  return put(view, {
    kind: 'text',
    key: event.turnId,
    text: before + event.text,
    isStreaming: true,
  })
}

function foldRow(view: RunView, { seq, body, time }: LogRow): RunView {
  const key = `row ${seq}`
  switch (body.type) {
    case 'user_message':
      return put(withoutQueued(view, body.message_id), {
        kind: 'person',
        key,
        text: body.text,
        seq,
      })
    case 'steer':
      return put(withoutQueued(view, body.message_id), { kind: 'person', key, text: body.text })
    case 'context':
    case 'model':
    case 'usage':
      return foldMeasure(view, body)
    case 'run-start':
      return foldRunStart(view, key, body)
    case 'rewind':
      return put(wentBack(pulsed(view), body), { kind: 'note', key, text: toRewindNote(body) })
    case 'assistant_message':
      if (body.text.trim() === '') return without(view, body.turn_id)
      return foldAnswer(view, key, body)
    case 'call-start':
      return foldStart(view, body)
    case 'approval':
      return foldApproval(view, body)
    case 'question':
      return foldQuestion(view, body)
    case 'plan':
      return put(withoutPlan(view), { kind: 'plan', key, steps: body.steps })
    case 'helper':
      return foldDelegated(view, key, body.line)
    case 'decision':
      return foldDecision(view, body)
    case 'tool_result':
      return foldResult(view, body)
    case 'retry': {
      const text = `${body.reason.replace(/\.$/, '')}. Trying again in ${Math.ceil(body.wait_ms / 1000)} s.`
      return put(without(view, body.turn_id), { kind: 'note', key, text })
    }
    case 'compaction':
      return body.summary === undefined
        ? view
        : put(view, { kind: 'note', key, text: 'The conversation so far was summarized.' })
    case 'cancel':
    case 'limit':
    case 'notice':
      return put(view, { kind: 'note', key, text: toRunNote(body) })
    case 'run-end':
      return foldEnd({ ...pulsed(view), stop: toStop(view, { key, time }, body) }, key, body)
    case 'draft':
      return put(
        { ...pulsed(view), isDrafted: view.isDrafted && !isClosing(body) },
        { kind: 'note', key, text: toDraftNote(body) },
      )
    default:
      return view
  }
}

/** What was sent, and how much of it. */
function foldMeasure(view: RunView, body: LineOf<'context' | 'model' | 'usage'>): RunView {
  if (body.type === 'usage') return withUsage(view, body)
  if (body.type === 'model')
    return { ...view, context: { ...view.context, size: body.context_tokens } }
  return body.sent ? { ...view, sent: addSent(view.sent, body.sent) } : view
}

function toRunNote(body: LineOf<'cancel' | 'limit' | 'notice'>): string {
  if (body.type === 'cancel') return `Stopped by ${body.by}.`
  return body.type === 'limit' ? `${body.message} ${GO_ON}` : body.message
}

function foldQuestion(view: RunView, { tool_call_id, question }: LineOf<'question'>): RunView {
  const asks = { state: 'waiting', label: question, isQuestion: true } as const
  return withCall(pulsed(view), tool_call_id, asks)
}

function foldApproval(view: RunView, line: LineOf<'approval'>): RunView {
  const approvals = { ...view.approvals, [line.approval_id]: line.tool_call_id }
  return withCall({ ...pulsed(view), approvals }, line.tool_call_id, { state: 'waiting' })
}

function foldDecision(
  view: RunView,
  { approval_id, decision, reason }: LineOf<'decision'>,
): RunView {
  const callId = view.approvals[approval_id]
  if (callId === undefined) return view
  const denial = reason ? `You refused it: ${reason}` : 'You refused it.'
  return withCall({ ...pulsed(view), state: 'running' }, callId, {
    state: 'running',
    ...(decision === 'denied' && { denial }),
  })
}

function foldRunStart(view: RunView, key: string, { goes_on }: LineOf<'run-start'>): RunView {
  const started = {
    ...view,
    state: 'running',
    isDrafted: false,
    isStopped: false,
    sent: undefined,
    usage: undefined,
  } as const
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

function foldStart(view: RunView, line: LineOf<'call-start'>): RunView {
  const { tool_call_id: key, label, name, arguments: given } = line
  return put(view, { kind: 'call', key, label, state: 'running', tool: name, arguments: given })
}

function addSent(
  before: SentSoFar | undefined,
  { model, endpoint, size_bytes }: NonNullable<LineOf<'context'>['sent']>,
): SentSoFar {
  const { requests = 0, sizeBytes = 0 } = before ?? {}
  return { model, endpoint, requests: requests + 1, sizeBytes: sizeBytes + size_bytes }
}

function withUsage(view: RunView, { usage }: LineOf<'usage'>): RunView {
  const { inputTokens, outputTokens, cost } = usage
  const before = view.usage
  return {
    ...view,
    context: { ...view.context, used: inputTokens + outputTokens },
    usage: {
      ...usage,
      inputTokens: (before?.inputTokens ?? 0) + inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + outputTokens,
      ...((cost ?? before?.cost) !== undefined && { cost: (before?.cost ?? 0) + (cost ?? 0) }),
    },
  }
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
  const call = find(view, result.tool_call_id)
  const wasWaiting = call?.kind === 'call' && call.state === 'waiting'
  const folded = withCall(
    { ...(wasWaiting ? { ...pulsed(view), state: 'running' } : view), isDrafted },
    result.tool_call_id,
    result.success
      ? { state: 'done', result: result.content, ...(result.images && { images: result.images }) }
      : {
          state: 'failed',
          result: result.content,
          message: (call?.kind === 'call' && call.denial) || failureWords(result.error_code),
        },
  )
  if (!wasWaiting || !call.isQuestion || !result.success) return folded
  return put(folded, { kind: 'note', key: `${call.key} answer`, text: answerWords(result.content) })
}

function toStop(
  { entries }: RunView,
  at: Pick<RunStop, 'key' | 'time'>,
  { reason, closing }: LineOf<'run-end'>,
): RunStop {
  if (reason !== 'waiting') return { ...at, isWaiting: false, words: closing }
  const call = entries.findLast(each => each.kind === 'call' && each.state === 'waiting')
  return { ...at, isWaiting: true, words: call?.kind === 'call' ? call.label : '' }
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
      ...(view.sent && { sent: view.sent }),
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

/** Where each key is: lists are long, and each is searched often. */
const places = new WeakMap<readonly RunEntry[], Map<string, number>>()

function placesIn(entries: readonly RunEntry[]): Map<string, number> {
  const known = places.get(entries)
  if (known) return known
  const made = new Map(entries.map(({ key }, at) => [key, at]))
  places.set(entries, made)
  return made
}

function find(view: RunView, key: string): RunEntry | undefined {
  return view.entries[placesIn(view.entries).get(key) ?? -1]
}

function put(view: RunView, entry: RunEntry): RunView {
  const entries = view.entries as RunEntry[]
  const known = placesIn(entries)
  const at = known.get(entry.key)
  if (at === undefined) known.set(entry.key, entries.push(entry) - 1)
  else entries[at] = entry
  return view
}

function without(view: RunView, key: string): RunView {
  if (!find(view, key)) return view
  return { ...view, entries: view.entries.filter(entry => entry.key !== key) }
}

type Call = Extract<RunEntry, { kind: 'call' }>

function withCall(view: RunView, key: string, progress: Partial<Call>): RunView {
  const call = find(view, key)
  return call?.kind === 'call' ? put(view, { ...call, ...progress }) : view
}
