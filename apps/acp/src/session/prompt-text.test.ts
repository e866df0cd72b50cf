import { expect, test } from 'vitest'
import type { SessionFolder } from '../editor/folder.ts'
import { readPrompt } from './prompt-text.ts'

const folder = { root: '/work/my folder' } as SessionFolder
const inside = 'file:///work/my%20folder/src/a%20b.txt#L3'

test('files of the folder are mentioned, with the text that the editor gave', () => {
  const read = readPrompt(folder, [
    { type: 'text', text: 'Look at ' },
    { type: 'resource_link', uri: inside, name: 'a b.txt' },
    { type: 'text', text: ' and ' },
    { type: 'resource', resource: { uri: '/work/my folder/c.ts', text: 'typed' } },
  ])
  expect(read.text).toBe('Look at @"src/a b.txt" and @c.ts')
  expect(read.files).toEqual([{ path: 'src/a b.txt' }, { path: 'c.ts', text: 'typed' }])
})

test('pictures are named where they stand, and those in embedded resources are pictures too', () => {
  const read = readPrompt(folder, [
    { type: 'text', text: 'Compare ' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { type: 'text', text: ' with ' },
    {
      type: 'resource',
      resource: { uri: 'clip:1', mimeType: 'image/jpeg', blob: 'BBBB' },
    },
  ])
  expect(read.text).toBe('Compare [picture 1] with [picture 2]')
  expect(read.pictures).toEqual([
    { mediaType: 'image/png', base64: 'AAAA' },
    { mediaType: 'image/jpeg', base64: 'BBBB' },
  ])
})

test.each([
  'file:///etc/passwd',
  'file:///work/my%20folder/../other/x',
  '/work/my folder',
  'https://x.org/a',
])('what is no file of the folder is text, never a path: %s', uri => {
  expect(readPrompt(folder, [{ type: 'resource_link', uri, name: 'x' }])).toEqual({
    text: uri,
    files: [],
    pictures: [],
  })
  const given = readPrompt(folder, [{ type: 'resource', resource: { uri, text: 'Hello' } }])
  expect(given).toMatchObject({ files: [], text: expect.stringContaining('Hello') })
})
