import type { Effect } from '@filewright/protocol'
import { expect } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { closingLine } from './closing-line.ts'

const effect = (
  docPath: string,
  count: number,
  unit: Effect['unit'],
  more: Partial<Effect> = {},
): Effect => ({
  docPath,
  path: docPath,
  where: 'draft',
  action: 'changed',
  count,
  unit,
  ...more,
})

const examples: [closing: string, effects: Effect[]][] = [
  ['No file was changed', []],
  ['1 file in the draft: 1 line', [effect('a.txt', 1, 'lines')]],
  [
    '2 files in the draft: 14 cells, 3 lines',
    [effect('b.xlsx', 10, 'cells'), effect('a.txt', 3, 'lines'), effect('b.xlsx', 4, 'cells')],
  ],
  ['1 file written: 2 lines', [effect('a.ts', 2, 'lines', { where: 'workspace' })]],
  [
    '1 file written: 2 lines; 1 file in the draft: 5 cells',
    [effect('b.xlsx', 5, 'cells'), effect('a.ts', 2, 'lines', { where: 'workspace' })],
  ],
  [
    '3 files in the draft: 9 lines, 1 created, 1 deleted, 1 moved',
    [
      effect('new.md', 9, 'lines', { action: 'created' }),
      effect('old.md', 1, 'files', { action: 'deleted' }),
      effect('x.md', 1, 'files', { action: 'moved' }),
    ],
  ],
  [
    '1 file in the draft: 2 lines, 1 moved',
    [
      effect('a.md', 2, 'lines'),
      effect('b.md', 1, 'files', { action: 'moved', from: 'a.md' }),
      effect('c.md', 1, 'files', { action: 'moved', from: 'b.md' }),
    ],
  ],
  [
    'No file was changed',
    [
      effect('new.md', 9, 'lines', { action: 'created' }),
      effect('new.md', 1, 'files', { action: 'deleted' }),
    ],
  ],
  [
    '1 file in the draft: 4 lines',
    [
      effect('a.md', 1, 'files', { action: 'deleted' }),
      effect('a.md', 4, 'lines', { action: 'created' }),
    ],
  ],
]

for (const [closing, effects] of examples)
  verifies('CONTRACT §7 closing line', `the tools' records make "${closing}"`, () => {
    expect(closingLine({ effects, reviewed: { refused: 0, takenBack: 0 } })).toBe(closing)
  })
