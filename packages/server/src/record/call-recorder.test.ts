import {
  type CallIds,
  type CallState,
  type JournalLine,
  ok,
  toCallState,
  type WorkspaceId,
} from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { RoutedCall } from '../calls/routed-call.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import type { SessionActor } from '../session/session-actor.ts'
import { createCallRecorder } from './call-recorder.ts'

const WORKSPACE = 'ws_1' as WorkspaceId
const IDS = {
  sessionId: 'ses_1',
  conversationId: 'con_1',
  turnId: 'trn_1',
  toolCallId: 'tc_1',
} as CallIds

test('what only reads is written down once it is over', async () => {
  const { recorder, own, steps } = build()
  await recorder.call(own, IDS, request('read_file'))
  expect(steps).toEqual(['run', 'soon written: call-start, tool_result'])
})

test('a call whose draft keeps it has its rows soon, and the draft has its arguments as the row has them', async () => {
  const { recorder, own, steps, routed } = build({ draftsKeepCalls: true })
  await recorder.call(own, IDS, request('write_text_file'))
  expect(steps).toEqual(['soon durable-soon: call-start', 'run', 'soon durable-soon: tool_result'])
  expect(routed()?.loggedArguments).toBe('{"path":"a.txt"}')
  expect(routed()?.begun).toBeUndefined()
})

test('a call on a draft that does not keep it has its row ahead; its result may be asked for again', async () => {
  const { recorder, own, steps, routed } = build()
  await recorder.call(own, IDS, request('write_text_file'))
  expect(steps).toEqual(['begin: call-start', 'run', 'soon written: tool_result'])
  expect(routed()?.begun).toBeDefined()
})

test('a draft that is being closed keeps no more calls', async () => {
  const { recorder, own, steps } = build({ draftsKeepCalls: true, isClosing: true })
  await recorder.call(own, IDS, request('write_text_file'))
  expect(steps[0]).toBe('begin: call-start')
})

test('a write has its row first, and its batch gets the outcome before the row of the result', async () => {
  const { recorder, own, steps } = build({ draftsKeepCalls: true })
  await recorder.call(own, IDS, request('workspace_write_patch'))
  expect(steps).toEqual(['begin: call-start', 'run', 'fate', 'append: tool_result'])
})

test('a write that waits for a person has the approval for its row', async () => {
  const { recorder, own, steps } = build({ state: PENDING })
  await recorder.call(own, IDS, request('workspace_write_patch'))
  expect(steps).toEqual(['begin: call-start', 'run', 'append: approval'])
})

test('the batch of a call gets its outcome whichever way it came', async () => {
  const { recorder, own, steps } = build()
  const call = { toolCallId: IDS.toolCallId, name: 'workspace_write_patch' }
  await recorder.run({ ...routedCall, tool: call.name })
  expect(steps.splice(0)).toEqual(['run', 'fate'])
  expect(await recorder.abandon(WORKSPACE, call)).toBeDefined()
  expect(steps.splice(0)).toEqual(['abandon', 'state', 'fate'])
  await recorder.noteEnd(WORKSPACE, call, ENDED)
  expect(steps.splice(0)).toEqual(['fate'])
  await recorder.recordFound(own, call, ENDED)
  expect(steps.splice(0)).toEqual(['fate', 'append: tool_result'])
  await recorder.recordFound(own, call, PENDING)
  expect(steps).toEqual([])
})

test('a call that stores no batch is not looked up among them', async () => {
  const { recorder, steps } = build()
  await recorder.noteEnd(WORKSPACE, { toolCallId: IDS.toolCallId, name: 'read_file' }, ENDED)
  expect(steps).toEqual([])
})

test('a call that never started ends with its own result', async () => {
  const { recorder, own, steps } = build()
  await recorder.recordNeverRan(own, { toolCallId: IDS.toolCallId, name: 'read_file' })
  expect(steps).toEqual(['append: tool_result'])
})

const ENDED = toCallState(ok({ fields: {}, message: 'Done.' }), IDS)
const PENDING: CallState = {
  pending: { pending: true, approvalId: 'ap_1', toolCallId: IDS.toolCallId, message: 'Wait.' },
}
const routedCall: RoutedCall = {
  ids: IDS,
  workspaceId: WORKSPACE,
  tool: 'read_file',
  arguments: {},
  policy: 'ask',
  author: 'person',
}

function request(tool: string) {
  return { tool, arguments: { path: 'a.txt' }, policy: 'ask', author: 'person' } as const
}

/** A recorder on parts that record, in order, what it asks of them. */
function build({ draftsKeepCalls = false, isClosing = false, state = ENDED } = {}) {
  const steps: string[] = []
  let last: RoutedCall | undefined
  const types = (lines: readonly JournalLine[]) => lines.map(({ type }) => type).join(', ')
  const note = (step: string) => void steps.push(step)
  const own = {
    workspaceId: WORKSPACE,
    append: async (lines: readonly JournalLine[]) => note(`append: ${types(lines)}`),
    async begin(lines: readonly JournalLine[]) {
      note(`begin: ${types(lines)}`)
      return { kept: Promise.resolve() }
    },
    appendSoon: (makeLines, { acknowledge = 'written' } = {}) =>
      note(`soon ${acknowledge}: ${types(makeLines())}`),
  } satisfies Partial<SessionActor> as unknown as SessionActor
  const recorder = createCallRecorder({
    blobs: createMemoryBlobs(),
    router: {
      async call(call) {
        note('run')
        last = call
        return state
      },
      async state() {
        note('state')
        return ok(state)
      },
      abandon: async () => note('abandon'),
    },
    fates: { note: async () => note('fate'), noteUploaded: async () => note('uploaded') },
    ids: kind => `${kind}_1` as never,
    logger: { event: () => {}, error: (_, cause) => expect.fail(String(cause)) },
    link: { keepsCalls: () => draftsKeepCalls },
    closing: new Map(isClosing ? [[WORKSPACE, 1]] : []),
  })
  return { recorder, own, steps, routed: () => last }
}
