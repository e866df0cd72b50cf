import { expect, test } from 'vitest'
import { describeKind, fileKind } from '../apps/web/src/file/file-kind.ts'
import { FORMATS, likelyFormat } from '../packages/documents/src/known-formats.ts'
import type { DocPath } from '../packages/protocol/src/index.ts'

test('the page says of each kind of file what its format can do', () => {
  const endings = FORMATS.flatMap(({ endings, editing, isLines }) =>
    endings.map(ending => ({ ending, can: editing || isLines ? 'edit' : 'read' })),
  )
  expect(endings.length).toBeGreaterThan(30)
  expect(endings.map(({ ending }) => ({ ending, can: fileKind(`a${ending}`).access }))).toEqual(
    endings,
  )
})

test('what the page calls text or code is text to the formats', () => {
  for (const name of ['a.md', 'a.ts', 'a.py', 'a.json', 'a.sql', 'a.txt'])
    expect([name, likelyFormat(name as DocPath)?.id]).toEqual([name, 'text'])
  expect(describeKind('a.ts')).toBe('code, can be edited')
  expect(describeKind('a.unheard-of')).toBe('file')
})
