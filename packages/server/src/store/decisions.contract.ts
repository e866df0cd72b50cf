import type { WorkspaceId } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Decided, DecisionLog } from './decisions.ts'

const [HERE, THERE] = ['ws_here' as WorkspaceId, 'ws_there' as WorkspaceId]

function aDecision(number: number, more: Partial<Decided> = {}): Decided {
  return {
    time: `2026-01-02T03:04:0${number}.000Z`,
    tokenId: 'tok_1',
    name: 'anna',
    workspaceId: HERE,
    action: 'publish',
    target: `drf_${number}`,
    details: { only: ['chg_1'] },
    ...more,
  }
}

/** What every log of decisions does. `make` gives a new, empty one. */
export function decisionsContract(name: string, make: () => Promise<DecisionLog>): void {
  describe(name, () => {
    let decisions: DecisionLog
    beforeEach(async () => {
      decisions = await make()
    })

    test('a decision is kept before it is carried out, and gets its outcome once', async () => {
      const position = await decisions.begin(aDecision(1))
      const begun = { ...aDecision(1), position }
      expect(await decisions.list({ limit: 10 })).toEqual([begun])
      await decisions.end(position, 'CONFLICT')
      await decisions.end(position, 'done', 'cs_1')
      expect(await decisions.list({ limit: 10 })).toEqual([{ ...begun, outcome: 'CONFLICT' }])
      const next = await decisions.begin(aDecision(2))
      await decisions.end(next, 'done', 'cs_1')
      const [newest] = await decisions.list({ limit: 1 })
      expect(newest).toEqual({ ...aDecision(2), position: next, outcome: 'done', result: 'cs_1' })
    })

    test('the newest come first, page by page', async () => {
      for (const number of [1, 2, 3, 4, 5]) await decisions.begin(aDecision(number))
      const targets = (page: readonly Decided[]) => page.map(({ target }) => target)
      const first = await decisions.list({ limit: 2 })
      expect(targets(first)).toEqual(['drf_5', 'drf_4'])
      const next = await decisions.list({ limit: 9, before: first.at(-1)!.position })
      expect(targets(next)).toEqual(['drf_3', 'drf_2', 'drf_1'])
    })

    test('those of some workspaces are told from all others', async () => {
      await decisions.begin(aDecision(1))
      await decisions.begin(aDecision(2, { workspaceId: THERE }))
      const server = aDecision(3, { workspaceId: undefined, target: undefined })
      await decisions.begin(server)
      const ofHere = await decisions.list({ limit: 9, workspaces: [HERE] })
      expect(ofHere.map(({ target }) => target)).toEqual(['drf_1'])
      expect(await decisions.list({ limit: 9, workspaces: [] })).toEqual([])
      const [newest] = await decisions.list({ limit: 9 })
      expect(newest).toEqual({
        ...aDecision(3),
        workspaceId: undefined,
        target: undefined,
        position: newest!.position,
      })
    })
  })
}
