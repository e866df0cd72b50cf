import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingList } from './growing-list.ts'

test('each list keeps its items, however the lists it grew from or shares with have grown', () => {
  const step = fc.record({ from: fc.nat(), items: fc.array(fc.nat(3), { maxLength: 3 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const lists: { list: GrowingList<number>; plain: number[] }[] = [
        { list: GrowingList.of(), plain: [] },
      ]
      for (const { from, items } of steps) {
        const { list, plain } = lists[from % lists.length]!
        lists.push({ list: list.with(items), plain: [...plain, ...items] })
      }
      for (const { list, plain } of lists) {
        expect([...list]).toEqual(plain)
        expect(list.slice(1)).toEqual(plain.slice(1))
        expect(list).toHaveLength(plain.length)
        for (const index of [0, 2, -1, plain.length, -plain.length - 1])
          expect(list.at(index)).toBe(plain.at(index))
      }
    }),
  )
})
