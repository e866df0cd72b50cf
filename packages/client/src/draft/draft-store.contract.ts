import type { ApprovalId, DraftId, DraftLine, SessionId } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DraftLogs } from '../state/draft-logs.ts'
import { type DraftStore, openDraftStore } from './draft-store.ts'
import { findKeptCall, listKeptCalls } from './kept-calls.ts'

const SESSION = 'ses_1' as SessionId
const [ONE, TWO] = ['drf_1', 'drf_2'] as [DraftId, DraftId]

/** What a store of drafts does on any logs. `make` gives how to open new, empty ones, and to open them again later. */
export function draftStoreContract(name: string, make: () => () => Promise<DraftLogs>): void {
  describe(name, () => {
    let open: () => Promise<DraftLogs>
    let store: DraftStore
    const restart = async () => {
      store = await openDraftStore(await open())
    }
    const idsOf = (drafts: readonly { readonly id: DraftId }[]) => drafts.map(({ id }) => id)
    beforeEach(async () => {
      open = make()
      await restart()
    })

    test('open drafts are held, last touched last, and closed ones are found on demand', async () => {
      await store.append(ONE, [opened(ONE, 1)])
      await store.append(TWO, [opened(TWO, 2)])
      await store.append(ONE, [discarded(3)])
      for (let time = 0; time < 2; time++) {
        expect(idsOf(store.open())).toEqual([TWO])
        expect(store.openOf(SESSION)?.id).toBe(TWO)
        expect(await store.find(ONE)).toMatchObject({ id: ONE, state: 'discarded' })
        expect(idsOf(await store.list())).toEqual([TWO, ONE])
        await restart()
      }
      await store.remove(ONE)
      await restart()
      expect(await store.find(ONE)).toBeUndefined()
      expect(await store.find(TWO)).toMatchObject({ state: 'open' })
    })

    test('a draft is found, listed and read at every moment while it closes', async () => {
      await store.append(ONE, [opened(ONE, 1)])
      await store.append(ONE, [outcome('tc_1', 'written')])
      let isClosed = false
      const closing = store.append(ONE, [discarded(2)]).then(() => {
        isClosed = true
      })
      do {
        expect(await store.find(ONE)).toMatchObject({ id: ONE })
        expect(idsOf(await store.list())).toEqual([ONE])
        expect(await store.findOutcome('tc_1')).toMatchObject({ outcome: { text: 'written' } })
        expect((await store.lines(ONE)).length).toBeGreaterThanOrEqual(2)
      } while (!isClosed)
      await closing
    })

    test('an approval waits, is decided, and keeps both across a restart', async () => {
      await store.append(ONE, [opened(ONE, 1, 'one-call'), asked(1)])
      await restart()
      const waiting = await store.find(ONE)
      expect([waiting?.approvalId, waiting?.decision]).toEqual(['apr_1', undefined])
      await store.append(ONE, [decided(2)])
      await restart()
      const decision = { decision: 'approved', by: 'me' }
      expect(await store.find(ONE)).toMatchObject({ state: 'open', decision })
      await store.append(ONE, [outcome('tc_1', 'written'), discarded(3)])
      await restart()
      expect(store.open()).toEqual([])
      expect(await store.find(ONE)).toMatchObject({ approvalId: 'apr_1', decision })
      expect(await store.findOutcome('tc_1')).toMatchObject({ outcome: { text: 'written' } })
    })

    test('calls that an open draft keeps are found, newest first, across a restart', async () => {
      await store.append(ONE, [opened(ONE, 1)])
      const { kept } = await store.begin(ONE, [outcome('tc_1', 'one')])
      await kept
      await store.append(ONE, [outcome('tc_2', 'two')])
      await restart()
      expect(listKeptCalls(store, 5)).toEqual([
        { sessionId: SESSION, toolCallIds: ['tc_2', 'tc_1'] },
      ])
      expect(await findKeptCall(store, 'tc_1')).toMatchObject({
        tool: 'write_text_file',
        state: { outcome: { text: 'one' } },
      })
      expect(await findKeptCall(store, 'tc_3')).toBeNull()
      expect(await store.findOutcome('tc_2')).toMatchObject({ outcome: { text: 'two' } })
    })
  })
}

const timeOf = (second: number) => `2026-01-31T12:00:0${second}.000Z`

function opened(
  draftId: DraftId,
  second: number,
  purpose: 'workshop' | 'one-call' = 'workshop',
): DraftLine {
  return { type: 'open', draftId, sessionId: SESSION, purpose, time: timeOf(second) }
}

function discarded(second: number): DraftLine {
  return { type: 'close', how: 'discarded', by: 'me', time: timeOf(second) }
}

function asked(second: number): DraftLine {
  return { type: 'ask', approvalId: 'apr_1' as ApprovalId, time: timeOf(second) }
}

function decided(second: number): DraftLine {
  return { type: 'decide', decision: { decision: 'approved', by: 'me' }, time: timeOf(second) }
}

function outcome(toolCallId: string, text: string): DraftLine {
  const call = { tool: 'write_text_file', arguments: '{}' }
  return { type: 'outcome', toolCallId, call, state: { outcome: { text } } } as unknown as DraftLine
}
