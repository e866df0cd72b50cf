import type { JournalLine, SessionEvent } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { EMPTY_VIEW, foldEvent, foldEvents, type RunView } from './run-view.ts'

let seq = 0

describe('text', () => {
  test('grows as it streams, and what the log keeps takes its place', () => {
    const streaming = view(delta('One '), delta('two'))
    expect(streaming.entries).toMatchObject([{ kind: 'text', text: 'One two', isStreaming: true }])
    const kept = [delta('One '), answer('One two.')]
    expect(view(...kept).entries).toMatchObject([{ text: 'One two.', isStreaming: false }])
  })

  test('that comes again after a reconnect is not doubled', () => {
    const again: SessionEvent = { type: 'text-so-far', turnId: 'turn', text: 'One two' }
    expect(view(delta('One '), again, delta('!')).entries).toMatchObject([{ text: 'One two!' }])
  })

  test('of a failed attempt disappears, and the reason is shown', () => {
    const retry = row({ type: 'retry', turn_id: 'turn', attempt: 1, reason: 'Cut.', wait_ms: 1200 })
    expect(view(delta('One '), retry).entries).toMatchObject([
      { kind: 'note', text: 'Cut. Trying again in 2 s.' },
    ])
    const bare = row({ type: 'retry', turn_id: 'turn', attempt: 1, reason: 'Cut', wait_ms: 1200 })
    expect(view(bare).entries).toMatchObject([{ text: 'Cut. Trying again in 2 s.' }])
  })

  test('that became a summary is said in one line, and shortened results are not', () => {
    const compaction = { type: 'compaction', up_to_seq: 1, tokens_before: 9000 } as const
    expect(view(row(compaction)).entries).toEqual([])
    expect(view(row({ ...compaction, summary: 'So far.' })).entries).toMatchObject([
      { kind: 'note', text: 'The conversation so far was summarized.' },
    ])
  })

  test('that was cut at the output limit is marked as cut', () => {
    const cut = {
      type: 'assistant_message' as const,
      turn_id: 'turn',
      text: 'Once',
      finish_reason: 'length',
    }
    expect(view(row(cut)).entries).toMatchObject([
      { kind: 'text', text: 'Once' },
      { kind: 'note', text: 'The answer was cut at the output limit of the model.' },
    ])
  })

  test('that was stopped midway stays, and moves no more', () => {
    expect(view(delta('One '), end('cancelled')).entries).toMatchObject([
      { text: 'One ', isStreaming: false },
      { kind: 'end' },
    ])
  })
})

test('a call that runs long says how far it has come', () => {
  const start = row({ type: 'call-start', tool_call_id: 'call', label: 'Searching for x' })
  const progress = (text: string): SessionEvent => ({
    type: 'call-progress',
    toolCallId: 'call',
    text,
  })
  const running = view(start, progress('1 of 9 files searched'), progress('7 of 9 files searched'))
  expect(running.entries).toMatchObject([{ state: 'running', progress: '7 of 9 files searched' }])
  expect(view(progress('1 of 9 files searched')).entries).toEqual([])
})

test('a failed call says what happened in words for a person; what the model was told opens', () => {
  const failed = view(
    row({ type: 'call-start', tool_call_id: 'call', label: 'Reading a.md' }),
    row({
      type: 'tool_result',
      tool_call_id: 'call',
      success: false,
      error_code: 'NOT_FOUND',
      content: 'NOT_FOUND: There is no a.md. There are:\nb.md',
    }),
  )
  expect(failed.entries).toMatchObject([
    { state: 'failed', message: 'It was not found.', result: expect.stringMatching(/There is no/) },
  ])
})

test('what a person refused is said as theirs, and what they answered too', () => {
  const { entries } = view(
    row({ type: 'call-start', tool_call_id: 'call', label: 'Writing a.md' }),
    row({ type: 'approval', tool_call_id: 'call', approval_id: 'approval' }),
    row({ type: 'decision', approval_id: 'approval', decision: 'denied' }),
    row({
      type: 'tool_result',
      tool_call_id: 'call',
      success: false,
      error_code: 'DENIED',
      content: 'DENIED: Nothing was written: a person refused this change. Do not send it again.',
    }),
    row({ type: 'call-start', tool_call_id: 'asks', label: 'Asking you' }),
    row({ type: 'question', tool_call_id: 'asks', question: 'Which year?', choices: [] }),
    row({
      type: 'tool_result',
      tool_call_id: 'asks',
      success: true,
      content: 'The person chose: 2024',
    }),
  )
  expect(entries).toMatchObject([
    { message: 'You refused it.' },
    { state: 'done' },
    { text: 'You answered: 2024' },
  ])
})

test('a run that waits has not ended, and a decision sets it going', () => {
  const start = row({ type: 'call-start', tool_call_id: 'call', label: 'Writing a.md' })
  const approval = row({ type: 'approval', tool_call_id: 'call', approval_id: 'approval' })
  const waiting = [start, approval, end('waiting')]
  expect(view(...waiting)).toMatchObject({
    state: 'waiting',
    stop: { isWaiting: true, words: 'Writing a.md' },
    entries: [{ state: 'waiting' }],
  })
  const decision = row({ type: 'decision', approval_id: 'approval', decision: 'approved' })
  expect(view(...waiting, decision)).toMatchObject({
    state: 'running',
    entries: [{ state: 'running' }],
  })
})

test('a question and its answer stay in the log; a run has one plan, and the next run another', () => {
  const plan = (status: string) => row({ type: 'plan', steps: [{ text: 'Ask', status }] })
  const { entries, state } = view(
    plan('doing'),
    row({ type: 'call-start', tool_call_id: 'call', label: 'Asking you' }),
    row({ type: 'question', tool_call_id: 'call', question: 'Which year?', choices: [] }),
    end('waiting'),
    row({ type: 'tool_result', tool_call_id: 'call', success: true, content: 'Last year' }),
    plan('done'),
    end('limit'),
    row({ type: 'run-start', goes_on: 'run' }),
    plan('open'),
  )
  expect(state).toBe('running')
  expect(entries).toMatchObject([
    { kind: 'call', label: 'Which year?', state: 'done' },
    { kind: 'note', text: 'Last year' },
    { kind: 'plan', steps: [{ status: 'done' }] },
    { kind: 'end' },
    { kind: 'note', text: 'Continued.' },
    { kind: 'plan', steps: [{ status: 'open' }] },
  ])
})

test('a message to a run that goes stays in sight until the run takes it up, or ends', () => {
  const messages = [{ messageId: 'msg_1', text: 'Be brief', time: '' }]
  const queued = view(delta('One '), { type: 'queue', messages })
  expect(queued.queued).toEqual(messages)
  const taken = foldEvent(queued, row({ type: 'steer', text: 'Be brief', message_id: 'msg_1' }))
  expect(taken).toMatchObject({ queued: [], entries: [{}, { kind: 'person', text: 'Be brief' }] })
  expect(foldEvent(queued, end('cancelled')).queued).toEqual([])
})

test('a run that stopped where it was says why, and can still be stopped', () => {
  const lost = { type: 'run-lost', kind: 'unavailable', message: 'The disk is full.' } as const
  const stopped = view(row({ type: 'run-start' }), delta('Half a '), lost)
  expect(stopped).toMatchObject({
    state: 'running',
    isLost: true,
    entries: [{ isStreaming: false }, { kind: 'note', text: 'The disk is full.' }],
  })
  expect(
    foldEvent(stopped, row({ type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } })).isLost,
  ).toBe(false)
})

test('what was sent where, and how full the context is, is known at the end', () => {
  const sent = { model: 'm', endpoint: 'http://x/v1', messages: 1, size_bytes: 100 }
  const usage = { inputTokens: 90, outputTokens: 10, cost: 0.5 }
  const ended = view(
    row({ type: 'run-start' }),
    row({ type: 'model', context_tokens: 1000 }),
    row({ type: 'context', sent }),
    row({ type: 'usage', usage }),
    row({ type: 'context', sent }),
    row({ type: 'usage', usage }),
    end('final'),
  )
  expect(ended.stop).toMatchObject({ isWaiting: false, words: 'No file was changed' })
  expect(ended.context).toEqual({ size: 1000, used: 100 })
  expect(ended.usage).toMatchObject({ inputTokens: 180, outputTokens: 20, cost: 1 })
  expect(ended.entries.at(-1)).toMatchObject({
    sent: { model: 'm', endpoint: 'http://x/v1', requests: 2, sizeBytes: 200 },
  })
})

test('a call keeps what it was given and what the model got', () => {
  const call = {
    type: 'call-start',
    tool_call_id: 'call',
    label: 'Reading',
    name: 'read_file',
  } as const
  const folded = view(
    row({ ...call, arguments: '{"path":"a.md"}' }),
    row({ type: 'tool_result', tool_call_id: 'call', success: true, content: 'Hello' }),
  )
  expect(folded.entries).toMatchObject([
    { tool: 'read_file', arguments: '{"path":"a.md"}', result: 'Hello' },
  ])
})

test('a long log is folded in a moment, however it arrives', () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => row({ type: 'steer', text: String(at) }))
  const begun = performance.now()
  expect(foldEvents(EMPTY_VIEW, rows).entries).toHaveLength(20_000)
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('changes published during the run are in no draft at its end', () => {
  const drafted = row({ type: 'tool_result', effects: [{ where: 'draft' }], success: true })
  const published = row({ type: 'draft', action: 'published', files: 1 })
  expect(view(drafted, end('final')).entries).toMatchObject([{ isDrafted: true }])
  const { entries } = view(drafted, published, end('final'))
  expect(entries).toMatchObject([
    { kind: 'note', text: 'Draft published: 1 file' },
    { isDrafted: false },
  ])
})

test('who else follows the conversation is known while they do', () => {
  expect(view().listeners).toBe(1)
  const two = view({ type: 'listeners', count: 2 })
  expect(two).toMatchObject({ listeners: 2, entries: [] })
  expect(foldEvent(two, { type: 'listeners', count: 1 }).listeners).toBe(1)
})

test('the message of a limit appears once', () => {
  const told = view(
    row({ type: 'limit', what: 'run', message: 'Too much.' }),
    end('limit', 'Too much.'),
  )
  expect(told.entries).toMatchObject([
    { text: 'Too much. You can continue it.' },
    { kind: 'end', message: undefined },
  ])
})

function view(...events: SessionEvent[]): RunView {
  return events.reduce(foldEvent, EMPTY_VIEW)
}

function delta(text: string): SessionEvent {
  return { type: 'text-delta', turnId: 'turn', text }
}

function answer(text: string): SessionEvent {
  return row({ type: 'assistant_message', turn_id: 'turn', text })
}

function end(reason: string, message?: string): SessionEvent {
  return row({ type: 'run-end', reason, closing: 'No file was changed', message })
}

/** With the fields that a view looks at. */
function row(body: { type: JournalLine['type'] } & Record<string, unknown>): SessionEvent {
  seq += 1
  return { type: 'row', cursor: seq, row: { seq, body } } as unknown as SessionEvent
}
