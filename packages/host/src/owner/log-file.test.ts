import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLogFile } from './log-file.ts'

test('the log holds the newest lines within a bound, over a restart too', () => {
  const root = mkdtempSync(join(tmpdir(), 'filewright-log-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (let n = 0; n < 10; n++) openLogFile(root, 30)(`line ${n} of it\n`)
  const read = (name: string) => readFileSync(join(root, 'logs', name), 'utf8')
  expect(read('filewright.log')).toBe('line 9 of it\n')
  expect(read('filewright.log.1')).toBe('line 6 of it\nline 7 of it\nline 8 of it\n')
})
