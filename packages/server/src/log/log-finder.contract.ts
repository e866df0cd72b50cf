import {
  type ContextLayer,
  type ConversationId,
  type JournalLine,
  type MessageId,
  type RunId,
  type SessionId,
  type ToolCallId,
  type TurnId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Lease, SessionLog } from './log.ts'

const SESSION = 'ses_1' as SessionId
const OTHER = 'ses_2' as SessionId
const WORKSPACE = 'ws_1' as WorkspaceId
const CONVERSATION = 'con_1' as ConversationId
const MANY = 2_500 // more than any store leaves out of its indexes

/** How every session log finds single rows, and the standing session. `make` gives a new, empty one. */
export function finderContract(name: string, make: () => Promise<SessionLog>): void {
  describe(`${name} finds`, () => {
    let log: SessionLog
    let lease: Lease
    beforeEach(async () => {
      log = await make()
      lease = await begin(log, SESSION)
    })
    const append = async (...lines: JournalLine[]) => unwrap(await appendTo(log, lease, lines))
    const appendMany = (make: (i: number) => JournalLine) =>
      append(...Array.from({ length: MANY }, (_, i) => make(i)))
    const startOf = async (id: string) =>
      (await log.findStart(SESSION, id as ToolCallId))?.body.arguments
    const openIn = async (of: Parameters<SessionLog['openCalls']>[0]) =>
      (await log.openCalls(of)).map(({ toolCallId }) => toolCallId)

    test('the start of a call that ended or not, near or far back', async () => {
      await append(started('tc_open', 'open'), started('tc_far', 'far'))
      await append(started('tc_near', 'near'), ended('tc_near'))
      await appendMany(i => steer(`${i}`))
      await append(ended('tc_far'))
      await appendMany(i => steer(`${i}`))
      await append(started('tc_last', 'last'), started('tc_new', 'new'), ended('tc_new'))
      for (const name of ['open', 'far', 'near', 'last', 'new'])
        expect(await startOf(`tc_${name}`), name).toBe(name)
      expect(await startOf('tc_none')).toBeUndefined()
      expect(await log.findStart(OTHER, 'tc_open' as ToolCallId)).toBeUndefined()
    })

    test('of a call that began twice the newer start', async () => {
      await append(started('tc_1', 'first'))
      await appendMany(i => steer(`${i}`))
      await append(started('tc_1', 'second'))
      expect(await startOf('tc_1')).toBe('second')
      await append(ended('tc_1'))
      await appendMany(i => steer(`${i}`))
      expect(await startOf('tc_1')).toBe('second')
    })

    test('calls without a result, oldest first, of a session or a workspace', async () => {
      const other = await begin(log, OTHER)
      const elsewhere = await begin(log, 'ses_3' as SessionId, 'ws_2' as WorkspaceId)
      await append(started('tc_old'), started('tc_late'), started('tc_done'), ended('tc_done'))
      unwrap(await appendTo(log, other, [started('tc_old'), started('tc_b')]))
      unwrap(await appendTo(log, elsewhere, [started('tc_c')]))
      expect(await openIn({ sessionId: SESSION })).toEqual(['tc_old', 'tc_late'])
      await appendMany(i => steer(`${i}`))
      await append(started('tc_new'), ended('tc_late'))
      expect(await openIn({ sessionId: SESSION })).toEqual(['tc_old', 'tc_new'])
      expect(await log.openCalls({ workspaceId: WORKSPACE })).toEqual([
        { sessionId: SESSION, toolCallId: 'tc_old', name: 'read_file' },
        { sessionId: OTHER, toolCallId: 'tc_old', name: 'read_file' },
        { sessionId: OTHER, toolCallId: 'tc_b', name: 'read_file' },
        { sessionId: SESSION, toolCallId: 'tc_new', name: 'read_file' },
      ])
      await appendMany(i => steer(`${i}`))
      expect(await openIn({ sessionId: SESSION })).toEqual(['tc_old', 'tc_new'])
    })

    test('no call of a session that was deleted', async () => {
      await append(started('tc_1'))
      await appendMany(i => steer(`${i}`))
      unwrap(await log.deleteSession(SESSION))
      lease = await begin(log, OTHER)
      await appendMany(i => started(`tc_o${i}`))
      expect(await openIn({ workspaceId: WORKSPACE })).toHaveLength(MANY)
      expect(await log.openCalls({ sessionId: SESSION })).toEqual([])
    })

    test('what the model answered in a turn, and last', async () => {
      expect(await log.findLast(SESSION, 'assistant_message')).toBeUndefined()
      await append(answered('trn_1'), answered('trn_2'), steer('go on'))
      expect((await log.findAnswer(SESSION, 'trn_1'))?.body.text).toBe('answer of trn_1')
      expect(await log.findAnswer(SESSION, 'trn_3')).toBeUndefined()
      expect(await log.findAnswer(OTHER, 'trn_1')).toBeUndefined()
      expect((await log.findLast(SESSION, 'assistant_message'))?.body.turn_id).toBe('trn_2')
    })

    test('the newest row of a type, or of several', async () => {
      await append(runStarted('run_1'), context('trn_1'), runStarted('run_2'))
      await appendMany(i => steer(`${i}`))
      expect((await log.findLast(SESSION, 'run-start'))?.body.run_id).toBe('run_2')
      const newest = () => log.findLast(SESSION, 'context', 'conversation-start')
      expect(await newest()).toMatchObject({ seq: 2, body: { turn_id: 'trn_1' } })
      await append({ type: 'conversation-start', reason: 'cleared' })
      expect((await newest())?.type).toBe('conversation-start')
      expect(await log.findLast(OTHER, 'run-start')).toBeUndefined()
    })

    test('the one standing session of a workspace, and creates it if there is none', async () => {
      const standing = (sessionId: string, workspaceId: string) =>
        log.standingSession({
          sessionId: sessionId as SessionId,
          workspaceId: workspaceId as WorkspaceId,
          conversationId: CONVERSATION,
          title: 'Standing',
        })
      const [first, again] = await Promise.all([
        standing('ses_a', 'ws_1'),
        standing('ses_b', 'ws_1'),
      ])
      expect(first).toMatchObject({ sessionId: 'ses_a', kind: 'standing', title: 'Standing' })
      expect(again).toEqual(first)
      expect((await standing('ses_c', 'ws_2')).sessionId).toBe('ses_c')
      expect((await log.getSession(SESSION))?.kind).toBe('work')
      unwrap(await log.setTitle(SESSION, 'Standing'))
      unwrap(await log.deleteSession('ses_a' as SessionId))
      expect((await standing('ses_d', 'ws_1')).sessionId).toBe('ses_d')
    })
  })
}

async function begin(log: SessionLog, sessionId: SessionId, workspaceId = WORKSPACE) {
  unwrap(await log.createSession({ sessionId, workspaceId, conversationId: CONVERSATION }))
  return unwrap(await log.claim(sessionId, 'the test', 600_000))
}

function appendTo(log: SessionLog, lease: Lease, lines: readonly JournalLine[]) {
  const rows = lines.map(body => ({ conversationId: CONVERSATION, body }))
  return log.append(lease, rows, { acknowledge: 'written' })
}

function started(id: string, given = '{}'): JournalLine {
  return {
    type: 'call-start',
    tool_call_id: id as ToolCallId,
    turn_id: 'trn_1' as TurnId,
    name: 'read_file',
    arguments: given,
    label: 'Reading',
  }
}

function ended(id: string): JournalLine {
  const [message_id, tool_call_id] = [`msg_${id}` as MessageId, id as ToolCallId]
  return { type: 'tool_result', message_id, tool_call_id, content: '', success: true }
}

function answered(turnId: string): JournalLine {
  return {
    type: 'assistant_message',
    message_id: `msg_${turnId}` as MessageId,
    role: 'assistant',
    text: `answer of ${turnId}`,
    turn_id: turnId as TurnId,
  }
}

function runStarted(runId: string): JournalLine {
  return { type: 'run-start', run_id: runId as RunId, model: 'm', toolset: 'workshop' }
}

function context(turnId: string): JournalLine {
  const layers: readonly ContextLayer[] = []
  return { type: 'context', turn_id: turnId as TurnId, layers }
}

function steer(text: string): JournalLine {
  return { type: 'steer', text }
}
