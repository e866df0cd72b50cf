import type { Change } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { withAccepted, withRefused } from './refused-changes.ts'

// b builds on a, c builds on b; d is independent; e and f are places of one whole.
const changes = [
  change('a'),
  change('b', 'a'),
  change('c', 'b'),
  change('d'),
  placeOfWhole('e'),
  placeOfWhole('f'),
]

test('a refused change takes with it what builds on it', () => {
  expect(refuse('b')).toEqual(['b', 'c'])
  expect(refuse('a')).toEqual(['a', 'b', 'c'])
  expect(refuse('d', 'a')).toEqual(['a', 'd'])
})

test('an accepted change brings what it builds on', () => {
  expect(accept('b', 'a', 'b', 'c', 'd')).toEqual(['c', 'd'])
  expect(accept('c', 'a', 'b', 'c')).toEqual([])
})

test('the places of one whole go together', () => {
  expect(refuse('e')).toEqual(['e', 'f'])
  expect(accept('f', 'd', 'e', 'f')).toEqual(['d'])
})

function refuse(id: string, ...refused: string[]): string[] {
  return [...withRefused([find(id)], new Set(refused), changes)].sort()
}

function accept(id: string, ...refused: string[]): string[] {
  return [...withAccepted([find(id)], new Set(refused), changes)].sort()
}

function find(id: string): Change {
  return changes.find(change => change.id === id)!
}

function change(id: string, ...dependsOn: string[]): Change {
  return { id, dependsOn, operation: { toolCallId: id, index: 0 } } as unknown as Change
}

function placeOfWhole(id: string): Change {
  const operation = { toolCallId: 'rows', index: 0 }
  return { id, dependsOn: [], atomic: true, kind: 'cell', operation } as unknown as Change
}
