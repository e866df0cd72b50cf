import type { Change } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { toggled } from './refused-changes.ts'

// b builds on a, c builds on b; d stands alone.
const changes = [change('a'), change('b', 'a'), change('c', 'b'), change('d')]

test('a refused change takes with it what builds on it', () => {
  expect(toggle('b')).toEqual(['b', 'c'])
  expect(toggle('a')).toEqual(['a', 'b', 'c'])
  expect(toggle('d')).toEqual(['d'])
})

test('an accepted change brings what it builds on', () => {
  expect(toggle('b', 'a', 'b', 'c', 'd')).toEqual(['c', 'd'])
  expect(toggle('c', 'a', 'b', 'c')).toEqual([])
})

function toggle(id: string, ...refused: string[]): string[] {
  const change = changes.find(change => change.id === id)!
  return [...toggled(change, new Set(refused), changes)].sort()
}

function change(id: string, ...dependsOn: string[]): Change {
  return { id, dependsOn } as unknown as Change
}
