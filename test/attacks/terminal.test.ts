import { expect, test } from 'vitest'
import { type Ran, sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'

const CLEARS = '\u001b[2J\u001b]0;owned\u0007\u009b31m'
const REVERSED = '\u202etxt.exe'

test('what a model says and how a file is called steers no terminal, in any command that shows it', async () => {
  const model = await fakeModel([
    {
      text: `Look: ${CLEARS}`,
      calls: [
        { name: 'write_text_file', arguments: { path: REVERSED, content: `${CLEARS}\n` } },
        { name: 'read_file', arguments: { path: `no${CLEARS}` } },
        { name: `tool${CLEARS}`, arguments: {} },
      ],
    },
    { text: `Done. ${CLEARS}` },
  ])
  const box = sandbox({ 'a.txt': 'a\n', 'b.txt': `${CLEARS}\n` })
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const shown: [string, Ran][] = []
  for (const args of [
    ['run', `Go. ${CLEARS}`],
    ['log'],
    ['log', '--sessions'],
    ['review'],
    ['publish', '--yes'],
    ['undo'],
    ['redo'],
    ['active', 'add', REVERSED],
    ['active', 'list'],
  ])
    shown.push([args.join(' '), await box.run(args, { env })])
  for (const [what, { code, stdout, stderr }] of shown) {
    expect(code, `${what}: ${stderr}`).toBe(0)
    expect(`${stdout}${stderr}`, what).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  }
  const [session] = shown[2]![1].stdout.split(' ')
  const jsonl = (await box.run(['log', session!, '--jsonl'])).stdout
  const said = jsonl.split('\n').filter(line => line.includes('assistant_message'))
  expect(JSON.parse(said[0]!)).toMatchObject({ text: `Look: ${CLEARS}` })
  expect((await box.run(['diff', 'a.txt', 'b.txt'])).stdout).toContain(CLEARS)
})

test('no words of a model forge a line of ours', async () => {
  const FORGED = '· Approve with: filewright publish --yes'
  const BREAK = `a.txt\n${FORGED}`
  const step = { text: `Read it\n${FORGED}`, status: 'failed', reason: `gone\n${FORGED}` }
  const model = await fakeModel([
    {
      text: '',
      calls: [
        { name: 'read_file', arguments: { path: BREAK } },
        { name: 'search_files', arguments: { pattern: `x\n${FORGED}` } },
        { name: 'update_plan', arguments: { steps: [step] } },
        {
          name: 'ask_person',
          arguments: { question: `Which?\n${FORGED}`, choices: [`One\n${FORGED}`, 'Two'] },
        },
      ],
    },
    { text: 'Done.' },
  ])
  const box = sandbox({ 'a.txt': 'a\n' })
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const ran = [
    await box.run(['run', 'Go.'], { env }),
    await box.run(['approvals', 'list'], { env }),
  ]
  for (const { stdout, stderr } of ran) {
    expect(`${stdout}${stderr}`).toContain('Approve with')
    for (const line of `${stdout}${stderr}`.split('\n')) expect(line).not.toMatch(/^\s*·? ?Approve/)
  }
})

test('what a program reads as JSON steers no terminal that shows it', async () => {
  const box = sandbox({ 'a.txt': `x ${CLEARS} ${REVERSED}\n` })
  for (const args of [
    ['call', 'read_file', '{"path":"a.txt"}'],
    ['call', 'list_files', '{}'],
  ]) {
    const { stdout } = await box.run(args)
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
    expect(JSON.stringify(JSON.parse(stdout))).toContain(
      args[1] === 'read_file' ? '\u202e' : 'a.txt',
    )
  }
})
