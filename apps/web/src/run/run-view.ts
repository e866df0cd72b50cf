import type { LineOf, LogRow, SessionEvent, Usage } from '@filewright/protocol'
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
    }
  | { readonly kind: 'note'; readonly text: string }
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
  readonly queued: readonly string[]
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
  pulse: 0,
}

export function foldEvent(view: RunView, event: SessionEvent): RunView {
  if (event.type === 'row') return foldRow({ ...view, isLost: false }, event.row)
  if (event.type === 'run-lost')
    return put(
      { ...settled(view), isLost: true },
      { kind: 'note', key: `lost ${view.entries.length}`, text: event.message },
    )
  const entry = view.entries.find(({ key }) => key === event.turnId)
  const before = event.type === 'text-delta' && entry?.kind === 'text' ? entry.text : ''
  return put(view, {
    kind: 'text',
    key: event.turnId,
    text: before + event.text,
    isStreaming: true,
  })
}

export function withQueued(view: RunView, text: string): RunView {
  return { ...view, queued: [...view.queued, text] }
}

export function withoutQueued(view: RunView, text: string): RunView {
  const at = view.queued.indexOf(text)
  return at < 0 ? view : { ...view, queued: view.queued.toSpliced(at, 1) }
}

function foldRow(view: RunView, { seq, body }: LogRow): RunView {
  const key = `row ${seq}`
  switch (body.type) {
    case 'user_message':
    case 'steer':
      return put(
        { ...withoutQueued(view, body.text), state: 'running' },
        { kind: 'person', key, text: body.text },
      )
    case 'run-start':
      return { ...view, state: 'running', isDrafted: false }
    case 'assistant_message':
      if (body.text.trim() === '') return without(view, body.turn_id)
      return withCut(
        put(view, { kind: 'text', key: body.turn_id, text: body.text, isStreaming: false }),
        key,
        body,
      )
    case 'call-start':
      return put(view, {
        kind: 'call',
        key: body.tool_call_id,
        label: body.label,
        state: 'running',
      })
    case 'approval': {
      const approvals = { ...view.approvals, [body.approval_id]: body.tool_call_id }
      return withCall({ ...pulsed(view), approvals }, body.tool_call_id, { state: 'waiting' })
    }
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
      return put(view, { kind: 'note', key, text: 'The conversation so far was summarized.' })
    case 'cancel':
      return put(view, { kind: 'note', key, text: `Stopped by ${body.by}.` })
    case 'run-end':
      return foldEnd(pulsed(view), key, body)
    case 'draft':
      return put(
        { ...pulsed(view), isDrafted: view.isDrafted && !isClosing(body.action) },
        { kind: 'note', key, text: toDraftNote(body) },
      )
    default:
      return view
  }
}

function isClosing(action: LineOf<'draft'>['action']): boolean {
  return action === 'published' || action === 'discarded'
}

/** A limit ends the run, not the conversation. */
const GO_ON = 'Say “go on” to continue.'

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
  return withCall(
    { ...view, isDrafted },
    result.tool_call_id,
    result.success ? { state: 'done' } : { state: 'failed', message: failureReason(result) },
  )
}

/** A run that waits has not ended: it goes on with the answer. */
function foldEnd(view: RunView, key: string, end: LineOf<'run-end'>): RunView {
  if (end.reason === 'waiting') return { ...view, state: 'waiting' }
  const { closing, message, usage } = end
  // the limit's message is already shown above
  const told = view.entries.some(
    entry => entry.kind === 'note' && entry.text === `${message} ${GO_ON}`,
  )
  return put(
    { ...settled(view), state: 'idle', queued: [] },
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

function withCall(view: RunView, key: string, progress: Pick<Call, 'state' | 'message'>): RunView {
  const call = view.entries.find(entry => entry.key === key)
  return call?.kind === 'call' ? put(view, { ...call, ...progress }) : view
}
