import type { FileEntry } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { foldersAbove, toRows } from './file-tree.ts'

const entry = (path: string): FileEntry => ({
  path,
  docPath: path.toLowerCase(),
  sizeBytes: 1,
  modified: '',
  version: null,
})

test('folders come before files, and only what is open is shown', () => {
  const files = ['b.md', 'data/x.csv', 'data/old/y.csv', 'a.md'].map(entry)
  const shown = (open: string[]) =>
    toRows(files, path => open.includes(path)).map(({ path, level }) => `${level} ${path}`)
  expect(shown([])).toEqual(['1 data', '1 b.md', '1 a.md'])
  expect(shown(['data'])).toEqual(['1 data', '2 data/old', '2 data/x.csv', '1 b.md', '1 a.md'])
  expect(shown(['data', 'data/old'])[2]).toBe('3 data/old/y.csv')
})

test('a folder counts the files below it, and 10,000 files are rows within a moment', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => entry(`f${at % 100}/file ${at}.txt`))
  const begun = performance.now()
  const rows = toRows(many, () => true)
  expect(rows).toHaveLength(10_100)
  expect(rows[0]).toMatchObject({ kind: 'folder', files: 100 })
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('the folders above a file', () => {
  expect(foldersAbove('a/b/c.md')).toEqual(['a', 'a/b'])
  expect(foldersAbove('c.md')).toEqual([])
})
