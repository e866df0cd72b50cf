import { ok, type RunId, type SessionId, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createMemoryLog } from '../memory/log-memory.ts'
import { begin, line, WORKSPACE } from '../testing/log-lines.ts'
import { createReconcile, type ReconcileOptions } from './reconcile.ts'

const RUN = 'run_1' as RunId

test('a reconcile opens only sessions with an open call or mail', async () => {
  const log = createMemoryLog(createMemoryBlobs())
  const waiting = line({ type: 'run-end', run_id: RUN, reason: 'waiting', closing: '' })
  const running = line({ type: 'run-start', run_id: RUN, model: 'm', toolset: 'workshop' })
  for (const [id, lines] of [
    ['ses_waiting', [waiting]],
    ['ses_open', [started('tc_1')]],
    ['ses_running', [started('tc_2'), running]],
    ['ses_mail', []],
    ['ses_idle', []],
  ] as const)
    unwrap(await log.append(await begin(log, id as SessionId), [...lines]))
  await log.putInbox('ses_mail' as SessionId, { id: 'note', type: 'line', body: {} })
  const opened: string[] = []
  const drained: string[] = []
  const reconcile = createReconcile({
    log,
    actors: {
      each: async () => {},
      open: async (id: SessionId) => {
        opened.push(id)
        return ok({ sessionId: id, workspaceId: WORKSPACE })
      },
    },
    inboxes: { drain: async (id: SessionId) => void drained.push(id) },
    link: { keepsCalls: () => false },
    recorder: { find: async () => ({ ok: false }) },
    deeds: { restore: async () => {} },
  } as unknown as ReconcileOptions)
  await reconcile(WORKSPACE)
  expect(opened.sort()).toEqual(['ses_mail', 'ses_open'])
  expect(drained.sort()).toEqual(opened)
})

function started(id: string) {
  return line({
    type: 'call-start',
    turn_id: 'trn_1',
    tool_call_id: id,
    name: 'read_file',
    arguments: '{}',
  } as never)
}
