import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runOutputSchema } from '@filewright/protocol'
import { describe, expect, test } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { type FakeModel, type FakeStep, fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

const KEY = 'key-that-nobody-may-see-4711'

const EDIT: readonly FakeStep[] = [
  { text: 'I look at it.', calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] },
  {
    text: 'I change it.',
    calls: [
      {
        name: 'edit_text_file',
        arguments: { path: 'notes.txt', edits: [{ search: 'old', replace: 'new' }] },
      },
    ],
  },
  { text: 'Done: it is new.' },
]

const CREATE: readonly FakeStep[] = [
  {
    text: 'I add it.',
    calls: [{ name: 'workspace_create_file', arguments: { path: 'NEW.md', content: '# New\n' } }],
  },
  { text: 'It stands.' },
]

const CUT: FakeStep = { text: 'Once upon', finish: 'length' }

describe('filewright run', () => {
  verifies(
    'CONTRACT §7 cut answer',
    'an answer cut at the output limit continues in the middle of its line',
    async () => {
      const { model, run } = await prepare([CUT, { text: ' a time.' }])
      const whole = await run(['run', 'Tell it.', '--model', 'fake'])
      expect(whole).toMatchObject({ code: 0, stdout: 'Once upon a time.\nNo file was changed\n' })
      expect(model.requests[1]!.messages.at(-1)).toMatchObject({
        role: 'user',
        content: expect.stringContaining('cut at the output limit'),
      })
    },
  )

  verifies(
    ['CONTRACT §7 cut answer', 'CONTRACT §9 exit codes by kind'],
    'an answer that is cut each time ends at the limit, and neither the exit code nor the log says done',
    async () => {
      const { run } = await prepare([CUT, CUT, CUT])
      const ended = await run(['run', 'Tell it.', '--model', 'fake', '--output', 'json'])
      expect(ended.code).toBe(6)
      expect(ended.stderr).toContain('3 answers in a row were cut at the output limit')
      expect(ended.stdout).toMatch(/"type":"run-end".*"reason":"limit"/)
      const log = await run(['log'])
      expect(log.stdout).toContain('Once upon [cut at the output limit]')
      expect(log.stdout).toMatch(/run-end {2}limit {2}No file was changed/)
    },
  )

  verifies(
    [
      'CONTRACT §9 run headless',
      'CONTRACT §9 run --output text',
      'CONTRACT §9 run defaults',
      'CONTRACT §9 model id alone',
      'CONTRACT §9 stdout the answer alone',
      'CONTRACT §9 stderr the rest',
      'CONTRACT §7 limit spend shown',
      'ADR-0010 §Negative cost shown',
    ],
    'prints what the model says and our own last line; progress goes to stderr, files stay as they are',
    async () => {
      const { box, model, run } = await prepare(EDIT)
      const ran = await run(['run', 'Make it new.', '--model', 'fake'])
      expect(ran.code).toBe(0)
      expect(ran.stdout).toBe(
        'I look at it.\nI change it.\nDone: it is new.\n1 file in the draft: notes.txt (1 line)\n',
      )
      expect(ran.stderr).toMatch(/notes\.txt/)
      expect(ran.stderr).toContain('3000 tokens sent, 300 received')
      expect(box.read('notes.txt')).toBe('old\n')
      expect(model.requests[0]!.model).toBe('fake')
      expect(toolsOf(model)).toContain('edit_text_file')
    },
  )

  verifies(
    ['CONTRACT §9 run --output json', 'CONTRACT §9 run --publish'],
    "--output json prints one event per line with ADR-0010's names; --publish auto writes the files",
    async () => {
      const { box, run } = await prepare(EDIT)
      const options = ['--model', 'fake', '--output', 'json', '--publish', 'auto']
      const ran = await run(['run', 'Make it new.', ...options])
      expect(ran.code).toBe(0)
      const events = ran.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      for (const event of events)
        expect(runOutputSchema().safeParse(event).error, JSON.stringify(event)).toBeUndefined()
      expect(events.filter(event => event.method).map(event => event.method)).toEqual([
        'WorkshopAssistantStreamDelta',
        'WorkshopToolExecuting',
        'WorkshopToolComplete',
        'WorkshopAssistantStreamDelta',
        'WorkshopToolExecuting',
        'WorkshopToolComplete',
        'WorkshopAssistantStreamDelta',
      ])
      expect(events.find(event => event.method === 'WorkshopToolExecuting').params).toMatchObject({
        tool_name: 'read_file',
        path: 'notes.txt',
      })
      expect(events.at(-1)).toMatchObject({ type: 'published' })
      expect(events.some(event => event.row?.type === 'run-end')).toBe(true)
      expect(box.read('notes.txt')).toBe('new\n')
    },
  )

  verifies(
    'CONTRACT §9 run --publish',
    '--publish auto leaves the draft of a run that did not come to its end, and says how to publish it',
    async () => {
      const { box, model, run } = await prepare(EDIT)
      model.refuse = request => (request === 2 ? { status: 401, message: 'No.' } : undefined)
      const ran = await run(['run', 'Make it new.', '--model', 'fake', '--publish', 'auto'])
      expect(ran.code).toBe(8)
      expect(ran.stdout).toMatch(/^1 file in the draft: [\w.]+ \(1 line\)$/m)
      expect(box.read('notes.txt')).toBe('old\n')
      const [, draftId] = /filewright publish --yes --draft (\S+) /.exec(ran.stderr)!
      expect((await run(['publish', '--yes', '--draft', draftId!])).code).toBe(0)
      expect(box.read('notes.txt')).toBe('new\n')
    },
  )

  verifies(
    ['CONTRACT §9 run -C', 'CONTRACT §9 run --publish', 'CONTRACT §9 run --model'],
    'works on the folder that -C names, with the model that --model names; --publish never leaves the draft',
    async () => {
      const { box, run } = await prepare([])
      box.write('sub/a.txt', 'a\n')
      const options = ['-C', 'sub', '--model', 'scripted/demo', '--publish', 'never']
      const ran = await run(['run', 'Show me.', ...options])
      expect(ran.code).toBe(0)
      expect(ran.stdout).toContain('scripted demonstration')
      expect(ran.stderr).toContain('demo-note.md')
      expect(box.exists('sub/demo-note.md')).toBe(false)
      const drafts = await run(['draft', 'list', '-C', 'sub'])
      expect(drafts.stdout).toContain('open')
    },
  )

  verifies(
    'CONTRACT §9 model id alone',
    'with no model set, one that runs on this machine is used, and one line says which and how to change it',
    async () => {
      const { box, model } = await prepare(EDIT)
      const env = { OLLAMA_HOST: new URL(model.baseUrl).host }
      const ran = await box.run(['run', 'Make it new.'], { env })
      expect(ran.code).toBe(0)
      expect(ran.stdout).toContain('Done: it is new.')
      expect(ran.stderr).toMatch(
        /No model is set: this run uses ollama\/fake, which Ollama offers on this machine\. Choose another with --model/,
      )
      const atBaseUrl = { FILEWRIGHT_BASE_URL: model.baseUrl.replace('://', `://me:${KEY}@`) }
      const again = await box.run(['run', 'Again.'], { env: atBaseUrl })
      expect(again.stderr).toContain(`this run uses fake, which ${model.baseUrl} offers`)
      const { stdout: models } = await box.run(['models'], { env: atBaseUrl })
      expect(models).toContain(`fake  (at ${model.baseUrl})`)
      const named = await box.run(['run', 'Again.', '--model', 'ollama/fake'], { env })
      expect(named.code).toBe(0)
      expect(named.stderr).not.toContain('No model is set')
    },
  )

  verifies(
    ['CONTRACT §9 run --toolset', 'CONTRACT §9 run --approve', 'CONTRACT §9 resume'],
    'waits with exit code 9 where nobody can be asked, and resume continues after the answer',
    async () => {
      const { box, model, run } = await prepare(CREATE)
      const ran = await run(['run', 'Add it.', '--model', 'fake', '--toolset', 'workspace'])
      expect(ran.code).toBe(9)
      expect(toolsOf(model)).toContain('workspace_create_file')
      expect(toolsOf(model)).not.toContain('write_text_file')
      expect(box.exists('NEW.md')).toBe(false)
      expect((await run(['approvals', 'approve', 'all'])).code).toBe(0)
      expect(box.read('NEW.md')).toBe('# New\n')
      const resumed = await run(['resume'])
      expect(resumed.code).toBe(0)
      expect((await run(['log', '--jsonl'])).stdout).toContain('It stands.')
    },
  )

  verifies('CONTRACT §9 run --approve', '--approve all writes without asking', async () => {
    const { box, run } = await prepare(CREATE)
    const options = ['--model', 'fake', '--toolset', 'workspace', '--approve', 'all']
    const ran = await run(['run', 'Add it.', ...options])
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toContain('1 file')
    expect(box.read('NEW.md')).toBe('# New\n')
  })

  verifies(
    ['CONTRACT §9 run --active', 'CONTRACT §9 run --plan', 'CONTRACT §7 plan first'],
    '--active puts a file into the context, --plan offers only what reads',
    async () => {
      const { model, run } = await prepare([{ text: 'This is my plan.' }])
      const options = ['--model', 'fake', '--plan', '--active', 'notes.txt']
      expect((await run(['run', 'Plan it.', ...options])).code).toBe(0)
      expect(JSON.stringify(model.requests[0]!.messages)).toContain('notes.txt')
      expect(JSON.stringify(model.requests[0]!.messages)).toContain('old')
      expect(toolsOf(model)).toContain('read_file')
      expect(toolsOf(model)).not.toContain('edit_text_file')
    },
  )

  verifies(
    [
      'CONTRACT §9 run --budget-tokens',
      'CONTRACT §7 limit run budget',
      'CONTRACT §7 closing line however ended',
    ],
    'a budget stops the run with exit code 6, and the last line still says what was done',
    async () => {
      const { run } = await prepare(EDIT)
      const ran = await run(['run', 'Go.', '--model', 'fake', '--budget-tokens', '2000'])
      expect(ran.code).toBe(6)
      expect(ran.stderr.match(/budget of 2000 tokens/g)).toHaveLength(1)
      expect(ran.stderr).toContain('Go on with: filewright resume ses_')
      expect(ran.stdout.trim().split('\n').at(-1)).toMatch(/^1 file in the draft/)
    },
  )

  verifies(
    ['CONTRACT §7 closing line however ended', 'CONTRACT §9 exit codes by kind'],
    'a provider that refuses the key ends the run with exit code 8 and one sentence',
    async () => {
      const { model, run } = await prepare(EDIT)
      model.refuse = () => ({ status: 401, message: 'Incorrect API key provided' })
      const ran = await run(['run', 'Go.', '--model', 'fake'])
      expect(ran.code).toBe(8)
      expect(ran.stderr).toMatch(/key/i)
      expect(ran.stdout).toBe('No file was changed\n')
      expect(model.requests).toHaveLength(1)
    },
  )

  verifies(
    'CONTRACT §7 retry rate limits',
    'a rate limit is shown on stderr and retried',
    async () => {
      const { model, run } = await prepare(EDIT)
      model.refuse = request =>
        request === 0
          ? { status: 429, headers: { 'retry-after': '1' }, message: 'Rate limit reached' }
          : undefined
      const ran = await run(['run', 'Go.', '--model', 'fake'])
      expect(ran.code).toBe(0)
      expect(ran.stderr).toMatch(/trying again in \d+ s/)
      expect(ran.stdout).toContain('Done: it is new.')
    },
  )

  verifies(
    ['CONTRACT §9 exit 130', 'CONTRACT §7 cancel at tool borders'],
    'SIGINT cancels before the next step: exit code 130, the draft stays, and the last line says what was done',
    async () => {
      const { box, model, env } = await prepare(EDIT)
      const child = box.start(['run', 'Go.', '--model', 'fake'], { env })
      model.onRequest = step => {
        if (step < 2) return true
        child.kill('SIGINT')
        return false
      }
      const ran = await finished(child)
      expect(ran.code).toBe(130)
      expect(ran.stdout.trim().split('\n').at(-1)).toMatch(/^1 file in the draft/)
      expect(box.read('notes.txt')).toBe('old\n')
      const log = await box.run(['log'])
      expect(log.stdout).toContain('cancel')
    },
  )
})

describe('afterwards', () => {
  verifies(
    [
      'CONTRACT §9 log --sent',
      'CONTRACT §8 what was sent',
      'CONTRACT §8 keys not to the model',
      'CONTRACT §8 keys from the environment',
      'CONTRACT §8 tokens not in the journal',
      'CONTRACT §9 log --jsonl',
    ],
    'log shows what was sent where; the key went only to its endpoint and is stored nowhere',
    async () => {
      const { box, model, run } = await prepare(EDIT)
      await run(['run', 'Make it new.', '--model', 'fake', '--publish', 'auto'])
      const sent = await run(['log', '--sent'])
      expect(sent.stdout).toContain('with fake')
      const requests = sent.stdout.match(
        /^\S+Z {2}request to \S+ for fake: \d+ messages?, \d+ bytes$/gm,
      )
      expect(requests).toHaveLength(3)
      expect(requests![0]).toContain(` to ${model.baseUrl}/chat/completions for `)
      expect(sent.stdout.match(/result of tc_/g)).toHaveLength(2)
      expect(sent.stdout).toMatch(/manifest: about \d+ tokens, sha256 [0-9a-f]{8}/)
      const lines = (await run(['log', '--jsonl'])).stdout.trim().split('\n')
      expect(lines.map(line => JSON.parse(line).type)).toEqual([
        'user_message',
        'assistant_message',
        'tool_result',
        'assistant_message',
        'tool_result',
        'assistant_message',
      ])
      expect(model.requests[0]!.authorization).toBe(`Bearer ${KEY}`)
      for (const { authorization, ...request } of model.requests)
        expect(JSON.stringify(request)).not.toContain(KEY)
      const token = readFileSync(join(box.state, 'token'), 'utf8').trim()
      expect(token.length).toBeGreaterThan(20)
      expect(JSON.stringify(model.requests)).not.toContain(token)
      for (const [path, bytes] of filesIn(box.state)) {
        expect(bytes.includes(KEY), path).toBe(false)
        if (!path.endsWith('token')) expect(bytes.includes(token), path).toBe(false)
      }
    },
  )

  verifies('CONTRACT §9 run stdin', '- reads the task from stdin', async () => {
    const { box, model, env } = await prepare([{ text: 'Done.' }])
    const input = '\ufeffMake it new,\nin "two" lines.\n'
    const ran = await box.run(['run', '-', '--model', 'fake'], { env, input })
    expect(ran).toMatchObject({ code: 0, stdout: 'Done.\nNo file was changed\n' })
    expect(model.requests[0]!.messages.at(-1)!.content).toContain('Make it new,\nin "two" lines.')
    expect(JSON.stringify(model.requests[0])).not.toContain('\ufeff')
    for (const [empty, message] of [
      ['', 'name the task'],
      [Buffer.from([0x61, 0xff]), 'the task on stdin is not UTF-8'],
    ] as const)
      expect(await box.run(['run', '-', '--model', 'fake'], { env, input: empty })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      })
  })

  test('writes no escape sequence to a stdout that is not a terminal', async () => {
    const { run } = await prepare([
      { text: 'Done \u001b[2J\u001b]0;title\u0007\u009b1A, déjà vu\n' },
    ])
    const { stdout, stderr } = await run(['run', 'Do it.', '--model', 'fake'])
    expect(stdout).toBe(
      'Done \\u{1b}[2J\\u{1b}]0;title\\u{7}\\u{9b}1A, déjà vu\nNo file was changed\n',
    )
    expect(stderr).not.toContain('\u001b')
  })

  verifies('CONTRACT §9 log', 'a session is deleted on request, with its log', async () => {
    const { box, run } = await prepare(EDIT)
    await run(['run', 'Make it new, dear friend.', '--model', 'fake'])
    const [line] = (await run(['log', '--sessions'])).stdout.split('\n')
    const [sessionId] = line!.split(' ')
    expect(await run(['log', sessionId!, '--delete'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/its draft is open and holds .*[\s\S]*--yes/),
    })
    expect(await run(['log', sessionId!, '--delete', '--yes'])).toMatchObject({ code: 0 })
    expect((await run(['log', '--sessions'])).stdout).not.toContain(sessionId)
    expect((await box.run(['log', sessionId!])).code).toBe(3)
  })
})

async function prepare(steps: readonly FakeStep[]) {
  const box = sandbox({ 'notes.txt': 'old\n' })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_API_KEY: KEY }
  return { box, model, env, run: (args: readonly string[]) => box.run(args, { env }) }
}

function toolsOf(model: FakeModel): readonly string[] {
  return (model.requests[0]!.tools ?? []).map(tool => tool.function.name)
}

function filesIn(folder: Sandbox['state']): [path: string, bytes: Buffer][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => {
      const path = join(entry.parentPath, entry.name)
      return [path, readFileSync(path)]
    })
}
