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

test('a change of many lines shows the first thousand and says how many there are', () => {
  const lines = Array.from({ length: 5_000 }, (_, i) => `words ${i}`)
  const before = lines.with(2_500, 'other words')
  const changes = [
    { ...changeOf(1), before: null, after: { lines } },
    { ...changeOf(2), before: { lines: before }, after: { lines } },
    { ...changeOf(3), before: { lines }, after: null },
    changeOf(4),
  ] as Change[]
  const thin = thinChanges(changes)
  expect(thin.map(countOf)).toEqual(changes.map(countOf))
  expect(thin.map(countOf).slice(0, 3)).toEqual([5_000, 1, 5_000])
  expect(thin.slice(0, 3).map(linesIn)).toEqual([1_000, 2_000, 1_000])
  expect(thin[0]?.after?.lines?.at(-1)).toBe('words 999')
  expect(thin[3]).toBe(changes[3])
})

function linesIn({ before, after }: Change): number {
  return (before?.lines?.length ?? 0) + (after?.lines?.length ?? 0)
}

function countOf({ before, after }: Change): number {
  return changedLines(before, after)
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
