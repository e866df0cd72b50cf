import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { hasTmux, realTerminal } from './tmux.ts'

const A_SECOND = 1_000

const plan = (first: string, second: string): FakeStep['calls'] => [
  {
    name: 'update_plan',
    arguments: {
      steps: [
        { step: 'Write one.txt', status: first },
        { step: 'Write two.txt', status: second },
      ],
    },
  },
]
const write = (path: string) => ({ name: 'write_text_file', arguments: { path, content: 'x\n' } })
const CREATE: readonly FakeStep[] = [
  {
    text: 'I add it.',
    calls: [{ name: 'workspace_create_file', arguments: { path: 'new.md', content: '# New\n' } }],
  },
  { text: 'I see.' },
]

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function withModel(steps: readonly FakeStep[]) {
  const model = await fakeModel(steps)
  return { model, env: { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' } }
}

describe.runIf(hasTmux)('on a real terminal', () => {
  verifies(
    'CONTRACT §9 interactive',
    'a plan is approved, killed -9 in its second item, and resumed there',
    async () => {
      const box = sandbox({ 'a.txt': 'a\n' })
      const { model, env } = await withModel([
        { text: 'My plan.', calls: plan('open', 'open') },
        { text: 'Shall I?' },
        { text: '', calls: [write('one.txt'), ...plan('done', 'doing')!] },
        { text: '', calls: [write('two.txt'), ...plan('done', 'done')!] },
        { text: 'Both are there.' },
      ])
      let isHanging = true
      model.onRequest = step => step < 3 || !isHanging
      const terminal = realTerminal(box, { env })
      terminal.type('filewright --plan')
      terminal.press('Enter')
      await terminal.sees('plan first')
      terminal.type('Write both')
      terminal.press('Enter')
      await terminal.sees('Work through it?')
      await pause(A_SECOND)
      terminal.type('y')
      terminal.press('Enter')
      await terminal.sees('[>] Write two.txt')
      await expect.poll(() => model.requests.length, PATIENCE).toBe(4)
      process.kill(terminal.foreground(), 'SIGKILL')
      await terminal.sees('Killed')
      isHanging = false
      terminal.type('stty sane; clear; filewright --continue')
      terminal.press('Enter')
      await terminal.sees('The last run stopped before its end')
      expect(terminal.shown()).toMatch(/\[x\] Write one\.txt\n\s+\[>\] Write two\.txt/)
      terminal.type('/resume')
      terminal.press('Enter')
      await terminal.sees('Both are there.')
      expect(terminal.shown()).toContain('one.txt')
      const asked = JSON.stringify(model.requests.at(-1)!.messages)
      expect(asked.split('one.txt (').length).toBeLessThan(3) // item 1 was not done again
      terminal.type('/publish')
      terminal.press('Enter')
      await terminal.sees('Publish 2 changes?')
      await pause(A_SECOND)
      terminal.type('y')
      terminal.press('Enter')
      await terminal.sees('Published')
      expect([box.exists('one.txt'), box.exists('two.txt')]).toEqual([true, true])
    },
  )

  test('whatever ends the program, the terminal is as it was', async () => {
    const box = sandbox({ 'a.txt': 'a\n' })
    const terminal = realTerminal(box)
    for (const [at, signal] of (['SIGTERM', 'SIGHUP'] as const).entries()) {
      terminal.type('filewright')
      terminal.press('Enter')
      await expect.poll(() => terminal.shown().split('Type a task').length, PATIENCE).toBe(at + 2)
      const pid = terminal.foreground()
      process.kill(pid, signal)
      await expect.poll(() => isAlive(pid), PATIENCE).toBe(false)
      terminal.type(
        `stty -a | grep -o ' -\\?icanon\\| -\\?echo ' | tr -d '\\n'; echo " after ${signal}"`,
      )
      terminal.press('Enter')
      await terminal.sees(new RegExp(`^ icanon echo {1,2}after ${signal}`, 'm'))
    }
  })

  test('plain lines: Ctrl-C stops the run and not the program, and a line begun before a question does not answer it', async () => {
    const box = sandbox({ 'a.txt': 'a\n' })
    const { model, env } = await withModel(CREATE)
    let isHanging = true
    model.onRequest = () => !isHanging
    const terminal = realTerminal(box, { env })
    terminal.type('filewright --plain --toolset workspace')
    terminal.press('Enter')
    await terminal.sees('Type a task')
    terminal.type('Add it')
    terminal.press('Enter')
    await expect.poll(() => model.requests.length, PATIENCE).toBe(1)
    terminal.press('C-c')
    await terminal.sees('/resume goes on')
    isHanging = false
    terminal.type('/resume')
    terminal.press('Enter')
    terminal.type('y') // ahead of the question, without Enter
    await terminal.sees('Approve? y yes')
    await pause(A_SECOND)
    terminal.press('Enter')
    await terminal.sees('What was typed before the question does not answer it')
    expect(box.exists('new.md')).toBe(false)
    terminal.type('n')
    terminal.press('Enter')
    await terminal.sees('Why?')
    await pause(A_SECOND)
    terminal.press('Enter')
    await terminal.sees('No file was changed')
    expect(box.exists('new.md')).toBe(false)
  })

  test('publish lets one pick changes, and approvals ask about each without an id', async () => {
    const box = sandbox({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' })
    const edits = ['1', '5', '9'].map(search => ({ search, replace: `new ${search}` }))
    await box.call('edit_text_file', { path: 'a.txt', edits })
    await box.call('workspace_create_file', { path: 'new.md', content: '# New\n' })
    const terminal = realTerminal(box)
    terminal.type('filewright publish')
    terminal.press('Enter')
    await terminal.sees('Write 3 changes? [y]es, [N]o, [p]ick:')
    terminal.type('p')
    terminal.press('Enter')
    for (const [at, answer] of ['a', 'r', 'l'].entries()) {
      await terminal.sees(`${at + 1} of 3: [a]ccept`)
      terminal.type(answer)
      terminal.press('Enter')
    }
    await terminal.sees('Published')
    expect(box.read('a.txt')).toBe('new 1\n2\n3\n4\n5\n6\n7\n8\n9\n')
    expect((await box.run(['review', '--stat'])).stdout).toContain('a.txt: 1 change')
    terminal.type('filewright approvals approve')
    terminal.press('Enter')
    await terminal.sees('Approve? [y]es')
    terminal.type('no, it belongs into docs')
    terminal.press('Enter')
    await expect
      .poll(async () => (await box.run(['approvals', 'list', '--all'])).stdout, PATIENCE)
      .toContain('denied')
    expect(box.exists('new.md')).toBe(false)
  })

  test('a run on a terminal counts the seconds of a silent model, and Ctrl-C ends it within half a second', async () => {
    const box = sandbox({ 'a.txt': 'a\n' })
    const { model, env } = await withModel([{ text: 'Never.' }])
    model.onRequest = () => false
    const terminal = realTerminal(box, { env })
    terminal.type('filewright run "Wait"; echo "ended with $?"')
    terminal.press('Enter')
    await terminal.sees(/Waiting for the model … \d+ s/)
    const before = performance.now()
    terminal.press('C-c')
    await expect.poll(terminal.shown, { ...PATIENCE, interval: 20 }).toMatch(/^ended with 130$/m)
    const took = performance.now() - before
    console.log(`Ctrl-C ended the run after ${took.toFixed(0)} ms`)
    expect(took).toBeLessThan(process.env.FILEWRIGHT_FULL === '1' ? 500 : 3_000)
  })
})
