import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { finished, sandbox } from '../cli.ts'
import { untilSays } from '../until-says.ts'

test.skipIf(process.platform === 'win32')(
  'a command that waits for a frozen owner says so, and Ctrl-C ends it',
  async () => {
    const box = sandbox({ 'a.txt': 'one\n' })
    const owner = box.start(['serve', '--port', '0'])
    await untilSays(owner, /http:/)
    owner.kill('SIGSTOP')
    onTestFinished(() => void owner.kill('SIGCONT'))
    const face = box.start(['call', 'read_file', '{"path":"a.txt"}'])
    const ended = finished(face)
    await untilSays(face, /process that holds the state is busy/)
    face.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stdout: '' })
    owner.kill('SIGCONT')
    expect((await box.call('read_file', { path: 'a.txt' })).code).toBe(0)
  },
)

test.skipIf(process.platform === 'win32')(
  'SIGTERM ends an owner that is at work for several callers',
  async () => {
    const line = 'a line of a long file\n'
    const box = sandbox({ 'long.txt': line.repeat(3_000_000) })
    const owner = box.start(['serve', '--port', '0'])
    await untilSays(owner, /http:/)
    const all = JSON.stringify({
      path: 'long.txt',
      edits: [{ search: 'e', replace: 'x', all: true }],
    })
    const faces = [1, 2, 3].map(() => box.start(['call', 'edit_text_file', all]))
    onTestFinished(() => void faces.map(face => face.kill('SIGKILL')))
    await new Promise(resolve => setTimeout(resolve, 1_500)) // they are under way
    const told = performance.now()
    owner.kill('SIGTERM')
    await once(owner, 'exit')
    expect(performance.now() - told).toBeLessThan(10_000) // a second, on a machine ten times slower
  },
)
