import type { DraftId, DraftLine } from '@filewright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDraftLogs } from '../kept/draft-lines.ts'
import { createMemoryLines } from '../memory/memory-lines.ts'
import type { DraftLogs } from '../state/draft-logs.ts'
import { openDraftStore } from './draft-store.ts'

const ID = 'drf_1' as DraftId

test('what is shown after a write that failed is what a restart finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('kept', 'lost', 'lost, and away'), { minLength: 1, maxLength: 6 }),
      async fates => {
        const logs = createDraftLogs(createMemoryLines())
        let fate = ''
        const failing: DraftLogs = {
          ...logs,
          async begin(id, lines) {
            if (fate === 'kept') return logs.begin(id, lines)
            const kept = Promise.resolve().then(() => Promise.reject(new Error('The disk is away')))
            kept.catch(() => {})
            return { kept }
          },
          read: (shelf, id) =>
            fate === 'lost, and away' ? Promise.reject(new Error('away')) : logs.read(shelf, id),
        }
        const store = await openDraftStore(failing)
        await store.append(ID, [OPENED])
        const acknowledged: string[] = []
        for (const [at, next] of fates.entries()) {
          const isThere = store.open().length > 0
          fate = next
          const { kept } = await store.begin(ID, [
            ...(isThere ? [] : [OPENED]),
            outcome(`tc_${at}`),
          ])
          const isKept = await kept.then(
            () => true,
            () => false,
          )
          fate = 'kept'
          if (!isThere) return // the state is opened again before more is written
          if (isKept) acknowledged.push(`tc_${at}`)
          expect(await store.findOutcome(`tc_${at}`)).toEqual(isKept ? STATE : undefined)
        }
        const restarted = await openDraftStore(logs)
        expect([...restarted.open()[0]!.outcomes.keys()]).toEqual(acknowledged)
      },
    ),
  )
})

const OPENED = {
  ...{ type: 'open', draftId: ID, sessionId: 'ses_1', time: '2026-11-19T10:00:00.000Z' },
  purpose: 'workshop',
} as DraftLine

const STATE = { outcome: { text: 'written' } }

function outcome(toolCallId: string): DraftLine {
  const call = { tool: 'write_text_file', arguments: '{}' }
  return { type: 'outcome', toolCallId, call, state: STATE } as unknown as DraftLine
}
