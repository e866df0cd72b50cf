import type { ChangeSetId } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { Intent } from '../apply/journal.ts'
import { MemoryDisk } from '../workspace/memory-folder.ts'
import { createApplyJournal } from './apply-journal.ts'

const FILE = 'apply.journal'

test('what began and did not end is unfinished, after a restart too', async () => {
  const disk = new MemoryDisk()
  const journal = createApplyJournal(disk.openRoot())
  await journal.intend(intent('cs_1'))
  await journal.intend(intent('cs_2'))
  await journal.intend(intent('cs_3'))
  await journal.noteRenames(id('cs_2'))
  await journal.commit({ changeSetId: id('cs_3'), files: [], warnings: ['x'] })
  await journal.end(id('cs_1'), { durable: true })
  const expected = [
    { intent: intent('cs_2'), commit: null, renames: true },
    { intent: intent('cs_3'), commit: { changeSetId: 'cs_3', warnings: ['x'] }, renames: false },
  ]
  expect(await journal.unfinished()).toMatchObject(expected)
  expect(await createApplyJournal(disk.openRoot()).unfinished()).toMatchObject(expected)
})

test('a line torn at any byte is skipped, and the next one stands', async () => {
  const disk = new MemoryDisk()
  await createApplyJournal(disk.openRoot()).intend(intent('cs_1'))
  const whole = disk.files().get(FILE)!
  for (let length = 0; length < whole.length; length++) {
    const torn = new MemoryDisk()
    torn.writeFile(FILE, whole.subarray(0, length))
    const journal = createApplyJournal(torn.openRoot())
    const isWhole = length === whole.length - 1 // only the line's end is missing
    expect((await journal.unfinished()).length).toBe(isWhole ? 1 : 0)
    await journal.intend(intent('cs_2'))
    const again = await createApplyJournal(torn.openRoot()).unfinished()
    expect(again.at(-1)).toMatchObject({ intent: { changeSetId: 'cs_2' } })
  }
})

test('a line whose bytes changed is skipped', async () => {
  const disk = new MemoryDisk()
  const journal = createApplyJournal(disk.openRoot())
  await journal.intend(intent('cs_1'))
  await journal.intend(intent('cs_2'))
  const bytes = Buffer.from(disk.files().get(FILE)!)
  bytes[bytes.indexOf('cs_1') + 3] = 0x39
  disk.writeFile(FILE, bytes)
  const found = await createApplyJournal(disk.openRoot()).unfinished()
  expect(found.map(each => each.intent.changeSetId)).toEqual(['cs_2'])
})

test('a journal in which everything ended begins anew when it has grown', async () => {
  const disk = new MemoryDisk()
  const journal = createApplyJournal(disk.openRoot())
  const label = 'x'.repeat(400_000)
  for (let n = 0; n < 6; n++) {
    await journal.intend({ ...intent(`cs_${n}`), label })
    await journal.end(id(`cs_${n}`), { durable: false })
    expect(disk.files().get(FILE)?.length ?? 0).toBeLessThan(1_300_000)
  }
  await journal.intend(intent('cs_last'))
  expect(await createApplyJournal(disk.openRoot()).unfinished()).toHaveLength(1)
  expect([...disk.files().keys()]).toEqual([FILE])
})

test('an order is greater than every one before, whatever the clock says and however the journal grew', async () => {
  const disk = new MemoryDisk()
  const journal = createApplyJournal(disk.openRoot())
  await journal.intend({ ...intent('cs_1'), time: 5000 }) // of an older version, which wrote no order
  expect(await journal.nextOrder(9000)).toBe(9000)
  expect(await journal.nextOrder(4000)).toBe(5001)
  await journal.intend({ ...intent('cs_2'), time: 4000, order: 5001, label: 'x'.repeat(1_100_000) })
  for (const each of ['cs_1', 'cs_2']) await journal.end(id(each), { durable: false })
  expect(disk.files().get(FILE)!.length).toBeLessThan(1000)
  expect(await createApplyJournal(disk.openRoot()).nextOrder(4000)).toBe(5002)
})

function intent(text: string): Intent {
  return { changeSetId: id(text), time: 1, token: 'abc', files: [], folders: [], emptied: [] }
}

function id(text: string): ChangeSetId {
  return text as ChangeSetId
}
