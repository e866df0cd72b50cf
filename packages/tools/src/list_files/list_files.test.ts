import { type FileEntry, type LeftOut, ok } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { ClientContext } from '../client-context.ts'
import { listFilesClient } from './client.ts'
import { listFiles } from './tool.ts'

const file = (path: string, rest: Partial<FileEntry> = {}): FileEntry => ({
  path,
  docPath: path.toLowerCase(),
  sizeBytes: 12,
  modified: '2026-01-31T12:00:00.000Z',
  version: '01234567',
  ...rest,
})

verifies(
  ['CONTRACT §4 list_files manifest', 'ADR-0010 §File Discovery list_files no arguments'],
  'a listing without arguments has one line per file with everything a model needs',
  async () => {
    const { fields, text } = await list(
      [
        file('Data/Sales.XLSX'),
        file('Makefile', { version: null }),
        file('.env', { isPrivate: true }),
        file('node_modules', { folded: { files: 812 } }),
        file('A.txt', { conflict: true }),
        file('b.pdf'),
        file('c.csv'),
        file('d.zip'),
        file('e.dat'),
        file('f.x'),
      ],
      {
        drafted: new Map([
          ['data/sales.xlsx', 'changed'],
          ['f.x', 'created'],
        ]),
      },
    )
    expect(text).toBe(
      [
        '10 files (path, kind, bytes, version, draft; files without a note can be edited)',
        'Data/Sales.XLSX  xlsx  12  01234567  draft: changed',
        'Makefile  file  12  -',
        '.env  file  12  01234567  private: not read',
        'node_modules/ (ignored, 812 files)',
        'A.txt  txt  12  01234567  conflict: another file has the same name in different case',
        'b.pdf  pdf  12  01234567  read-only',
        'c.csv  csv  12  01234567',
        'd.zip  zip  12  01234567  cannot be read',
        'e.dat  dat  12  01234567  text or binary: known once it is read',
        'f.x  x  12  01234567  draft: created',
      ].join('\n'),
    )
    expect(fields.files.map(({ kind, draft }) => [kind, draft])).toEqual([
      ['xlsx', 'changed'],
      ['file', 'none'],
      ['file', 'none'],
      ['folder', 'none'],
      ['txt', 'none'],
      ['pdf', 'none'],
      ['csv', 'none'],
      ['zip', 'none'],
      ['dat', 'none'],
      ['x', 'created'],
    ])
    expect(fields.files.map(({ access }) => access)).toEqual([
      ...['edit', 'edit', 'none', null, 'edit'],
      ...['read', 'edit', 'none', 'unknown', 'edit'],
    ])
    expect(listFiles.input.parse({})).toEqual({})
  },
)

test('a page that is not the last says how to get the next', async () => {
  const { text, fields } = await list([file('a.txt')], { total: 3, next: 'a.txt' })
  expect(fields).toMatchObject({ total: 3, next: 'a.txt' })
  expect(text).toContain('pass after: "a.txt"')
})

test('files that no tool can use are reported once, with the reason, in printable letters', async () => {
  const leftOut = { total: 3, first: [{ path: 'a\\u{1b}', reason: 'its name is odd' }] }
  const first = await list([file('a.txt')], { leftOut })
  expect(first.fields).toMatchObject({ total: 1, leftOut })
  expect(first.text).toContain(
    'Not listed, because no tool can use them: "a\\u{1b}" (its name is odd), and 2 more.',
  )
  const second = await list([file('a.txt')], { leftOut, after: 'a' })
  expect(second.fields).toMatchObject({ leftOut })
  expect(second.text).not.toContain('Not listed')
})

test('an empty workspace is reported as empty', async () => {
  expect((await list([])).message).toBe('0 files')
})

async function list(
  files: FileEntry[],
  {
    total = files.length,
    next = null as string | null,
    drafted = new Map<string, string>(),
    leftOut = undefined as LeftOut | undefined,
    after = undefined as string | undefined,
  } = {},
) {
  const page = { files, total, next, drafted, ...(leftOut && { leftOut }) }
  const context = { files: { list: async () => ok(page) } }
  const result = await listFilesClient({ after }, context as unknown as ClientContext)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}
