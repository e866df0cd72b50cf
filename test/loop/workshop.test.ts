import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'
import { bodies, call, recorder, runTo, says } from './running.ts'

const ENSURE = { op: 'ensure_sheet', sheet: 'S' }

describe('the workshop', () => {
  test('a run that writes the text a file already has changes no file', async () => {
    const { model } = recorder([
      says(
        '',
        call('write_text_file', { path: 'a.md', content: 'same\n' }),
        call('edit_text_file', { path: 'a.md', edits: [{ search: 'same', replace: 'same' }] }),
      ),
      says('I have rewritten a.md.'),
    ])
    const product = await embedded({ 'a.md': 'same\n' }, { model })
    const { end, rows } = await runTo(product, 'Rewrite it.')
    expect(bodies(rows, 'tool_result')).toMatchObject([
      {
        success: true,
        content: expect.stringMatching(
          /nothing was changed: The file already has .*\nversion \w+ is on disk\.$/,
        ),
      },
      {
        success: true,
        content: expect.stringContaining('nothing was changed: The file already has'),
      },
    ])
    expect(end.closing).toBe('No file was changed')
    expect((await product.ask('listDrafts')).value).toEqual([])
  })

  verifies(
    [
      'ADR-0010 §Context several files',
      'ADR-0010 §Positive multiple files',
      'ADR-0010 §Tool Handlers dispatch',
      'ADR-0010 §Office Operations xlsx_operations create_if_missing',
    ],
    'one run reads and changes several files of different formats, each through its own tool',
    async () => {
      const { model } = recorder([
        says('', call('read_file', { path: 'a.md' }), call('read_file', { path: 'b.csv' })),
        says(
          '',
          call('edit_text_file', {
            path: 'a.md',
            edits: [{ search: 'draft', replace: 'final' }],
          }),
          call('write_text_file', { path: 'b.csv', content: 'name;price\ntea;11\n' }),
          call('xlsx_operations', {
            path: 'c.xlsx',
            create_if_missing: true,
            operations: [
              { op: 'ensure_sheet', sheet: 'Prices' },
              { op: 'set_range', sheet: 'Prices', start: 'A1', values: [['tea', 11]] },
            ],
          }),
        ),
        says('Three files.'),
      ])
      const product = await embedded(
        { 'a.md': '# draft\n', 'b.csv': 'name;price\ntea;10\n' },
        { model },
      )
      const { end, rows } = await runTo(product, 'Raise the price everywhere.')
      expect(bodies(rows, 'tool_result').map(result => result.success)).toEqual(Array(5).fill(true))
      expect(end.closing).toMatch(/^3 files in the draft/)
      expect((await product.ask('publish', { body: {} })).status).toBe(200)
      expect(product.read('a.md')).toBe('# final\n')
      expect(product.read('b.csv')).toBe('name;price\ntea;11\n')
      const { cells } = await product.call('read_file', { path: 'c.xlsx', sheet: 'Prices' })
      expect(cells).toMatchObject([
        { cell: 'A1', value: 'tea' },
        { cell: 'B1', value: 11 },
      ])
      const missing = await product.call('xlsx_operations', {
        path: 'none.xlsx',
        operations: [{ op: 'ensure_sheet', sheet: 'S' }],
      })
      expect(missing).toMatchObject({ success: false, kind: 'missing' })
    },
  )

  verifies(
    ['ADR-0010 §File Discovery list_files', 'ADR-0010 §Writing Files write_text_file kinds'],
    'list_files lists every file with its metadata; write_text_file takes any text format',
    async () => {
      const product = await embedded({ 'deep/er/old.txt': 'x\n' })
      const kinds = ['md', 'txt', 'csv', 'json', 'xml', 'html', 'py', 'yaml', 'unheard-of']
      for (const kind of kinds) {
        const written = await product.call('write_text_file', { path: `a.${kind}`, content: '1\n' })
        expect(written).toMatchObject({ success: true, path: `a.${kind}` })
      }
      await product.ask('publish', { body: {} })
      for (const kind of kinds) expect(product.read(`a.${kind}`)).toBe('1\n')
      const { files } = await product.call('list_files', {})
      expect(files.map((file: { path: string }) => file.path).sort()).toEqual(
        [...kinds.map(kind => `a.${kind}`), 'deep/er/old.txt'].sort(),
      )
      for (const file of files)
        expect(file).toMatchObject({
          path: expect.any(String),
          docPath: expect.any(String),
          sizeBytes: 2,
        })
    },
  )

  verifies(
    'ADR-0010 §Safety & Limits 4 draft only',
    'no sequence of its tools changes the folder before a person publishes',
    async () => {
      const product = await embedded({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' })
      const before = treeOf(product.dir)
      const calls: [string, unknown][] = [
        ['write_text_file', { path: 'new/c.txt', content: 'c\n' }],
        ['write_text_file', { path: 'a.txt', content: 'other\n' }],
        ['edit_text_file', { path: 'a.txt', edits: [{ search: 'other', replace: 'third' }] }],
        [
          'xlsx_operations',
          {
            path: 'x.xlsx',
            create_if_missing: true,
            operations: [{ op: 'ensure_sheet', sheet: 'S' }],
          },
        ],
        [
          'file_operations',
          {
            operations: [
              { op: 'move', from: 'sub/b.txt', to: 'moved/b.txt' },
              { op: 'copy', from: 'a.txt', to: 'copy.txt' },
              { op: 'delete', path: 'a.txt' },
            ],
          },
        ],
        ['read_file', { path: 'copy.txt' }],
        ['list_files', {}],
      ]
      for (const [tool, args] of calls)
        expect(await product.call(tool, args), tool).toMatchObject({ success: true })
      await product.detach()
      await product.attach()
      expect(treeOf(product.dir)).toEqual(before)
      expect((await product.ask('publish', { body: {} })).status).toBe(200)
      expect(Object.keys(treeOf(product.dir)).sort()).toEqual(
        ['copy.txt', 'moved/b.txt', 'new/c.txt', 'x.xlsx'].sort(),
      )
    },
  )

  verifies(
    ['ADR-0010 §Safety & Limits 5 read-only formats', 'CONTRACT §4 read-only formats'],
    'writes to a pdf, an image or another format that is only read are refused, whether it exists or not',
    async () => {
      const files = { 'p.png': Buffer.from('89504e470d0a1a0a', 'hex'), 'd.pdf': '%PDF-1.4\n' }
      const product = await embedded(files)
      const before = treeOf(product.dir)
      for (const path of ['p.png', 'd.pdf', 'new.pdf', 'new.jpg', 'letter.odt'])
        for (const [tool, args] of [
          ['write_text_file', { path, content: 'x' }],
          ['edit_text_file', { path, edits: [{ search: 'P', replace: 'b' }] }],
          ['xlsx_operations', { path, create_if_missing: true, operations: [ENSURE] }],
        ] as const)
          expect(await product.call(tool, args), `${tool} ${path}`).toMatchObject({
            success: false,
            errorCode: 'READ_ONLY_FORMAT',
            kind: 'unsupported',
            message: expect.stringMatching(/^Nothing was written/),
          })
      expect((await product.ask('listDrafts')).value).toEqual([])
      expect(treeOf(product.dir)).toEqual(before)
    },
  )

  verifies(
    ['ADR-0010 §Safety & Limits 6 no path traversal', 'CONTRACT §8 only through the root'],
    'none of its tools reaches a path outside the folder, for reading or for writing',
    async () => {
      const product = await embedded({ 'in.txt': 'in\n', 'book.txt': 'b\n' })
      const outside = join(dirname(product.dir), 'outside')
      mkdirSync(outside)
      writeFileSync(join(outside, 'secret.txt'), 'a secret\n')
      symlinkSync(outside, join(product.dir, 'link'))
      const before = treeOf(outside)
      const paths = [
        '../outside/secret.txt',
        'in/../../outside/secret.txt',
        '..\\outside\\secret.txt',
        join(outside, 'secret.txt'),
        'link/secret.txt',
        'C:\\secret.txt',
        '\\\\server\\share\\secret.txt',
        'secret\u0000.txt',
      ]
      const toolsOn = (path: string): [string, unknown][] => [
        ['read_file', { path }],
        ['get_file_info', { path }],
        ['write_text_file', { path, content: 'mine\n' }],
        ['edit_text_file', { path, edits: [{ search: 'secret', replace: 'mine' }] }],
        ['xlsx_operations', { path, create_if_missing: true, operations: [] }],
        ['xlsx_operations', { path: 'c.xlsx', copy_from: path, operations: [] }],
        ['file_operations', { operations: [{ op: 'copy', from: path, to: 'got.txt' }] }],
        ['file_operations', { operations: [{ op: 'copy', from: 'in.txt', to: path }] }],
        ['file_operations', { operations: [{ op: 'move', from: path, to: 'got.txt' }] }],
        ['file_operations', { operations: [{ op: 'delete', path }] }],
      ]
      for (const path of paths)
        for (const [tool, args] of toolsOn(path)) {
          const answer = await product.call(tool, args)
          expect(JSON.stringify(answer)).not.toContain('a secret')
          if (answer.success) await product.ask('publish', { body: {} })
          expect(treeOf(outside), `${tool} ${path}`).toEqual(before)
        }
    },
  )

  verifies(
    'ADR-0010 §Tool Handlers workbench scope',
    'a session sees the files and drafts of its own workspace and of no other',
    async () => {
      const box = sandbox({ 'same.txt': 'of one\n' })
      const other = join(dirname(box.dir), 'other')
      mkdirSync(other)
      writeFileSync(join(other, 'same.txt'), 'of two\n')
      writeFileSync(join(other, 'only-here.txt'), 'x\n')
      const inOther = ['-C', other]
      await box.call('write_text_file', { path: 'drafted.txt', content: 'x\n' }, inOther)
      expect((await box.call('read_file', { path: 'same.txt' })).result.content).toBe('of one\n')
      const there = await box.call('read_file', { path: 'same.txt' }, inOther)
      expect(there.result.content).toBe('of two\n')
      for (const path of ['only-here.txt', 'drafted.txt'])
        expect((await box.call('read_file', { path })).result).toMatchObject({
          success: false,
          errorCode: 'NOT_FOUND',
        })
      expect((await box.run(['draft', 'list'])).stdout).toBe('')
    },
  )
})

/** Every file by its path; a link is not followed. */
function treeOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(folder.length + 1), readFileSync(path, 'latin1')]
      }),
  )
}
