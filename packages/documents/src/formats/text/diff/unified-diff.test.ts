import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBytes, unwrap } from '@filewright/protocol'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { plainGit } from '../../../../../../test/plain-git.ts'
import { verifies } from '../../../../../../test/verifies.ts'
import { applyFilePatch } from '../patch/apply-file-patch.ts'
import { patchBetween } from '../patch/patch-between.ts'
import { arbitraryChanges, arbitraryText } from '../patch-laws.contract.ts'
import { unifiedDiff } from './unified-diff.ts'

const bytes = (text: string) => Buffer.from(text)

verifies('TUL-002 §11 unified diff', 'a difference is shown as git shows it', () => {
  const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'
  expect(unifiedDiff(bytes(before), bytes(before.replace('5\n', 'five\n5a\n')), 'src/a.txt')).toBe(
    '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5a\n 6\n 7\n 8\n',
  )
  expect(unifiedDiff(bytes(before), bytes(before), 'a')).toBe('')
  expect(unifiedDiff(null, bytes('a\n'), 'a')).toBe('--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+a\n')
  expect(unifiedDiff(bytes('a'), null, 'a')).toBe(
    '--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n',
  )
  expect(unifiedDiff(bytes('a\nb\n'), bytes('a\r\nb\n'), 'a')).toContain('-a\n+a\r\n b\n')
})

const folder = mkdtempSync(join(tmpdir(), 'filewright-diff-'))
afterAll(() => rmSync(folder, { recursive: true }))
const hasGit = spawnSync('git', ['--version']).status === 0
const sample = process.env.FILEWRIGHT_FULL === '1' ? { numRuns: 600 } : { numRuns: 40, seed: 11 }

test.skipIf(!hasGit)('git applies it to the same bytes', () => {
  const cases = arbitraryText.chain(text =>
    fc.tuple(fc.constant(text), arbitraryChanges(text), fc.constantFrom(undefined, 'lf', 'crlf')),
  )
  fc.assert(
    fc.property(cases, ([text, changes, eol]) => {
      const before = bytes(text)
      const { content } = unwrap(applyFilePatch(before, { changes, eol: eol as 'lf' | undefined }))
      const after = Buffer.from(toBytes(content, before))
      fc.pre(!after.equals(before) && before.length > 0 && after.length > 0)
      writeFileSync(join(folder, 'a'), before)
      const diff = unifiedDiff(before, after, 'a')
      const { status, stderr } = spawnSync(
        'git',
        ['apply', '--unidiff-zero', '--whitespace=nowarn', '-'],
        { cwd: folder, input: diff, encoding: 'utf8', env: plainGit(folder) },
      )
      expect(stderr).toBe('')
      expect(status).toBe(0)
      expect(readFileSync(join(folder, 'a')).equals(after)).toBe(true)
    }),
    sample,
  )
})

const MARK = '\ufeff'
test.skipIf(!hasGit).each([
  { name: 'a file with nothing but a mark gets lines', before: MARK, after: `${MARK}a\nb\n` },
  { name: 'a file loses its lines and keeps its mark', before: `${MARK}a\r\nb`, after: MARK },
  { name: 'an empty file gets a mark', before: '', after: MARK },
  { name: 'a name has spaces', before: 'a\n', after: 'b\n', path: 'my own file.txt' },
  { name: 'a name has quotes', before: 'a\n', after: 'b\n', path: 'a "b" \\c.txt' },
])('git applies it where $name', ({ before, after, path = 'a' }) => {
  writeFileSync(join(folder, path), before)
  const input = unifiedDiff(bytes(before), bytes(after), path)
  const { stderr } = spawnSync('git', ['apply', '-'], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: plainGit(folder),
  })
  expect(stderr).toBe('')
  expect(readFileSync(join(folder, path), 'utf8')).toBe(after)
})

test('an empty file that is created or deleted has no diff: its header would apply to the next file', () => {
  expect(unifiedDiff(null, bytes(''), 'a')).toBe('')
  expect(unifiedDiff(bytes(''), null, 'a')).toBe('')
  expect(unifiedDiff(null, bytes('a\n'), 'a')).toContain('--- /dev/null\n+++ b/a\n@@')
})

test('a patch between two contents, if there is one, gives the second', () => {
  const cases = arbitraryText.chain(text =>
    fc.tuple(
      fc.constant(text),
      arbitraryChanges(text),
      fc.option(fc.boolean(), { nil: undefined }),
    ),
  )
  fc.assert(
    fc.property(cases, ([text, changes, bom]) => {
      const before = bytes(text)
      const after = Buffer.from(
        toBytes(unwrap(applyFilePatch(before, { changes, bom })).content, before),
      )
      const between = patchBetween(before, after)
      if (!between) return
      expect(
        Buffer.from(toBytes(unwrap(applyFilePatch(before, between)).content, before)).equals(after),
      ).toBe(true)
    }),
    { numRuns: 300 },
  )
  expect(patchBetween(bytes('a\nb\nc\n'), bytes('a\nB\nc'))).toMatchObject({
    changes: [{ operation: 'replace', startLine: 2, newLines: ['B'] }],
    finalNewline: false,
  })
  expect(patchBetween(bytes('a\nb\n'), bytes('a\r\nb\r\n'))).toEqual({ changes: [], eol: 'crlf' })
  expect(patchBetween(bytes('a\nb\n'), bytes('a\r\nb\n'))).toBeUndefined()
  expect(patchBetween(bytes('a\n'), bytes(''))).toMatchObject({
    changes: [{ operation: 'delete' }],
  })
})
