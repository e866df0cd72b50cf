import type { ChangeSetId } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ApplyJournal, Intent } from './journal.ts'

/** What every journal of applies does. `make` gives how to open a new, empty one, and to open it again later. */
export function applyJournalContract(name: string, make: () => () => Promise<ApplyJournal>): void {
  describe(name, () => {
    let open: () => Promise<ApplyJournal>
    let journal: ApplyJournal
    beforeEach(async () => {
      open = make()
      journal = await open()
    })
    /** The journal as found after a crash. */
    const found = async () => {
      journal.close()
      journal = await open()
      return journal.unfinished()
    }

    test('an apply is unfinished from its intent to its end, and is decided by its commit', async () => {
      expect(await found()).toEqual([])
      await journal.intend(intent('cs_1'))
      const begun = { intent: intent('cs_1'), commit: null, renames: false, pairs: [] }
      expect(await found()).toEqual([begun])
      const pairs = [{ index: 0, staged: '12', base: '7' }]
      await journal.notePairs(id('cs_1'), pairs)
      expect(await found()).toMatchObject([{ commit: null, pairs }])
      await journal.noteRenames(id('cs_1'))
      expect(await found()).toMatchObject([{ commit: null, renames: true }])
      const commit = { changeSetId: id('cs_1'), files: [], warnings: ['one'] }
      await journal.commit(commit)
      expect(await found()).toMatchObject([{ commit, renames: true }])
      await journal.end(id('cs_1'), { durable: true })
      expect(await found()).toEqual([])
    })

    test('several applies that a crash interrupted are returned in the order they began', async () => {
      for (const each of ['cs_2', 'cs_1', 'cs_3']) await journal.intend(intent(each))
      await journal.end(id('cs_1'), { durable: true })
      const ids = (await found()).map(({ intent }) => intent.changeSetId)
      expect(ids).toEqual(['cs_2', 'cs_3'])
    })

    test('an order is greater than each before it, even when the clock was set back', async () => {
      expect(await journal.nextOrder(1000)).toBe(1000)
      await journal.intend({ ...intent('cs_1'), order: 1000 })
      await journal.end(id('cs_1'), { durable: true })
      expect(await journal.nextOrder(5)).toBe(1001)
      await found()
      expect(await journal.nextOrder(5)).toBe(1001)
      expect(await journal.nextOrder(2000)).toBe(2000)
    })
  })
}

function intent(changeSetId: string): Intent {
  const nothing = { files: [], folders: [], emptied: [] }
  return { changeSetId: id(changeSetId), time: 1, token: 'abc', ...nothing }
}

function id(changeSetId: string): ChangeSetId {
  return changeSetId as ChangeSetId
}
