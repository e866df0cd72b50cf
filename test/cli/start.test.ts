import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

/** Prints at exit which of Node's own modules a process has loaded. */
const TELL = `process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))`

test('a command that asks nobody over the network loads neither fetch nor HTTP/2', async () => {
  const box = sandbox({ 'a.txt': 'one\n', 'tell.cjs': TELL })
  const env = { NODE_OPTIONS: `--require "${box.dir}/tell.cjs"` }
  const input = '{"tool":"read_file","arguments":{"path":"a.txt"}}\n'
  const bare = spawnSync(process.execPath, ['-e', ''], { env, encoding: 'utf8' }).stderr
  for (const args of [['call', '--lines'], ['draft', 'list'], ['--version']]) {
    const { code, stderr } = await box.run(args, { input, env })
    expect(code).toBe(0)
    expect(stderr).toContain('NativeModule fs') // the list is there
    const heavy = loaded(stderr).filter(name => !loaded(bare).includes(name))
    expect([args, heavy]).toEqual([args, []])
  }
})

function loaded(told: string): string[] {
  return told.split('\n').filter(name => /undici|http2/.test(name))
}
