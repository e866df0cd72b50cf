import {
  type ConversationId,
  type JournalLine,
  type RunId,
  type SessionId,
  type ToolCallId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openMemoryStores, type Stores } from '../stores/stores.ts'
import { createTelemetry } from './telemetry.ts'

const SESSION = 'ses_1' as SessionId
const CONVERSATION = 'con_1' as ConversationId
const RUN = 'run_1' as RunId
const CALL = 'tc_1' as ToolCallId

test('an instance that goes on with a run tells the whole run, in the trace of the first', async () => {
  const stores = await withSession()
  const first = createTelemetry(stores)
  await append(first.stores, [
    { type: 'run-start', run_id: RUN, model: 'm', toolset: 'workshop' },
    callStart('read_file'),
    callEnd(),
    callStart('read_file', 'tc_2'),
  ])
  const [call] = await spansOf(first)
  const second = createTelemetry(stores)
  await append(second.stores, [
    callEnd('tc_2'),
    { type: 'run-end', run_id: RUN, reason: 'final', closing: '' },
  ])
  const spans = await spansOf(second)
  expect(spans.map(({ name }) => name)).toEqual(['tool read_file', 'run'])
  const { traceId, spanId } = spans[1]!
  expect(call).toMatchObject({ traceId, parentSpanId: spanId })
  expect(spans[0]).toMatchObject({ traceId, parentSpanId: spanId })
  expect(await second.prometheus()).toContain(
    'filewright_run_duration_seconds_count{reason="final"} 1',
  )
})

test('a tool that is not ours is no label of its own, nor is a code', async () => {
  const telemetry = createTelemetry(await withSession())
  await append(telemetry.stores, [
    callStart('mcp__crm__find_customer_anna'),
    { ...callEnd(), success: false, error_code: 'anna_is_away' },
  ])
  await spansOf(telemetry)
  const text = await telemetry.prometheus()
  expect(text).toContain('tool_duration_seconds_count{tool="outside",outcome="internal"} 1')
  expect(text).not.toContain('anna')
})

test('what a store refuses by throwing is counted as failed', async () => {
  const stores = await openMemoryStores()
  const away = { ...stores.settings, get: () => Promise.reject(new Error('away')) }
  const telemetry = createTelemetry({ ...stores, settings: away })
  await expect(telemetry.stores.settings.get('a')).rejects.toThrow('away')
  await telemetry.stores.settings.set('a', 1)
  const text = await telemetry.prometheus()
  const count = 'filewright_store_duration_seconds_count'
  expect(text).toContain(`${count}{store="settings",method="get",outcome="failed"} 1\n`)
  expect(text).toContain(`${count}{store="settings",method="set",outcome="ok"} 1\n`)
})

test('a publish says how many of its files had to move along, a refused one that it was a conflict', async () => {
  const telemetry = createTelemetry(await openMemoryStores())
  const files = ['a', 'b', 'c'].map(path => ({ path }))
  telemetry.onAnswer('publish', { ok: true, value: { files, rebased: ['a'] } }, 5)
  const failure = { code: 'CONFLICT', kind: 'conflict', message: '', errors: [] } as const
  telemetry.onAnswer('publish', { ok: false, failure }, 5)
  const text = await telemetry.prometheus()
  expect(text).toContain('filewright_published_files_total{how="rebased"} 1\n')
  expect(text).toContain('filewright_published_files_total{how="as reviewed"} 2\n')
  expect(text).toContain('filewright_conflicts_total{where="publish"} 1\n')
  expect(text).toContain(
    'filewright_requests_duration_seconds_bucket{route="publish",outcome="conflict",le="0.005"} 1\n',
  )
  expect(text).toContain(
    'filewright_requests_duration_seconds_bucket{route="publish",outcome="conflict",le="0.0025"} 0\n',
  )
})

async function withSession(): Promise<Stores> {
  const stores = await openMemoryStores()
  const workspaceId = 'ws_1' as WorkspaceId
  const session = { sessionId: SESSION, workspaceId, conversationId: CONVERSATION }
  unwrap(await stores.log.createSession(session))
  return stores
}

async function append({ log }: Stores, lines: readonly JournalLine[]): Promise<void> {
  const lease = unwrap(await log.claim(SESSION, 'test'))
  const rows = lines.map(body => ({ conversationId: CONVERSATION, body }))
  unwrap(await log.append(lease, rows))
  await log.release(lease)
}

/** Rows are read just after they were kept. */
async function spansOf({ otlpSpans }: ReturnType<typeof createTelemetry>) {
  await new Promise(resolve => setTimeout(resolve, 20))
  // biome-ignore lint/suspicious/noExplicitAny: the body of a protocol
  const body = otlpSpans({}) as any
  return body.resourceSpans[0].scopeSpans[0].spans as Record<string, string>[]
}

function callStart(name: string, id = CALL as string) {
  return {
    type: 'call-start',
    tool_call_id: id as ToolCallId,
    turn_id: 'trn_1' as never,
    name,
    arguments: '{}',
    label: '',
  } as const
}

function callEnd(id = CALL as string) {
  return {
    type: 'tool_result',
    message_id: 'msg_1' as never,
    tool_call_id: id as ToolCallId,
    content: '',
    success: true,
  } as const
}
