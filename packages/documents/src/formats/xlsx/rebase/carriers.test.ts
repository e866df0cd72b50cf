import type { Operation } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { OperationName } from '../declared/operations.ts'
import { type OperationProof, PROOFS, proofOf } from './carriers.ts'
import type { Task } from './carry.ts'

test('the compiler asks for the proof of each operation', () => {
  const { fill: _fill, ...others } = PROOFS
  // @ts-expect-error -- a table without a line
  const lacking: Readonly<Record<OperationName, OperationProof>> = others
  expect(Object.hasOwn(lacking, 'fill')).toBe(false)
})

test.each(['spill_cells', 'toString'])('%s, which has no proof, is a conflict', op => {
  const operation: Operation = { op, sheet: 'S' }
  const circumstances = { time: '', author: '', seed: 0 }
  const logged = { toolCallId: 'tc_1', index: 0, operation, circumstances }
  const change = { id: 'c', place: 'S!A1', before: null, after: null }
  const { conflicts, operations } = proofOf(op).carry({
    logged,
    changes: [change],
  } as unknown as Task)
  expect(operations).toEqual([])
  expect(conflicts).toMatchObject([{ reason: `nothing proves ${op} on the changed file` }])
})
