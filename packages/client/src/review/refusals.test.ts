import type { Change, ChangeId, DocPath, RelativePath } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { closeOverDependants, neededBy } from './refusals.ts'

const MANY = 60_000 // an operation on a workbook changes that many cells; their square is beyond any patience

function change(number: number, more: Partial<Change> = {}): Change {
  return {
    id: idOf(number),
    docPath: 'book.xlsx' as DocPath,
    path: 'book.xlsx' as RelativePath,
    kind: 'cell',
    place: `S!A${number}`,
    before: null,
    after: { text: 'x' },
    dependsOn: [],
    operation: { toolCallId: 'tc_1', index: 0, op: 'set_range' },
    ...more,
  }
}

function idOf(number: number): ChangeId {
  return `chg_${number}` as ChangeId
}

function changes(more: (number: number) => Partial<Change>): Change[] {
  return Array.from({ length: MANY }, (_, number) => change(number, more(number)))
}

describe('very many changes', () => {
  const chain = changes(number => ({ dependsOn: number === 0 ? [] : [idOf(number - 1)] }))
  const atomic = changes(() => ({ kind: 'structure', atomic: true }))

  test('a change that depends on a refused one goes with it', () => {
    const { refused, dropped } = closeOverDependants(chain, [idOf(1)])
    expect([refused.size, dropped.length]).toEqual([MANY - 1, MANY - 2])
    expect(closeOverDependants(chain, []).refused.size).toBe(0)
  })

  test('all places of an atomic operation go together', () => {
    expect(closeOverDependants(atomic, [idOf(MANY - 1)]).dropped).toHaveLength(MANY - 1)
    const other = change(MANY, { kind: 'structure', atomic: true, docPath: 'other' as DocPath })
    expect(closeOverDependants([...atomic, other], [idOf(0)]).refused.has(other.id)).toBe(false)
  })

  test('the needs of a change are found through all its dependencies', () => {
    expect(neededBy(chain, [idOf(MANY - 1)])).toHaveLength(MANY - 1)
    expect(neededBy(atomic, [idOf(5)])).toHaveLength(MANY - 1)
    expect(neededBy([change(1), change(2)], [idOf(2)])).toEqual([])
  })
})
