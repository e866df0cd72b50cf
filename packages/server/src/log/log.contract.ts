import {
  type ConversationId,
  type JournalLine,
  type LogRow,
  type RunId,
  type SessionId,
  type ToolCallId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Blobs } from '../store/blobs.ts'
import {
  begin,
  CONVERSATION,
  countTo,
  item,
  line,
  newSession,
  pictured,
  result,
  SESSION,
  sleep,
  steer,
  takeOver,
  WORKSPACE,
} from '../testing/log-lines.ts'
import type { Lease, NewLine, SessionLog } from './log.ts'

const RUN = 'run_1' as RunId
const START = line({ type: 'run-start', run_id: RUN, model: 'm', toolset: 'workshop' })
const endAs = (reason: 'final' | 'waiting') =>
  line({ type: 'run-end', run_id: RUN, reason, closing: '' })

export interface LogUnderTest {
  readonly log: SessionLog
  /** What its rows name. */
  readonly blobs: Blobs
  /** From now on what is written cannot be kept, until it is mended. */
  breakDown(): void
  mend(): void
  /** It says again that there is mail when its connection is new or back. */
  readonly hintsAgain?: boolean
}

/** What every session log does. `make` gives a new, empty one. */
export function logContract(name: string, make: () => Promise<LogUnderTest>): void {
  describe(name, () => {
    let log: SessionLog
    let blobs: Blobs
    let lease: Lease
    let hintsAgain: boolean
    beforeEach(async () => {
      ;({ log, blobs, hintsAgain = false } = await make())
      lease = await begin(log, SESSION)
    })
    const append = async (...lines: NewLine[]) => unwrap(await log.append(lease, lines))
    const seqs = async () => (await log.read(SESSION)).map(row => row.seq)

    verifies(
      'CONTRACT §7 log row',
      'a row has session, seq, conversation, type, time and body, and is read as it was appended',
      async () => {
        const { rows } = await append(steer('a'), steer('b'))
        expect(rows.map(row => row.seq)).toEqual([1, 2])
        expect(rows[0]).toEqual({
          sessionId: SESSION,
          seq: 1,
          conversationId: CONVERSATION,
          type: 'steer',
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          body: { type: 'steer', text: 'a' },
        })
        expect(await log.read(SESSION)).toEqual(rows)
      },
    )

    test('many rows of several sessions are each read whole, from any cursor, and deleted alone', async () => {
      const other = await begin(log, 'ses_2' as SessionId)
      const last = await begin(log, 'ses_3' as SessionId)
      for (let i = 0; i < 700; i++) {
        unwrap(await log.append(lease, [steer(`a${i}`)], { acknowledge: 'written' }))
        unwrap(await log.append(other, [steer(`b${i}`)], { acknowledge: 'written' }))
      }
      const texts = async (sessionId: SessionId, after: number) =>
        (await log.read(sessionId, { after })).map(row =>
          row.body.type === 'steer' ? row.body.text : '',
        )
      const expected = (name: string, from: number) =>
        Array.from({ length: 700 - from }, (_, i) => `${name}${i + from}`)
      for (const after of [0, 100, 650, 699]) {
        expect(await texts(SESSION, after)).toEqual(expected('a', after))
        expect(await texts('ses_2' as SessionId, after)).toEqual(expected('b', after))
      }
      expect(await log.lastSeq(SESSION)).toBe(700)
      // the last rows of the log go, and the next take their places
      expect(unwrap(await log.deleteSession('ses_2' as SessionId)).rows).toBe(700)
      unwrap(await log.append(last, [steer('c0')]))
      await append(steer('a700'))
      expect(await texts(SESSION, 690)).toEqual([...expected('a', 690), 'a700'])
      expect(await texts('ses_3' as SessionId, 0)).toEqual(['c0'])
      expect(unwrap(await log.deleteSession(SESSION)).rows).toBe(701)
      unwrap(await log.append(last, [steer('c1')]))
      expect(await texts('ses_3' as SessionId, 0)).toEqual(['c0', 'c1'])
    })

    test('rows are read from a cursor in pages, and the last number is known', async () => {
      expect(await log.lastSeq(SESSION)).toBe(0)
      await append(...['a', 'b', 'c', 'd'].map(steer))
      expect((await log.read(SESSION, { after: 1, limit: 2 })).map(row => row.seq)).toEqual([2, 3])
      expect(await log.read(SESSION, { after: 4 })).toEqual([])
      expect(await log.lastSeq(SESSION)).toBe(4)
    })

    test('appends that are not waited for keep their order and leave no gap', async () => {
      const appending = Array.from({ length: 50 }, (_, i) =>
        log.appendNow(lease, [steer(`${i}`)], { acknowledge: i % 3 ? 'durable' : 'written' }),
      )
      expect(appending.flatMap(({ rows }) => rows.map(row => row.seq))).toEqual(countTo(50))
      await Promise.all(appending.map(({ kept }) => kept))
      expect(await seqs()).toEqual(countTo(50))
    })

    test('what comes after an append in the same turn finds its rows', async () => {
      const first = log.append(lease, [steer('a'), steer('b')])
      const now = log.appendNow(lease, [steer('c')])
      expect(now.rows.map(row => row.seq)).toEqual([3])
      const last = log.append(lease, [steer('d')])
      expect(await seqs()).toEqual(countTo(4))
      await log.release(lease)
      for (const kept of [first, now.kept, last]) expect((await kept).ok).toBe(true)
      expect(await seqs()).toEqual(countTo(4))
    })

    test('an append that is refused takes nothing from its neighbours in the same turn', async () => {
      const others = await Promise.all(countTo(5).map(i => begin(log, `ses_n${i}` as SessionId)))
      await log.release(others[1]!)
      await append(result('tc_1', 'one'))
      const broken = { type: 'steer', text: 1n } as unknown as JournalLine
      const [again, gone, bad, ...good] = await Promise.allSettled([
        log.append(lease, [steer('a'), result('tc_1', 'two'), steer('b')]),
        log.append(others[1]!, [steer('late'), steer('later')]),
        log.append(others[2]!, [steer('not alone'), line(broken)]),
        ...[0, 3, 4].map(i => log.append(others[i]!, [steer('a'), steer('b')])),
      ])
      expect(again).toMatchObject({
        value: { value: { rows: [{ seq: 2 }, { seq: 3 }], alreadyEnded: ['tc_1'] } },
      })
      expect(gone).toMatchObject({ value: { failure: { code: 'LEASE_LOST' } } })
      expect(bad).toMatchObject({ status: 'rejected' })
      for (const kept of good)
        expect(kept).toMatchObject({ value: { value: { rows: [{ seq: 1 }, { seq: 2 }] } } })
      const lengths = others.map(async other => (await log.read(other.sessionId)).length)
      expect(await Promise.all(lengths)).toEqual([2, 0, 0, 2, 2])
      const claimed = unwrap(await log.claim(others[2]!.sessionId, 'again')) // its lease ended with what failed
      unwrap(await log.append(claimed, [steer('alone')]))
      expect(await log.lastSeq(claimed.sessionId)).toBe(1)
      expect((await log.read(SESSION)).map(row => row.seq)).toEqual([1, 2, 3])
    })

    test('sessions that append at once, one to twenty rows each, are read whole', async () => {
      const leases = await Promise.all(countTo(20).map(i => begin(log, `ses_m${i}` as SessionId)))
      for (const round of countTo(8))
        await Promise.all(
          leases.map((own, i) =>
            log.append(
              own,
              countTo(((i * round) % 20) + 1).map(n => steer(`${n}`)),
              {
                acknowledge: 'written',
              },
            ),
          ),
        )
      for (const { sessionId } of leases) {
        const rows = await log.read(sessionId)
        expect(rows.map(row => row.seq)).toEqual(countTo(rows.length))
        expect(rows.length).toBe(await log.lastSeq(sessionId))
        const middle = await log.read(sessionId, { after: 30, limit: 7 })
        expect(middle).toEqual(rows.slice(30, 37))
      }
    })

    test('sessions count each for itself', async () => {
      const other = await begin(log, 'ses_2' as SessionId)
      await Promise.all([append(steer('a')), log.append(other, [steer('b')]), append(steer('c'))])
      expect(await seqs()).toEqual([1, 2])
      expect(await log.lastSeq('ses_2' as SessionId)).toBe(1)
    })

    // results

    test('a second result of a call is dropped and reported', async () => {
      const first = await append(result('tc_1', 'one'))
      const again = await append(result('tc_1', 'two'), steer('go on'))
      expect(first.alreadyEnded).toEqual([])
      expect(again.alreadyEnded).toEqual(['tc_1'])
      expect(again.rows.map(row => [row.seq, row.type])).toEqual([[2, 'steer']])
      expect(await log.findResult(SESSION, 'tc_1' as ToolCallId)).toEqual(first.rows[0])
      expect(await log.findResult(SESSION, 'tc_2' as ToolCallId)).toBeUndefined()
    })

    test('the same call id in another session is another call', async () => {
      const other = await begin(log, 'ses_2' as SessionId)
      await append(result('tc_1', 'one'))
      const { alreadyEnded } = unwrap(await log.append(other, [result('tc_1', 'two')]))
      expect(alreadyEnded).toEqual([])
    })

    // subscribers

    test('subscribers hear every row once, in order, whatever it waited for', async () => {
      const heard: number[] = []
      const stop = log.subscribe(SESSION, rows => heard.push(...rows.map(row => row.seq)))
      const appending = countTo(9).map(i =>
        log.append(lease, [steer(`${i}`)], { acknowledge: i % 2 ? 'durable' : 'written' }),
      )
      await Promise.all(appending)
      expect(heard).toEqual(countTo(9))
      stop()
      await append(steer('unheard'))
      expect(heard).toHaveLength(9)
    })

    test('a subscriber who then reads from a cursor misses no row', async () => {
      const seen = new Map<number, LogRow>()
      const writing = (async () => {
        for (const i of countTo(40)) await append(steer(`${i}`))
      })()
      await append(steer('between'))
      log.subscribe(SESSION, rows => rows.forEach(row => void seen.set(row.seq, row)))
      for (const row of await log.read(SESSION)) seen.set(row.seq, row)
      await writing
      expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual(countTo(41))
    })

    // inbox

    verifies('CONTRACT §7 inbox', 'inbox items wait in order until they are appended', async () => {
      await log.release(lease) // nobody runs the session
      for (const id of ['a', 'b', 'c'])
        expect(unwrap(await log.putInbox(SESSION, item(id)))).toEqual({ duplicate: false })
      expect(await log.sessionsWithMail()).toEqual([SESSION])
      const next = unwrap(await log.claim(SESSION, 'next'))
      const waiting = await log.peekInbox(SESSION)
      expect(waiting).toMatchObject([item('a'), item('b'), item('c')])

      unwrap(await log.append(next, [steer('a'), steer('b')], { consume: ['a', 'b'] }))
      expect((await log.peekInbox(SESSION)).map(({ id }) => id)).toEqual(['c'])
      unwrap(await log.append(next, [], { consume: ['c'] }))
      expect(await log.sessionsWithMail()).toEqual([])
      expect(await log.lastSeq(SESSION)).toBe(2)
    })

    test('an item sent again is recognized, even when it was consumed', async () => {
      unwrap(await log.putInbox(SESSION, item('a')))
      expect(unwrap(await log.putInbox(SESSION, item('a')))).toEqual({ duplicate: true })
      unwrap(await log.append(lease, [steer('a')], { consume: ['a'] }))
      expect(unwrap(await log.putInbox(SESSION, item('a')))).toEqual({ duplicate: true })
      expect(await log.peekInbox(SESSION)).toEqual([])
    })

    test('an item is consumed once, and nothing is appended with one that is gone', async () => {
      unwrap(await log.putInbox(SESSION, item('a')))
      unwrap(await log.append(lease, [steer('a')], { consume: ['a'] }))
      expect(await log.append(lease, [steer('a')], { consume: ['a'] })).toMatchObject({
        failure: { code: 'CONFLICT', details: { consumed: ['a'] } },
      })
      unwrap(await log.append(lease, [steer('b')])) // the lease lives on
      expect(await seqs()).toEqual([1, 2])
    })

    test('one who lost the lease consumes nothing', async () => {
      unwrap(await log.putInbox(SESSION, item('a')))
      await takeOver(log, lease, 'other')
      expect((await log.append(lease, [steer('a')], { consume: ['a'] })).ok).toBe(false)
      expect(await log.peekInbox(SESSION)).toHaveLength(1)
    })

    test('new mail wakes, old mail does not', async () => {
      const woken: SessionId[] = []
      const stop = log.onMail(sessionId => woken.push(sessionId))
      await log.putInbox(SESSION, item('a'))
      await log.putInbox(SESSION, item('a'))
      stop()
      await log.putInbox(SESSION, item('b'))
      expect(hintsAgain ? [...new Set(woken)] : woken).toEqual([SESSION])
    })

    test('mail for a session that does not exist is refused', async () => {
      expect(await log.putInbox('ses_none' as SessionId, item('a'))).toMatchObject({
        failure: { code: 'NOT_FOUND' },
      })
    })

    // sessions

    test("a session's state follows from the appended rows", async () => {
      const state = async () => (await log.getSession(SESSION))!.state
      expect(await state()).toBe('idle')
      await append(START)
      expect(await state()).toBe('running')
      await append(endAs('waiting'))
      expect(await state()).toBe('waiting')
      await append(endAs('final'))
      expect(await state()).toBe('idle')
    })

    verifies(
      'CONTRACT §1 one conversation at a time',
      'a new conversation takes the place of the old one in its session',
      async () => {
        const next = 'con_2' as ConversationId
        await append({
          conversationId: next,
          body: { type: 'conversation-start', reason: 'cleared' },
        })
        expect(await log.getSession(SESSION)).toMatchObject({
          sessionId: SESSION,
          conversationId: next,
        })
      },
    )

    test('the tally counts runs under way, runs that wait, and what waits in inboxes', async () => {
      expect(await log.tally()).toEqual({ running: 0, waiting: 0, mail: 0 })
      const other = await begin(log, 'ses_2' as SessionId)
      for (const on of [lease, other]) unwrap(await log.append(on, [START]))
      expect(await log.tally()).toEqual({ running: 2, waiting: 0, mail: 0 })
      unwrap(await log.append(other, [endAs('waiting')]))
      for (const id of ['a', 'b']) unwrap(await log.putInbox(SESSION, item(id)))
      expect(await log.tally()).toEqual({ running: 1, waiting: 1, mail: 2 })
      unwrap(await log.append(lease, [steer('a'), endAs('final')], { consume: ['a'] }))
      expect(await log.tally()).toEqual({ running: 0, waiting: 1, mail: 1 })
    })

    test('sessions are listed by workspace and state, last touched first', async () => {
      const other = await begin(log, 'ses_2' as SessionId)
      await newSession(log, { workspaceId: 'ws_2' as WorkspaceId })
      await sleep(5)
      unwrap(
        await log.append(other, [
          line({ type: 'run-start', run_id: RUN, model: 'm', toolset: 'workshop' }),
        ]),
      )
      const ids = async (filter: Parameters<SessionLog['listSessions']>[0]) =>
        (await log.listSessions(filter)).map(({ sessionId }) => sessionId)
      expect(await ids({ workspaceId: WORKSPACE })).toEqual(['ses_2', SESSION])
      expect(await ids({ state: 'running' })).toEqual(['ses_2'])
      expect(await ids({ workspaceId: 'ws_none' as WorkspaceId })).toEqual([])
    })

    test('sessions are listed in the order of the log, even when the clock is set back', async () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      onTestFinished(() => void vi.useRealTimers())
      const other = await begin(log, 'ses_2' as SessionId)
      await append(steer('a'))
      vi.setSystemTime(Date.now() - 86_400_000)
      unwrap(await log.append(other, [steer('b')]))
      const ids = async () => (await log.listSessions()).map(({ sessionId }) => sessionId)
      expect(await ids()).toEqual(['ses_2', SESSION])
      const third = { sessionId: 'ses_3' as SessionId, workspaceId: WORKSPACE }
      unwrap(await log.createSession({ ...third, conversationId: CONVERSATION }))
      expect((await ids())[0]).toBe('ses_3')
      await append(steer('c'))
      expect(await ids()).toEqual([SESSION, 'ses_3', 'ses_2'])
    })

    test('a title is kept; a session exists once', async () => {
      expect(unwrap(await log.setTitle(SESSION, 'Taxes'))).toMatchObject({ title: 'Taxes' })
      expect(await log.setTitle('ses_none' as SessionId, 'x')).toMatchObject({
        failure: { code: 'NOT_FOUND' },
      })
      const again = { sessionId: SESSION, workspaceId: WORKSPACE, conversationId: CONVERSATION }
      expect(await log.createSession(again)).toMatchObject({ failure: { code: 'CONFLICT' } })
    })

    test('a deleted session is gone with its rows, its mail and the blobs only it names', async () => {
      const other = await begin(log, 'ses_2' as SessionId)
      const [own, shared, picture] = await Promise.all(
        ['own', 'shared', 'picture'].map(async text =>
          unwrap(await blobs.put(new TextEncoder().encode(text))),
        ),
      )
      await append(...[own!, shared!].map((full, i) => result(`tc_${i}`, 'receipt', full)))
      await append(pictured(picture!.sha256))
      unwrap(await log.append(other, [result('tc_9', 'receipt', shared!)]))
      await log.putInbox(SESSION, item('a'))

      expect(unwrap(await log.deleteSession(SESSION))).toEqual({ rows: 3, blobs: 2 })
      expect(await log.getSession(SESSION)).toBeUndefined()
      expect(await log.read(SESSION)).toEqual([])
      expect(await log.peekInbox(SESSION)).toEqual([])
      const there = [own!, shared!, picture!].map(({ sha256 }) => blobs.has(sha256))
      expect(await Promise.all(there)).toEqual([false, true, false])
      expect((await log.append(lease, [steer('late')])).ok).toBe(false)
      expect(await log.deleteSession(SESSION)).toMatchObject({ failure: { code: 'NOT_FOUND' } })
    })
  })
}
