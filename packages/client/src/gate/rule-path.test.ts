import { unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { matchesRulePath, parseRulePath } from './rule-path.ts'

const matches = (given: string, docPath: string) =>
  matchesRulePath(unwrap(parseRulePath(given)), docPath)

test.each([
  ['**', 'a/b/c.txt'],
  ['*', 'c.txt'],
  ['src/**', 'src/a/b.ts'],
  ['**/*.key', 'x.key'],
  ['**/*.key', 'a/b/x.key'],
  ['SRC/*.TS', 'src/a.ts'],
  ['./src/*.ts', 'src/a.ts'],
  ['/src/*.ts', 'src/a.ts'],
  ['src\\*.ts', 'src/a.ts'],
  ['?.txt', '\u{1f600}.txt'],
  ['*.{md,txt}', 'a.txt'],
  ['{src,lib}/**', 'lib/a.ts'],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['{id}.ts', '{id}.ts'],
  ['cafe\u0301.txt', 'caf\u00e9.txt'],
  ['secrets', 'secrets/deep/a.txt'],
  ['secrets/', 'secrets/deep/a.txt'],
  ['**', 'a\u2028b.txt'],
])('%j matches %j', (rule, docPath) => expect(matches(rule, docPath)).toBe(true))

test.each([
  ['*', 'a/c.txt'],
  ['src/**', 'srcs/a.ts'],
  ['secrets', 'secrets.txt'],
  ['src/*.ts', 'src/a/b.ts'],
  ['*.{md,txt}', 'a.rst'],
  ['a.c', 'abc'],
])('%j does not match %j', (rule, docPath) => expect(matches(rule, docPath)).toBe(false))

test.each(['', ' ', '.', '/', '../**', 'src/../../x'])('%j is not a path for a rule', given =>
  expect(parseRulePath(given)).toMatchObject({ failure: { code: 'INVALID_ARGUMENT' } }),
)
