import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { untilSays } from '../until-says.ts'

test.skipIf(process.platform === 'win32')(
  'a pipe that is named like a rule file stops no server',
  async () => {
    const box = sandbox({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
    execFileSync('mkfifo', [join(box.dir, '.gitignore'), join(box.dir, 'sub/.filewrightignore')])
    await untilSays(box.start(['serve', '--port', '0']), /Offering/)
    const { result } = await box.call('list_files', {})
    expect(result.files).toMatchObject([{ path: 'a.txt' }, { path: 'sub/b.txt' }])
    expect(result.leftOut.total).toBe(2)
  },
)

test('a user without a name and a home folder learns how to set the state folder', context => {
  const box = sandbox({ 'a.txt': 'one\n' })
  const { PATH } = process.env
  const options = { cwd: '/', env: { PATH }, uid: 54_321, encoding: 'utf8' } as const
  const run = (...args: string[]) => spawnSync(process.execPath, [box.bin, ...args], options)
  if (process.getuid?.() !== 0 || run('--version').status !== 0)
    context.skip('only root becomes another user, who must be able to read this checkout')
  expect(run('call', 'read_file', '{"path":"a.txt"}')).toMatchObject({
    status: 8,
    stdout: '',
    stderr: expect.stringMatching(/^filewright: There is no home folder .+FILEWRIGHT_STATE.+\n$/),
  })
})
