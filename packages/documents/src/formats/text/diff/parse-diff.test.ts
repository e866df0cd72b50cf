import { describe, expect, test } from 'vitest'
import { parseDiff } from './parse-diff.ts'

const rowsOf = (text: string) =>
  parseDiff(text)?.[0]?.hunks[0]?.rows.map(({ sign, text: own }) => sign + own)

describe('a diff that a model wrote', () => {
  test('names its files, with or without a/ and b/', () => {
    const hunk = '@@ -1 +1 @@\n-a\n+b\n'
    expect(
      parseDiff(`--- a/x.ts\n+++ b/x.ts\n${hunk}--- a/y.ts\n+++ b/y.ts\n${hunk}`),
    ).toMatchObject([
      { path: 'x.ts', action: 'change', hunks: [{ start: 1 }] },
      { path: 'y.ts', action: 'change', hunks: [{ start: 1 }] },
    ])
    expect(parseDiff(`--- x.ts\t2026-01-01\n+++ x.ts\n${hunk}`)).toMatchObject([{ path: 'x.ts' }])
    expect(parseDiff(`diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n${hunk}`)).toHaveLength(1)
  })

  test('may create or delete a file', () => {
    expect(parseDiff('--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n')).toMatchObject([
      { path: 'x', action: 'create' },
    ])
    expect(parseDiff('--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n')).toMatchObject([
      { path: 'x', action: 'delete' },
    ])
    expect(parseDiff('*** Begin Patch\n*** Delete File: x\n*** End Patch')).toMatchObject([
      { path: 'x', action: 'delete' },
    ])
  })

  test('keeps a removed line that looks like a header, and an empty line that lost its space', () => {
    expect(rowsOf('@@ -1,3 +1,3 @@\n a\n\n--- b\n+++ c\n')).toEqual([' a', ' ', '--- b', '+++ c'])
  })

  test('without hunks it is none', () => {
    expect(parseDiff('return 1')).toBeUndefined()
    expect(parseDiff('--- a/x\n+++ b/x\n')).toBeUndefined()
  })
})
