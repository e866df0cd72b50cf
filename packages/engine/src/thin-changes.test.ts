import { type Change, changedLines } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { thinChanges } from './thin-changes.ts'

test('beyond the first thousand, changes keep their names and counts, not their content', () => {
  const changes = Array.from({ length: 1_500 }, (_, i) => changeOf(i))
  const thin = thinChanges(changes)
  expect(thin.slice(0, 1_000)).toEqual(changes.slice(0, 1_000))
  expect(thin.map(({ id, place }) => [id, place])).toEqual(changes.map(c => [c.id, c.place]))
  expect(thin.map(countOf)).toEqual(changes.map(countOf))
  expect(JSON.stringify(thin.slice(1_000)).includes('words')).toBe(false)
})

test('a thousand changes stay as they are', () => {
  const changes = Array.from({ length: 1_000 }, (_, i) => changeOf(i))
  expect(thinChanges(changes)).toBe(changes)
})

function countOf({ before, after }: Change): number {
  return changedLines(before?.lines ?? [], after?.lines ?? [])
}

function changeOf(i: number): Change {
  return {
    id: `chg_${i}`,
    docPath: 'a.txt',
    path: 'a.txt',
    kind: 'lines',
    place: `line ${i}`,
    before: { lines: ['words'] },
    after: i % 3 === 0 ? null : { lines: Array.from({ length: i % 5 }, (_, n) => `words ${n}`) },
    operation: { toolCallId: 'tc', index: 0, op: 'edit_text' },
    dependsOn: [],
  } as unknown as Change
}
