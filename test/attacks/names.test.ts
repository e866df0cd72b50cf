import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

const text = (path: string) => ({ path, content: 'Z\n' })

test.each<{ name: string; files: Record<string, string>; first?: string; second: string }>([
  { name: 'the name of a folder', files: { 'd/a': '1' }, second: 'D' },
  { name: 'below a file', files: { f: '1' }, second: 'F/y/z' },
  { name: 'below a file of the draft', files: {}, first: 'x', second: 'x/y' },
  { name: 'where the draft has a folder', files: {}, first: 'x/y', second: 'x' },
])('a draft takes no file at $name, and publishes', async ({ files, first, second }) => {
  const box = sandbox(files)
  await box.call('write_text_file', text('beside'))
  if (first) expect(await box.call('write_text_file', text(first))).toMatchObject({ code: 0 })
  const clash = await box.call('write_text_file', text(second))
  expect(clash).toMatchObject({ code: 4, result: { errorCode: 'CONFLICT' } })
  expect(clash.result.message).toMatch(
    /^Nothing was written: ".+" is (a file|the name of a folder)/,
  )
  expect(await box.run(['publish', '--yes'])).toMatchObject({ code: 0 })
  expect(box.exists('beside')).toBe(true)
})

test('a file may move into a folder of its own name', async () => {
  const box = sandbox({ d: '1' })
  const move = { operations: [{ op: 'move', from: 'd', to: 'd/a' }] }
  expect(await box.call('file_operations', move)).toMatchObject({ code: 0 })
  expect(await box.run(['publish', '--yes'])).toMatchObject({ code: 0 })
  expect(box.read('d/a')).toBe('1')
})

test.each([
  { op: 'delete', path: 'link' },
  { op: 'move', from: 'link', to: 'other' },
])('a draft does not $op a link', async operation => {
  const box = sandbox({ 'a.txt': 'one\n' })
  symlinkSync('a.txt', join(box.dir, 'link'))
  expect(await box.call('file_operations', { operations: [operation] })).toMatchObject({
    code: 2,
    result: { message: expect.stringContaining('is a link to "a.txt"') },
  })
  expect(await box.run(['review'])).toMatchObject({ code: 3 })
})

test('a link that leads nowhere takes no new file, and does not keep a draft from being published', async () => {
  const box = sandbox()
  symlinkSync('nowhere', join(box.dir, 'link'))
  await box.call('write_text_file', text('beside'))
  for (const tool of ['write_text_file', 'workspace_create_file'])
    expect(await box.call(tool, text('link'), ['--yes'])).toMatchObject({
      code: 2,
      result: { errorCode: 'InvalidPath', message: expect.stringContaining('leads nowhere') },
    })
  expect(await box.run(['publish', '--yes'])).toMatchObject({ code: 0 })
  expect(box.exists('beside')).toBe(true)
  expect(box.exists('nowhere')).toBe(false)
})

test('names that every object has are ordinary names of files, sheets and arguments', async () => {
  const names = ['__proto__', 'constructor', 'hasownproperty', 'tostring']
  const box = sandbox(Object.fromEntries(names.map(name => [name, 'one\n'])))
  const states = async () => {
    const { result } = await box.call('list_files', {})
    return result.files.map((file: { path: string; draft: unknown }) => [file.path, file.draft])
  }
  expect(await states()).toEqual(names.map(name => [name, 'none']))
  for (const name of names) await box.call('write_text_file', text(name))
  expect(await states()).toEqual(names.map(name => [name, 'changed']))
  const operations = names.flatMap((name, n) => [
    { op: 'ensure_sheet', sheet: name },
    { op: 'set_cells', sheet: name, cells: [{ cell: 'A1', value: n }] },
  ])
  const book = { path: 'book.xlsx', create_if_missing: true, operations }
  expect(await box.call('xlsx_operations', book)).toMatchObject({ code: 0 })
  expect(await box.run(['publish', '--yes'])).toMatchObject({ code: 0 })
  for (const [n, name] of names.entries()) {
    expect(box.read(name)).toBe('Z\n')
    const { result } = await box.call('read_file', { path: 'book.xlsx', sheet: name })
    expect(JSON.stringify(result)).toContain(`"value":${n}`)
  }
  const odd = await box.run(['call', 'list_files', '{"constructor":null,"__proto__":null}'])
  expect(JSON.parse(odd.stdout)).toMatchObject({ success: true, total: 5 })
})

test.skipIf(process.platform !== 'linux')(
  'names that no path can spell are reported with their reasons, in a list and by doctor',
  async () => {
    const box = sandbox({ 'a.txt': 'one\n', 'line\nend.txt': '', 'esc\u001b[2K.txt': '' })
    const notUtf8 = Buffer.concat([Buffer.from(`${box.dir}/caf`), Buffer.from([0xe9])])
    writeFileSync(notUtf8, '')
    mkdirSync(join(box.dir, 'bell\u0007'))
    box.write('bell\u0007/inner.txt', '')
    symlinkSync('/etc/hostname', join(box.dir, 'out'))
    const control = 'its name holds a control character'
    const told = [
      { path: 'bell\\u{7}', reason: control },
      { path: 'caf\ufffd', reason: 'its name is not valid UTF-8' },
      { path: 'esc\\u{1b}[2K.txt', reason: control },
      { path: 'line\\u{a}end.txt', reason: control },
      { path: 'out', reason: 'it is a link that leads to no file in the workspace' },
    ]
    for (const tool of ['list_files', 'workspace_list_files'])
      expect((await box.call(tool, {})).result).toMatchObject({
        total: 1,
        files: [{ path: 'a.txt' }],
        leftOut: { total: 5, first: told },
      })
    const { stdout, code } = await box.run(['doctor', '-C', '.'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^folder +1 file, 5 that no tool can use$/m)
    for (const { path, reason } of told) expect(stdout).toContain(`"${path}": ${reason}\n`)
    expect((await box.run(['doctor'])).stdout).not.toContain('caf')
  },
)

test.skipIf(process.platform !== 'linux')(
  'a name that is not UTF-8 is refused as it is shown: nothing is written next to it or into it',
  async () => {
    const box = sandbox({ 'a.txt': 'one\n' })
    const named = (before: string, after: string) =>
      Buffer.concat([Buffer.from(`${box.dir}/${before}`), Buffer.from([0xe9]), Buffer.from(after)])
    writeFileSync(named('caf', '.txt'), 'its own\n')
    mkdirSync(named('dir', ''))
    const before = readdirSync(box.dir, { encoding: 'buffer' })
    for (const path of ['caf\ufffd.txt', 'dir\ufffd/new.txt'])
      for (const [tool, args] of [
        ['read_file', { path }],
        ['workspace_read_file', { path }],
        ['write_text_file', { path, content: 'two\n' }],
        ['workspace_create_file', { path, content: 'two\n' }],
        ['workspace_create_file', { path, content: 'two\n', overwrite: true }],
        ['file_operations', { operations: [{ op: 'delete', path }] }],
        ['file_operations', { operations: [{ op: 'move', from: 'a.txt', to: path }] }],
      ] as const) {
        const { code, result } = await box.call(tool, args, ['--yes'])
        expect([tool, code, result.kind]).toEqual([tool, 2, 'invalid'])
        expect(result.message).toContain('it contains U+FFFD')
      }
    expect(readdirSync(box.dir, { encoding: 'buffer' })).toEqual(before)
    expect(readFileSync(named('caf', '.txt'), 'utf8')).toBe('its own\n')
    expect((await box.run(['draft', 'list'])).stdout).toBe('')
  },
)
