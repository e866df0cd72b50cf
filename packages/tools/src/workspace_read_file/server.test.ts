import type { ReadPart } from '@filewright/documents/text'
import { ok, unwrap } from '@filewright/protocol'
import { expect, test } from 'vitest'
import type { ServerContext } from '../server-context.ts'
import { workspaceReadFileServer } from './server.ts'

test('numbered lines are made for a model, not for a caller who takes the content', async () => {
  let made = 0
  const part: ReadPart = {
    content: 'one\n',
    shownBytes: 4,
    isTruncated: false,
    lineStart: 1,
    lineCount: 1,
    eol: 'lf',
    bom: false,
    encoding: 'utf-8',
    get text() {
      made++
      return '1|one'
    },
    brief: () => '1|one',
  }
  const source = { docPath: 'a.txt', path: 'a.txt', bytes: Buffer.from('one\n'), warnings: [] }
  const context = {
    activeFiles: { find: async () => undefined },
    sources: { read: async () => ok({ ...source, sha256: 'a'.repeat(64) }) },
    texts: { run: async () => ok(part) },
  } as unknown as ServerContext
  const read = unwrap(await workspaceReadFileServer({ path: 'a.txt' }, context))
  expect(read.fields).toMatchObject({ file: { content: 'one\n', lineCount: 1 } })
  expect(made).toBe(0)
  expect(read.text).toBe('1|one')
})
