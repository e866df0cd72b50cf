import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonCount, excessIn } from './json-count.ts'
import { LIMITS } from './limits.ts'

test('a text is counted as what it holds, wherever it is split', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.array(fc.nat(200)), (value, cuts) => {
      const json = JSON.stringify(value)
      const count = createJsonCount()
      const places = [...new Set([0, ...cuts.map(at => at % (json.length + 1)), json.length])]
      places.sort((a, b) => a - b)
      for (const [i, at] of places.entries()) count.add(json.slice(at, places[i + 1] ?? at))
      const held = extentOf(value)
      expect(count.lists).toBe(held.lists)
      expect(count.depth).toBe(held.depth)
      expect(count.values).toBeGreaterThanOrEqual(held.values)
      expect(count.values).toBeLessThanOrEqual(2 * held.values)
    }),
    { seed: 20_260_311, numRuns: 300 },
  )
})

function extentOf(value: unknown): { values: number; lists: number; depth: number } {
  if (value === null || typeof value !== 'object') return { values: 1, lists: 0, depth: 0 }
  const inside = Object.values(value).map(extentOf)
  return {
    values: inside.reduce((sum, { values }) => sum + values, 1),
    lists: inside.reduce((sum, { lists }) => sum + lists, 1),
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
  }
}

test('what no tool takes is named before it is built', () => {
  expect(excessIn('['.repeat(3_000_000))).toContain('nested more than 100 deep')
  expect(excessIn(`[${'[],'.repeat(LIMITS.argumentLists)}[]]`)).toContain('objects and lists')
  expect(excessIn(`[${'1,'.repeat(2 * LIMITS.argumentValues)}1]`)).toContain('values')
  expect(excessIn(`["${'[,{'.repeat(1_000_000)}", "\\"[[["]`)).toBeUndefined()
  expect(excessIn('plain words, many, of them')).toBeUndefined()
})
