import type { ToolDeclaration } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { verifies } from '../../../test/verifies.ts'
import { findTool } from './catalog.ts'
import { getFileInfo } from './get_file_info/tool.ts'
import { jsonList } from './json-list.ts'
import { readFile } from './read_file/tool.ts'
import { writeTextFile } from './write_text_file/tool.ts'

const xlsxOperations = findTool('xlsx_operations')!.declaration

describe('required arguments', () => {
  verifies('ADR-0010 §Reading Files read_file path', 'read_file: path alone', () => {
    expect(neededBy(readFile)).toEqual(['path'])
  })
  verifies('ADR-0010 §File Information get_file_info path', 'get_file_info: path alone', () => {
    expect(neededBy(getFileInfo)).toEqual(['path'])
  })
  verifies(
    'ADR-0010 §Writing Files write_text_file required',
    'write_text_file: path and content',
    () => expect(neededBy(writeTextFile)).toEqual(['path', 'content']),
  )
  verifies(
    [
      'ADR-0010 §Office Operations xlsx_operations path',
      'ADR-0010 §Office Operations xlsx_operations operations',
    ],
    'xlsx_operations: path, and operations that each have an op',
    () => {
      expect(neededBy(xlsxOperations)).toEqual(['path', 'operations'])
      const withOperations = (operations: unknown) =>
        xlsxOperations.input.safeParse({ path: 'a.xlsx', operations }).success
      expect(withOperations([{ op: 'ensure_sheet', sheet: 'Sales' }])).toBe(true)
      expect(withOperations([{ sheet: 'Sales' }])).toBe(false)
    },
  )
})

verifies(
  'ADR-0010 §Reading Files old page parameters',
  'read_file takes no page_start and page_end',
  () => {
    const names = Object.keys(readFile.input.shape)
    expect(names).not.toContain('page_start')
    expect(names).not.toContain('page_end')
  },
)

describe('a list', () => {
  const list = jsonList(z.object({ op: z.string() }))

  test('may come as its JSON text', () => {
    expect(list.parse('[{"op":"copy"}]')).toEqual([{ op: 'copy' }])
    expect(list.parse([{ op: 'copy' }])).toEqual([{ op: 'copy' }])
  })

  test('is refused when it is empty, no list, or broken text', () => {
    for (const sent of [[], '[]', '{}', '[{"op":', 'copy', null, undefined, '"[]"'])
      expect(list.safeParse(sent).success, JSON.stringify(sent)).toBe(false)
  })
})

/** Arguments without which nothing else is looked at. */
function neededBy({ input }: ToolDeclaration): string[] {
  const problems = input.safeParse({}).error?.issues ?? []
  return problems.map(({ path }) => path.join('.'))
}
