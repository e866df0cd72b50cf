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
