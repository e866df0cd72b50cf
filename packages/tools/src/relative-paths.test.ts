import { expect, test } from 'vitest'
import { relativePaths } from './relative-paths.ts'

test('an absolute path into the workspace is known by its place in it', () => {
  expect(relativePaths({ path: '/home/me/work/src/a.ts' }, '/home/me/work')).toEqual({
    path: 'src/a.ts',
  })
  expect(relativePaths({ file_path: 'file:///w/a.ts', content: '/w/a.ts' }, '/w')).toEqual({
    file_path: 'a.ts',
    content: '/w/a.ts',
  })
  expect(relativePaths({ files: [{ docPath: '/w/a' }, { docPath: 'b' }] }, '/w/')).toEqual({
    files: [{ docPath: 'a' }, { docPath: 'b' }],
  })
  expect(relativePaths({ path: '/w', pattern: '*' }, '/w')).toEqual({ pattern: '*' })
})

test('on Windows case and separators do not matter', () => {
  expect(relativePaths({ path: 'c:\\Work\\Src\\a.ts' }, 'C:\\work')).toEqual({ path: 'Src/a.ts' })
  expect(relativePaths({ path: 'file:///C:/Work/a.ts' }, 'C:\\Work')).toEqual({ path: 'a.ts' })
})

test('a path elsewhere, a relative one and a sibling of the folder are left alone', () => {
  for (const path of ['/etc/passwd', 'src/a.ts', '/w2/a.ts', '/W/a.ts'])
    expect(relativePaths({ path }, '/w'), path).toBeUndefined()
})
