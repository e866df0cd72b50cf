import { createHash } from 'node:crypto'
import type { Review } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, runTo, says } from './running.ts'

const edit = (search: string, replace: string) =>
  call('edit_text_file', { path: 'a.txt', edits: [{ search, replace }] })
const setCell = (value: number) => ({
  path: 'b.xlsx',
  operations: [{ op: 'set_cells', sheet: 'Sheet1', cells: [{ cell: 'A1', value }] }],
})
const patch = (old: string, newLine: string) =>
  call('workspace_write_patch', {
    files: [
      {
        docPath: 'a.txt',
        originalSha256: createHash('sha256').update(`${old}\n`).digest('hex'),
        changes: [
          {
            operation: 'replace',
            startLine: 1,
            endLine: 1,
            expectedOriginalLines: [old],
            newLines: [newLine],
          },
        ],
      },
    ],
  })

/** The closing line of a run that makes these calls, one after the other. */
async function closingOf(
  files: Record<string, string>,
  calls: ReturnType<typeof call>[],
  more = {},
) {
  const { model } = recorder([...calls.map(each => says('', each)), says('Done.')])
  const product = await embedded(files, { model })
  const { end, rows } = await runTo(product, 'Go.', more)
  expect(bodies(rows, 'tool_result').map(({ success }) => success)).toEqual(calls.map(() => true))
  return { product, closing: end.closing }
}

verifies(
  ['CONTRACT §7 closing line net changes', 'CONTRACT §7 closing line names the files'],
  'a line that is changed twice counts once, and one that is changed back not at all',
  async () => {
    const files = { 'a.txt': 'one\ntwo\n' }
    const twice = await closingOf(files, [edit('one', 'ONE'), edit('ONE', 'uno')])
    expect(twice.closing).toBe('1 file in the draft: a.txt (1 line)')
    const back = await closingOf(files, [edit('one', 'ONE'), edit('ONE', 'one')])
    expect(back.closing).toBe('No file was changed')
    const some = await closingOf(files, [
      edit('one', 'ONE'),
      edit('two', 'TWO'),
      edit('ONE', 'one'),
    ])
    expect(some.closing).toBe('1 file in the draft: a.txt (1 line)')
  },
)

verifies(
  'CONTRACT §7 closing line net changes',
  'a file that is patched and patched back is not changed',
  async () => {
    const more = { toolset: 'workspace', approve: 'all' }
    const files = { 'a.txt': 'one\n' }
    const back = await closingOf(files, [patch('one', 'two'), patch('two', 'one')], more)
    expect(back.closing).toBe('No file was changed')
    const twice = await closingOf(files, [patch('one', 'two'), patch('two', 'three')], more)
    expect(twice.product.read('a.txt')).toBe('three\n')
    expect(twice.closing).toBe('1 file written: a.txt (1 line)')
  },
)

verifies(
  'CONTRACT §6 publish keeps the rest',
  'a draft whose changes cancel out says so and has no change',
  async () => {
    const { product } = await closingOf({ 'a.txt': 'one\n' }, [
      edit('one', 'two'),
      edit('two', 'one'),
    ])
    const { value: review } = await product.ask<Review>('review')
    expect(review).toMatchObject({
      changes: [],
      draft: { files: [] },
      warnings: ['The changes of "a.txt" cancel out: publishing leaves it as it is.'],
    })
    expect((await product.ask('publish', { body: {} })).value.message).toBe(
      'Nothing was written: the changes of the draft cancel out.',
    )
    expect(product.read('a.txt')).toBe('one\n')
  },
)

test('a cell that is set back is no change', async () => {
  const product = await embedded({})
  await product.call('xlsx_operations', { ...setCell(1), create_if_missing: true })
  await product.ask('publish', { body: {} })
  for (const value of [2, 1]) await product.call('xlsx_operations', setCell(value))
  const { value: review } = await product.ask<Review>('review')
  expect(review.changes).toEqual([])
})
