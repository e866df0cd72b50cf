import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const isAsked = async (product: Embedded, path: string, content: string) =>
  'pending' in
  (await product.call('workspace_create_file', { path, content }, { approve: 'rules' }))

verifies(
  'CONTRACT §4 rule by size',
  'a rule with a size allows up to that many bytes of new content',
  async () => {
    const product = await embedded({ 'long.txt': `${'line\n'.repeat(100)}` })
    await product.ask('addRule', { body: { effect: 'allow', maxBytes: 4 } })

    expect(await isAsked(product, 'four.txt', 'éé')).toBe(false)
    expect(await isAsked(product, 'five.txt', 'ééx')).toBe(true)
    const { file } = await product.call('workspace_read_file', { path: 'long.txt' })
    const insert = (line: string) => ({
      files: [
        {
          docPath: 'long.txt',
          originalSha256: file.sha256,
          changes: [{ operation: 'insert', afterLine: 50, newLines: [line] }],
        },
      ],
    })
    const patch = (line: string) =>
      product.call('workspace_write_patch', insert(line), { approve: 'rules' })
    expect(await patch('abcd')).toMatchObject({ pending: true }) // five bytes with its end of line
    expect(await patch('abc')).toMatchObject({ success: true })
  },
)

verifies(
  'CONTRACT §4 rule by path',
  'a rule on a folder, however it is spelled, is a rule on what is in it',
  async () => {
    const product = await embedded()
    await product.ask('addRule', { body: { effect: 'allow' } })
    await product.ask('addRule', { body: { effect: 'deny', path: './Secrets/' } })

    const denied = await product.call('workspace_create_file', {
      path: 'secrets/a/b',
      content: 'x',
    })
    expect(denied).toMatchObject({ errorCode: 'DENIED' })
    expect(await isAsked(product, 'other.txt', 'x')).toBe(false)
  },
)

verifies(
  'CONTRACT §4 rule that matches nothing',
  'a rule that could match nothing is refused',
  async () => {
    const product = await embedded()
    for (const body of [{ path: '../x/**' }, { path: '' }, { maxBytes: -5 }]) {
      const { status, value } = await product.ask('addRule', { body: { effect: 'deny', ...body } })
      expect(status).toBe(400)
      expect(value).toMatchObject({ errorCode: 'INVALID_ARGUMENT' })
    }
    expect((await product.ask('listRules')).value).toEqual([])
  },
)

verifies(
  'CONTRACT §4 rule by path',
  'an answer about a file named like a pattern is remembered for no other file',
  async () => {
    const product = await embedded()
    const { approvalId } = await product.call(
      'workspace_create_file',
      { path: '**', content: 'x' },
      { approve: 'ask' },
    )
    await product.ask('decide', {
      params: { approvalId },
      body: { decision: 'approved', remember: 'always' },
    })
    expect(await isAsked(product, 'other.txt', 'x')).toBe(true)
  },
)

test.skipIf(process.platform === 'win32')(
  'a rule on a link does not apply to the file it leads to',
  async () => {
    const box = sandbox({ 'notes/a.txt': 'a\n', 'src/main.ts': 'main\n', 'secret/key.txt': 'k\n' })
    symlinkSync('../src/main.ts', join(box.dir, 'notes/main.txt'))
    symlinkSync('../secret/key.txt', join(box.dir, 'notes/key.txt'))
    const write = async (path: string) =>
      (await box.call('workspace_create_file', { path, content: 'x\n', overwrite: true })).result
    expect(
      await box.run(['rules', 'add', '--effect', 'allow', '--path', 'notes/**']),
    ).toMatchObject({ code: 0 })
    await box.run(['rules', 'add', '--effect', 'deny', '--path', 'secret'])
    expect(await write('notes/a.txt')).toMatchObject({ success: true })
    expect(await write('notes/main.txt')).toMatchObject({ pending: true })
    expect(await write('notes/key.txt')).toMatchObject({ errorCode: 'DENIED' })
    expect(box.read('src/main.ts')).toBe('main\n')
    await box.run(['rules', 'add', '--effect', 'allow', '--path', 'src/main.ts'])
    expect(await write('notes/main.txt')).toMatchObject({ success: true })
    expect(box.read('src/main.ts')).toBe('x\n')
  },
)
