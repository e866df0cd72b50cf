import { expect, test } from 'vitest'
import { toNameFilter } from './name-pattern.ts'

test.each([
  ['app', 'src/app.ts'],
  ['SRC\\', 'src/app.ts'],
  ['./src/', 'src/app.ts'],
  ['/src/', 'src/app.ts'],
  ['.', 'makefile'],
  ['/', 'makefile'],
  ['cafe\u0301', 'menu/caf\u00e9.txt'],
  ['*.ts', 'src/deep/app.ts'],
  ['app*', 'src/app.ts'],
  ['src/*.ts', 'src/deep/app.ts'],
  ['src/**/*.ts', 'src/app.ts'],
  ['src/**/*.ts', 'src/a/b/app.ts'],
  ['**/app.ts', 'src/app.ts'],
  ['**/app.ts', 'app.ts'],
  ['src/**', 'src/a/b.ts'],
  ['src/app.ts/**', 'src/app.ts'],
  ['**/a/**/b', 'a/b'],
  ['**/a/**/b', 'x/y/a/c/b'],
  ['**/**/*.ts', 'src/app.ts'],
  ['src/**/**/app.ts', 'src/app.ts'],
  ['*', 'a/b.ts'],
  ['s*c/*p*', 'src/app.ts'],
])('%j is a pattern of %j', (pattern, docPath) => expect(toNameFilter(pattern)(docPath)).toBe(true))

test.each([
  ['*.ts', 'src/app.tsx'],
  ['src/**', 'srcs'],
  ['app*', 'src/my-app.ts'],
  ['src/*.ts', 'lib/src/app.ts'],
  ['src/**/*.ts', 'srcs/app.ts'],
  ['src/**/app.ts', 'src/my-app.ts'],
  ['**/a/**/b', 'a/c/bb'],
  ['a*a', 'a'],
  ['ab*ba', 'aba'],
  ['**/app.ts', 'src/my-app.ts'],
  ['[a-z]', 'src/app.ts'],
])('%j is none of %j', (pattern, docPath) => expect(toNameFilter(pattern)(docPath)).toBe(false))

test('a hostile pattern takes no longer than another', () => {
  const matches = toNameFilter(`${'a*'.repeat(400)}b`)
  const start = performance.now()
  for (let n = 0; n < 1000; n++) expect(matches(`${'a'.repeat(4000)}c`)).toBe(false)
  expect(performance.now() - start).toBeLessThan(2000)
})
