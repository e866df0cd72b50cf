import type { CallIds } from '@filewright/protocol'
import { findTool } from '@filewright/tools'
import { expect, test } from 'vitest'
import { toStarted } from './call-start.ts'

const PAGE_BYTES = 4080 // without its header
const COLUMNS_BYTES = 130 // session, conversation, workspace, time, type and subject, and the row's header
const RESULT_BYTES = 375 // of a write of one file

test('two calls that write a long text, and their results, fit a page of the database', () => {
  const content = '  const value = compute(7919, "x");\n'.repeat(300)
  const started = toStarted(
    { toolCallId: 'tc_0123456789abcdef', turnId: 'turn_0123456789abcdef' } as CallIds,
    { tool: 'write_text_file', arguments: { path: 'src/some/folder/file.txt', content } },
    findTool('write_text_file'),
  )
  const row = JSON.stringify(started).length
  expect(2 * (row + RESULT_BYTES + 2 * COLUMNS_BYTES)).toBeLessThan(PAGE_BYTES)
})
