import type { DraftId, DraftLine } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createDraftLogs } from '../kept/draft-lines.ts'
import { createMemoryLines } from '../memory/memory-lines.ts'
import { openDraftStore } from './draft-store.ts'
import { findKeptCall, listKeptCalls } from './kept-calls.ts'

const ID = 'drf_1' as DraftId
const time = '2026-01-31T12:00:00.000Z'
const open = { type: 'open', draftId: ID, sessionId: 'ses_1', purpose: 'workshop', time }
const outcome = (n: number) => ({
  type: 'outcome',
  toolCallId: `tc_${n}`,
  call: { tool: 'write_text_file', arguments: `{"n":${n}}` },
  state: { outcome: { text: `done ${n}` } },
})

test('a log is read once for all requested calls, and again for later ones', async () => {
  const store = await openDraftStore(createDraftLogs(createMemoryLines()))
  const add = (...lines: object[]) => store.append(ID, lines as unknown as DraftLine[])
  await add(open)
  for (let n = 0; n < 50; n++) await add(outcome(n))
  let reads = 0
  const counting = {
    ...store,
    lines: (id: DraftId) => {
      reads++
      return store.lines(id)
    },
  }
  const find = (n: number) => findKeptCall(counting, `tc_${n}`)
  expect(listKeptCalls(store, 3)).toEqual([
    { sessionId: 'ses_1', toolCallIds: ['tc_49', 'tc_48', 'tc_47'] },
  ])
  for (let n = 0; n < 50; n++)
    expect(await find(n)).toEqual({ ...outcome(n).call, state: outcome(n).state })
  expect(reads).toBe(1)
  await add(outcome(50))
  expect(await find(50)).toMatchObject({ arguments: '{"n":50}' })
  expect(await find(51)).toBeNull()
  await add({ ...outcome(52), call: undefined })
  for (let times = 0; times < 3; times++) expect(await find(52)).toBeNull()
  expect(reads).toBe(3)
})
