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
  ['1 file in the draft: a.txt (1 line)', [effect('a.txt', 1, 'lines')]],
  [
    '2 files in the draft: b.xlsx (14 cells), a.txt (3 lines)',
    [effect('b.xlsx', 10, 'cells'), effect('a.txt', 3, 'lines'), effect('b.xlsx', 4, 'cells')],
  ],
  ['1 file written: a.ts (2 lines)', [effect('a.ts', 2, 'lines', { where: 'workspace' })]],
  [
    '1 file written: a.ts (2 lines); 1 file in the draft: b.xlsx (5 cells)',
    [effect('b.xlsx', 5, 'cells'), effect('a.ts', 2, 'lines', { where: 'workspace' })],
  ],
  [
    '3 files in the draft: new.md (created, 9 lines), old.md (deleted), x.md (moved)',
    [
      effect('new.md', 9, 'lines', { action: 'created' }),
      effect('old.md', 1, 'files', { action: 'deleted' }),
      effect('x.md', 1, 'files', { action: 'moved' }),
    ],
  ],
  [
    '1 file in the draft: c.md (moved, 2 lines)',
    [
      effect('a.md', 2, 'lines'),
      effect('b.md', 1, 'files', { action: 'moved', from: 'a.md' }),
      effect('c.md', 1, 'files', { action: 'moved', from: 'b.md' }),
    ],
  ],
  [
    '12 files in the draft: 0.md (1 line), 1.md (1 line), 2.md (1 line), 3.md (1 line), 4.md (1 line), 5.md (1 line), 6.md (1 line), 7.md (1 line), 8.md (1 line), 9.md (1 line), and 2 more',
    Array.from({ length: 12 }, (_, n) => effect(`${n}.md`, 1, 'lines')),
  ],
  [
    'No file was changed',
    [
      effect('new.md', 9, 'lines', { action: 'created' }),
      effect('new.md', 1, 'files', { action: 'deleted' }),
    ],
  ],
  [
    '1 file in the draft: a.md (4 lines)',
    [
      effect('a.md', 1, 'files', { action: 'deleted' }),
      effect('a.md', 4, 'lines', { action: 'created' }),
    ],
  ],
]

for (const [closing, effects] of examples)
  verifies(
    ['CONTRACT §7 closing line', 'CONTRACT §7 closing line names the files'],
    `the tools' records make "${closing}"`,
    () => {
      expect(closingLine({ effects, reviewed: { refused: 0, takenBack: 0 }, outside: 0 })).toBe(
        closing,
      )
    },
  )
