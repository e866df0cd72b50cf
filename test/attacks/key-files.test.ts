import { linkSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type Embedded, embedded } from '../embedded.ts'
import { verifies } from '../verifies.ts'

const SECRET = 'TOKEN=hunter2\n'
const NEW = 'TOKEN=new\n'
const CLOSED = { errorCode: 'PRIVATE_FILE', kind: 'denied' }

const replace = (path: string) => ({ path, content: NEW, overwrite: true })

verifies(
  ['CONTRACT §4 workspace_create_file private', 'CONTRACT §2 key files not read'],
  'a key file is neither created nor replaced until a person allows it, whatever is approved',
  async () => {
    const product = await embedded({ '.env': SECRET })
    symlinkSync('.env', join(product.dir, 'settings.txt'))
    linkSync(join(product.dir, '.env'), join(product.dir, 'second.txt'))
    await product.ask('addRule', { body: { effect: 'write' } }) // every path: no pattern opens a key file
    for (const path of ['.env', 'settings.txt', 'second.txt', 'new/id_rsa', 'prod.env'])
      for (const approve of ['ask', 'all'] as const)
        for (const overwrite of [true, false]) {
          const args = { ...replace(path), overwrite }
          expect(await product.call('workspace_create_file', args, { approve })).toMatchObject({
            ...CLOSED,
            message: expect.stringMatching(
              /^Nothing was written: .+ rules add --effect write --path /,
            ),
          })
        }
    expect(product.read('.env')).toBe(SECRET)
    expect((await product.ask('listApprovals')).value).toEqual([])
    await product.ask('addRule', { body: { effect: 'write', path: '.env' } })
    await product.ask('addRule', { body: { effect: 'write', path: 'prod.env' } })
    for (const path of ['.env', 'prod.env']) {
      expect(await product.call('workspace_create_file', replace(path))).toMatchObject({
        success: true,
      })
      expect(product.read(path)).toBe(NEW)
    }
  },
)

test('each word of a rule allows what it says and nothing else', async () => {
  const product = await embedded({ '.env': SECRET })
  const read = () => product.call('read_file', { path: '.env' })
  const write = () => product.call('workspace_create_file', replace('.env'), { approve: 'ask' })
  const edit = () => product.call('write_text_file', { path: '.env', content: NEW })
  const remove = () =>
    product.call('file_operations', { operations: [{ op: 'delete', path: '.env' }] })

  await product.ask('addRule', { body: { effect: 'allow', path: '.env', maxBytes: 1 } }) // writing, too little of it
  expect(await read()).toMatchObject(CLOSED)
  expect(await edit()).toMatchObject(CLOSED) // a draft would show its content
  await forgetRules(product)

  await product.ask('addRule', { body: { effect: 'read', path: '.env' } })
  expect(await read()).toMatchObject({ success: true })
  for (const attempt of [write, edit, remove]) expect(await attempt()).toMatchObject(CLOSED)
  await product.ask('addRule', { body: { effect: 'ask', path: '.env' } })
  expect(await write()).toMatchObject({ pending: true })
  expect(await edit()).toMatchObject({ success: true })
  expect(product.read('.env')).toBe(SECRET)
})

verifies(
  'CONTRACT §2 key files allowed',
  'a person who wants to be asked about a key file sees the lines that would be lost',
  async () => {
    const product = await embedded({ '.env': SECRET })
    const params = { sessionId: product.sessionId }
    const { value: rule } = await product.ask('addRule', { body: { effect: 'ask', path: '.env' } })
    await product.call('workspace_create_file', replace('.env'), { approve: 'ask' })
    const shown = async () => (await product.ask('listApprovals', { params })).value
    expect(await shown()).toMatchObject([
      {
        warnings: [],
        diffs: [{ path: '.env', diff: expect.stringContaining('-TOKEN=hunter2\n+TOKEN=new') }],
      },
    ])
    await product.ask('removeRule', { params: { ruleId: rule.id } })
    const hidden = await shown()
    expect(JSON.stringify(hidden)).not.toContain('hunter2')
    expect(hidden).toMatchObject([
      {
        warnings: [expect.stringContaining('The current content of ".env" is not shown')],
        diffs: [{ diff: expect.stringContaining('+TOKEN=new') }],
      },
    ])
  },
)

test('a key file that may be written, not read, leaves no trace of its content with the server', async () => {
  const product = await embedded({ '.env': SECRET })
  await product.ask('addRule', { body: { effect: 'write', path: '.env' } })
  expect(await product.call('workspace_create_file', replace('.env'))).toMatchObject({
    success: true,
  })
  expect((await product.ask('undo', { body: {} })).status).toBe(200)
  expect(product.read('.env')).toBe(SECRET)
  expect(await product.call('workspace_read_file', { path: '.env' })).toMatchObject(CLOSED)
  await product.detach()
  const away = await product.call('workspace_read_file', { path: '.env' })
  expect(JSON.stringify(away)).not.toContain('hunter2')
})

test('before a person allows it, the content of a key file is nowhere in the state folder', async () => {
  const box = sandbox({ '.env': SECRET, 'a.txt': 'a\n' })
  symlinkSync('.env', join(box.dir, 'settings.txt'))
  linkSync(join(box.dir, '.env'), join(box.dir, 'second.txt'))
  const calls = ['.env', 'settings.txt', 'second.txt'].flatMap(path => [
    { tool: 'workspace_create_file', arguments: replace(path) },
    { tool: 'workspace_read_file', arguments: { path } },
    { tool: 'read_file', arguments: { path } },
    { tool: 'write_text_file', arguments: { path, content: NEW } },
    { tool: 'edit_text_file', arguments: { path, edits: [{ search: 'TOKEN', replace: 'x' }] } },
    copyOf(path),
    { tool: 'file_operations', arguments: { operations: [{ op: 'delete', path }] } },
  ])
  const input = calls.map(call => `${JSON.stringify(call)}\n`).join('')
  const { stdout } = await box.run(['call', '--lines', '--yes'], { input })
  const codes = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).result.errorCode)
  expect(codes).toEqual(calls.map(() => 'PRIVATE_FILE'))
  expect(holders(box.state, 'hunter2')).toEqual([])
  expect(await box.run(['rules', 'add', '--effect', 'read', '--path', '.env'])).toMatchObject({
    code: 0,
  })
  expect((await box.call('workspace_read_file', { path: '.env' })).code).toBe(0)
  expect(holders(box.state, 'hunter2')).not.toEqual([]) // the search finds it where it is
})

test('the command that allows a key file can be pasted, whatever the file is called', async () => {
  const name = "my key; touch 'gone'.pem"
  const product = await embedded({ [name]: 'old\n' })
  const pasted = "--path 'my key; touch '\\''gone'\\''.pem'"
  const refused = [
    await product.call('read_file', { path: name }),
    await product.call('workspace_create_file', replace(name)),
  ]
  for (const answer of refused)
    expect(answer).toMatchObject({ ...CLOSED, message: expect.stringContaining(pasted) })
})

async function forgetRules(product: Embedded) {
  for (const { id: ruleId } of (await product.ask('listRules')).value)
    await product.ask('removeRule', { params: { ruleId } })
}

const copyOf = (from: string) => ({
  tool: 'file_operations',
  arguments: { operations: [{ op: 'copy', from, to: 'copy.txt' }] },
})

/** The files below a folder that hold the text. */
function holders(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(name => join(folder, String(name)))
    .filter(path => statSync(path).isFile() && readFileSync(path).includes(text))
}
