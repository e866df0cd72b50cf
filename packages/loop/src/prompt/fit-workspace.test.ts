import { expect, test } from 'vitest'
import { fitWorkspace } from './fit-workspace.ts'

const files = ['a', 'b', 'c'].flatMap(top =>
  Array.from({ length: 200 }, (_, index) => `${top}/part/file-${index}.txt`),
)
const manifest = {
  version: '1',
  files: ['notes.md', ...files].map(path => ({ path, kind: 'txt', sizeBytes: 10 })),
}
const snapshot = {
  entries: ['a/', 'a/part/', 'b/', 'b/part/', 'c/', 'c/part/', 'notes.md', ...files].sort(),
}

test('a small window has every top-level folder, and files of each', () => {
  const fitted = fitWorkspace(snapshot, manifest, 4_096)
  expect(fitted.snapshot.entries).toEqual(expect.arrayContaining(['a/', 'b/', 'c/']))
  const tops = fitted.manifest.files.map(({ path }) => path[0])
  expect(new Set(tops)).toEqual(new Set(['n', 'a', 'b', 'c']))
  expect(tops.filter(top => top === 'a').length).toBeLessThan(15)
  expect(fitted.manifest.total).toBe(601)
  expect(fitted.snapshot.total).toBe(snapshot.entries.length)
})

test('it grows with the window, up to 200 files and 400 entries', () => {
  const sizes = [4_096, 8_192, 32_768, 1_000_000].map(tokens => {
    const fitted = fitWorkspace(snapshot, manifest, tokens)
    return fitted.manifest.files.length + fitted.snapshot.entries.length
  })
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
  const large = fitWorkspace(snapshot, manifest, 1_000_000)
  expect(large.manifest.files).toHaveLength(200)
  expect(large.snapshot.entries).toHaveLength(400)
})

test('a small workspace is whole', () => {
  const small = { version: '1', files: manifest.files.slice(0, 20) }
  const entries = small.files.map(({ path }) => path)
  const fitted = fitWorkspace({ entries }, small, 32_768)
  expect(fitted.manifest.files).toEqual(small.files)
})
