import { expect, test } from 'vitest'
import type { RelativePath } from './doc-path.ts'
import { hintAtSimilar, isSameName, quotedTool, similarNames, similarTools } from './similar.ts'

const TOOLS = ['read_file', 'workspace_read_file', 'write_text_file', 'list_files']

test('the nearest name comes first, ignoring case and the signs between letters', () => {
  expect(similarNames('ReadFile', TOOLS)[0]).toBe('read_file')
  expect(similarNames('workspace_readfile', TOOLS)[0]).toBe('workspace_read_file')
  expect(similarNames('write_txt_file', TOOLS)).toEqual(['write_text_file'])
})

test('a name that contains the wanted one, or the other way round, ranks below a mistyped one', () => {
  expect(similarNames('read_files', TOOLS)).toEqual(['read_file'])
  expect(similarNames('app', ['my-app.ts', 'apq', 'zzz'])).toEqual(['apq', 'my-app.ts'])
})

test('nothing is offered for a name like no other, and never more than requested', () => {
  expect(similarNames('bash', TOOLS)).toEqual([])
  expect(similarNames('', TOOLS)).toEqual([])
  expect(similarNames('file', ['file1', 'file2', 'file3'], 2)).toHaveLength(2)
})

test('a tool that has every word of a wrong name is offered', () => {
  expect(similarTools('write_file', TOOLS)).toEqual(['write_text_file'])
  expect(similarTools('writeFile', TOOLS)).toEqual(['write_text_file'])
  expect(similarTools('read_file', TOOLS)[0]).toBe('read_file')
  expect(similarTools('text', TOOLS)).toEqual(['write_text_file']) // as a part of it
  expect(similarTools('bash', TOOLS)).toEqual([])
})

test('a name that is longer than any tool is quoted in part', () => {
  expect(quotedTool('bash')).toBe('"bash"')
  expect(quotedTool('x'.repeat(5000))).toBe(`"${'x'.repeat(64)}…"`)
})

test('two spellings of one name are the same name', () => {
  expect(isSameName('lineStart', 'line_start')).toBe(true)
  expect(isSameName('line', 'line_start')).toBe(false)
})

test('a path that is a folder is reported as one, with its content', () => {
  const hint = (path: string, similar: string[]) => hintAtSimilar(path as RelativePath, similar)
  expect(hint('Src', ['src/a.ts', 'lib/src'])).toBe('It is a folder, with src/a.ts.')
  expect(hint('a.ts', ['src/a.ts'])).toBe('Similar: src/a.ts.')
  expect(hint('a.ts', [])).toBe('')
})
