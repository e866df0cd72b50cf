import type { DraftId, DraftLine } from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DraftLogs } from './draft-logs.ts'

const ONE = 'drf_1' as DraftId
const TWO = 'drf_2' as DraftId
const HASH = 'ab'.repeat(32)

/** What all logs of drafts do. `make` gives how to open new, empty ones, and to open them again later. */
export function draftLogsContract(name: string, make: () => () => Promise<DraftLogs>): void {
  describe(name, () => {
    let open: () => Promise<DraftLogs>
    let logs: DraftLogs
    beforeEach(async () => {
      open = make()
      logs = await open()
    })

    test('a draft grows on the open shelf, and is there after a restart', async () => {
      await logs.append(ONE, [line('a')])
      const { kept } = await logs.begin(ONE, [line('b'), line('c')])
      await logs.append(TWO, [line('x')])
      await kept
      const again = await open()
      expect(await again.list('open')).toEqual([ONE, TWO])
      expect(await again.read('open', ONE)).toEqual(['a', 'b', 'c'].map(line))
    })

    test('a draft is on one shelf at a time, and leaves it when it is removed', async () => {
      for (const id of [ONE, TWO]) await logs.append(id, [line(id)])
      await logs.move(ONE, 'open', 'closed')
      await logs.move(TWO, 'open', 'damaged')
      await logs.append('drf_3' as DraftId, [line('c')]) // from now on the moves last
      const again = await open()
      expect(await again.list('open')).toEqual(['drf_3'])
      expect(await again.list('closed')).toEqual([ONE])
      expect(await again.list('damaged')).toEqual([TWO])
      expect(await again.read('closed', ONE)).toEqual([line(ONE)])
      expect(await again.read('open', ONE)).toEqual([])
      await again.remove('closed', ONE)
      await again.remove('closed', ONE)
      expect(await again.list('closed')).toEqual([])
    })

    test('the bytes its lines name are found on each shelf, and so is its place', async () => {
      await logs.append(ONE, [line(HASH)])
      expect(await logs.namedBlobs('open', ONE)).toEqual(new Set([HASH]))
      await logs.move(ONE, 'open', 'damaged')
      expect(await logs.namedBlobs('open', ONE)).toEqual(new Set())
      expect(await logs.namedBlobs('damaged', ONE)).toEqual(new Set([HASH]))
      expect(logs.placeOf('damaged', ONE)).toContain(ONE)
    })
  })
}

function line(text: string): DraftLine {
  return { type: 'close', how: 'discarded', by: text, time: '2026-01-31T12:00:00.000Z' }
}
