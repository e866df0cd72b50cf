import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { verifies } from '../verifies.ts'

const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../apps/cli/package.json', import.meta.url)), 'utf8'),
)

describe('the command itself', () => {
  verifies('CONTRACT §9 version', '--version prints the version and nothing else', async () => {
    expect(await sandbox().run(['--version'])).toMatchObject({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    })
  })

  verifies('CONTRACT §9 help', '--help prints the commands and their options', async () => {
    const box = sandbox()
    const { code, stdout } = await box.run(['--help'])
    expect(code).toBe(0)
    for (const command of ['call', 'tools', 'draft', 'review', 'publish', 'undo', 'redo', 'serve'])
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    expect((await box.run(['publish', '--help'])).stdout).toContain('--only <ids...>')
  })

  test('an unknown command or option is invalid, and reported on stderr', async () => {
    const box = sandbox()
    for (const args of [['frobnicate'], ['tools', '--yaml']])
      expect(await box.run(args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('error: unknown'),
      })
  })

  test('a missing folder is reported in one sentence', async () => {
    const box = sandbox()
    const { code, stdout, stderr } = await box.run(['review', '-C', 'nowhere'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('call', () => {
  verifies(
    ['CONTRACT §9 call one tool', 'CONTRACT §9 exit 0', 'CONTRACT §9 stdout the answer alone'],
    'prints the envelope of one call as JSON, and nothing else on stdout',
    async () => {
      const box = sandbox({ 'a.txt': 'one\ntwo\n' })
      const { code, stdout } = await box.run(['call', 'read_file', '{"path":"a.txt"}'])
      expect(code).toBe(0)
      expect(stdout.trim().split('\n')).toHaveLength(1)
      expect(JSON.parse(stdout)).toMatchObject({
        success: true,
        content: 'one\ntwo\n',
        sessionId: expect.stringMatching(/^ses_/),
      })
    },
  )

  verifies('CONTRACT §9 call stdin', 'reads the arguments from stdin', async () => {
    const box = sandbox({ 'a.txt': 'one\n' })
    const { stdout } = await box.run(['call', 'read_file', '-'], { input: '{"path":"a.txt"}' })
    expect(JSON.parse(stdout)).toMatchObject({ success: true, content: 'one\n' })
  })

  verifies('CONTRACT §9 call -C', 'works on the folder that -C names', async () => {
    const box = sandbox({ 'inner/a.txt': 'inner\n' })
    const answer = await call(box, 'read_file', { path: 'a.txt' }, '-C', 'inner')
    expect(answer).toMatchObject({ code: 0, content: 'inner\n' })
  })

  verifies('CONTRACT §9 exit codes by kind', 'a failure exits by its kind', async () => {
    const box = sandbox({ 'a.txt': 'a\n', '.env': 'KEY=1\n' })
    const codeOf = async (tool: string, input: unknown) => (await call(box, tool, input)).code
    expect(await codeOf('read_file', {})).toBe(2)
    expect(await codeOf('read_file', { path: 'missing.txt' })).toBe(3)
    expect(await codeOf('workspace_create_file', { path: 'a.txt', content: '' })).toBe(4)
    expect(await codeOf('read_file', { path: '.env' })).toBe(5)
    expect(await codeOf('write_text_file', { path: 'b.docx', content: '' })).toBe(7)
    const large = JSON.stringify({ path: 'b.txt', content: 'x'.repeat(11 * 1024 * 1024) })
    expect((await box.run(['call', 'workspace_create_file', '-'], { input: large })).code).toBe(6)
    const nobody = ['attach', '--server', 'http://127.0.0.1:1', '--token', 'T']
    expect((await box.run(nobody)).code).toBe(8)
    expect((await box.run(['call', 'read_file', 'no json'])).code).toBe(2)
  })

  verifies(
    [
      'CONTRACT §9 call pending',
      'CONTRACT §9 exit 9',
      'CONTRACT §9 no question without a terminal',
    ],
    'a call that waits for a person says so, exits with 9 and has written nothing',
    async () => {
      const box = sandbox()
      const answer = await call(box, 'workspace_create_file', { path: 'a.txt', content: 'a\n' })
      expect(answer).toMatchObject({
        code: 9,
        pending: true,
        approvalId: expect.stringMatching(/^apr_/),
      })
      expect(filesOf(box)).toEqual([])
    },
  )

  verifies('CONTRACT §9 call --yes', '--yes approves what the gate would ask', async () => {
    const box = sandbox()
    const input = { path: 'a.txt', content: 'a\n' }
    expect(await call(box, 'workspace_create_file', input, '--yes')).toMatchObject({
      code: 0,
      created: true,
    })
    expect(box.read('a.txt')).toBe('a\n')
  })

  verifies(
    [
      'CONTRACT §9 call --lines in and out',
      'CONTRACT §9 call --lines turns',
      'CONTRACT §9 call --lines limits',
      'CONTRACT §9 call --lines bad line',
      'CONTRACT §9 call --lines --yes',
    ],
    '--lines answers one line with one, in order, beyond the limits of a turn',
    async () => {
      const box = sandbox({ 'a.txt': 'a\n' })
      const lines = [
        ...Array.from({ length: 60 }, (_, id) => ({
          tool: 'read_file',
          arguments: { path: 'a.txt' },
          id,
        })),
        { tool: 'workspace_create_file', arguments: { path: 'b.txt', content: 'b\n' } },
      ].map(line => JSON.stringify(line))
      lines.splice(1, 0, 'no json', '')
      const { code, stdout } = await box.run(['call', '--lines', '--yes'], {
        input: lines.join('\n'),
      })
      expect(code).toBe(0)
      const answers = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(answers.map(({ id }) => id)).toEqual([0, null, ...counting(1, 59), null])
      expect(answers[1].result).toMatchObject({ success: false, kind: 'invalid' })
      const others = answers.filter((_, index) => index !== 1)
      expect(others.every(({ result }) => result.success)).toBe(true)
      expect(new Set(others.map(({ result }) => result.turnId)).size).toBe(61)
      expect(box.read('b.txt')).toBe('b\n')
    },
  )

  verifies(
    'CONTRACT §9 standing session of call',
    'keeps one session and one draft over many runs',
    async () => {
      const box = sandbox({ 'a.txt': 'a\n' })
      const first = await call(box, 'write_text_file', { path: 'b.txt', content: 'b\n' })
      const second = await call(box, 'write_text_file', { path: 'c.txt', content: 'c\n' })
      expect(second.sessionId).toBe(first.sessionId)
      expect(second.draftId).toBe(first.draftId)
    },
  )
})

describe('drafts', () => {
  verifies(
    [
      'CONTRACT §9 draft list',
      'CONTRACT §9 draft show',
      'CONTRACT §9 review',
      'CONTRACT §9 publish',
      'CONTRACT §9 undo',
      'CONTRACT §9 redo',
    ],
    'are listed, reviewed, published, undone and redone',
    async () => {
      const box = sandbox({ 'a.txt': 'one\ntwo\n' })
      const edits = [{ search: 'two', replace: '2' }]
      const { draftId } = await call(box, 'edit_text_file', { path: 'a.txt', edits })
      expect((await box.run(['draft', 'list'])).stdout).toContain(`${draftId}  open`)
      for (const shown of [await box.run(['review']), await box.run(['draft', 'show'])])
        expect(shown.stdout).toContain('-two\n+2\n')
      const review = JSON.parse((await box.run(['review', '--json'])).stdout)
      expect(review.changes).toMatchObject([{ path: 'a.txt', kind: 'lines', dependsOn: [] }])

      expect(await box.run(['publish'])).toMatchObject({
        code: 9,
        stdout: '',
        stderr: expect.stringContaining(`"filewright publish --yes --draft ${draftId} -C `),
      })
      expect(box.read('a.txt')).toBe('one\ntwo\n')
      expect(await box.run(['publish', '--yes'])).toMatchObject({ code: 0 })
      expect(box.read('a.txt')).toBe('one\n2\n')
      expect(await box.run(['undo'])).toMatchObject({ code: 0 })
      expect(box.read('a.txt')).toBe('one\ntwo\n')
      expect(await box.run(['redo'])).toMatchObject({ code: 0 })
      expect(box.read('a.txt')).toBe('one\n2\n')
    },
  )

  verifies(
    ['CONTRACT §9 publish --only', 'CONTRACT §9 draft discard', 'CONTRACT §9 draft option'],
    'are published in part, chosen by id, and discarded',
    async () => {
      const box = sandbox({ 'a.txt': 'one\ntwo\nthree\n' })
      const edits = [
        { search: 'one', replace: '1' },
        { search: 'three', replace: '3' },
      ]
      const { draftId } = await call(box, 'edit_text_file', { path: 'a.txt', edits })
      const { changes } = JSON.parse((await box.run(['review', '--json'])).stdout)
      const last = changes.at(-1).id
      const chosen = ['--draft', String(draftId), '-C', '.']
      expect(await box.run(['publish', '--yes', '--only', last, ...chosen])).toMatchObject({
        code: 0,
      })
      expect(box.read('a.txt')).toBe('one\ntwo\n3\n')

      // the change that was not published is still in the same draft
      const { draftId: next } = await call(box, 'write_text_file', { path: 'b.txt', content: 'b' })
      expect(next).toBe(draftId)
      expect(await box.run(['draft', 'discard'])).toMatchObject({ code: 0 })
      expect(filesOf(box)).toEqual(['a.txt'])
    },
  )

  verifies(
    'CONTRACT §9 draft resolve',
    'that meet what somebody else saved are decided by a person',
    async () => {
      for (const [side, expected] of [
        ['--ours', 'one\nTWO\nthree\n4\n'],
        ['--theirs', 'one\nzwei\nthree\n4\n'],
      ] as const) {
        const box = sandbox({ 'a.txt': 'one\ntwo\nthree\nfour\n' })
        const edits = [
          { search: 'two', replace: 'TWO' },
          { search: 'four', replace: '4' },
        ]
        await call(box, 'edit_text_file', { path: 'a.txt', edits })
        box.write('a.txt', 'one\nzwei\nthree\nfour\n')
        expect(await box.run(['publish', '--yes'])).toMatchObject({ code: 4 })
        const review = await box.run(['review'])
        const id = /In conflict: (chg_\w+)/.exec(review.stderr)?.[1] ?? ''
        expect(await box.run(['draft', 'resolve', id])).toMatchObject({ code: 2 })
        expect(await box.run(['draft', 'resolve', id, side])).toMatchObject({ code: 0 })
        expect(await box.run(['publish', '--yes'])).toMatchObject({ code: 0 })
        expect(box.read('a.txt')).toBe(expected)
      }
    },
  )
})

describe('the gate', () => {
  verifies(
    ['CONTRACT §9 approvals list', 'CONTRACT §9 approvals approve', 'CONTRACT §9 approvals deny'],
    'is answered from another process',
    async () => {
      const box = sandbox()
      const create = (path: string) =>
        call(box, 'workspace_create_file', { path, content: `${path}\n` })
      const { approvalId: yes } = await create('yes.txt')
      const { approvalId: no } = await create('no.txt')
      const listed = await box.run(['approvals', 'list'])
      expect(listed.stdout).toContain(`${yes}  open  workspace_create_file  Create yes.txt`)
      expect(await box.run(['approvals', 'approve', String(yes)])).toMatchObject({
        code: 0,
        stdout: 'File created.\n',
      })
      expect(await box.run(['approvals', 'deny', String(no), '--reason', 'Not now'])).toMatchObject(
        {
          code: 0,
        },
      )
      expect(filesOf(box)).toEqual(['yes.txt'])
      expect((await box.run(['approvals', 'list'])).stdout).toBe('')
    },
  )

  verifies('CONTRACT §9 rules', 'follows rules, which are shown and taken back', async () => {
    const box = sandbox()
    const added = await box.run(['rules', 'add', '--effect', 'write', '--path', 'notes/**'])
    const [id = ''] = added.stdout.split('  ')
    expect((await box.run(['rules'])).stdout).toBe(`${id}  write  every tool on notes/**\n`)
    const create = (content: string) =>
      call(box, 'workspace_create_file', { path: 'notes/a.md', content, overwrite: true })
    expect(await create('one\n')).toMatchObject({ code: 0, success: true })
    expect(await box.run(['rules', 'remove', id])).toMatchObject({ code: 0 })
    expect((await box.run(['rules'])).stdout).toBe('')
    expect(await create('two\n')).toMatchObject({ code: 9, pending: true })
  })
})

verifies(
  'CONTRACT §4 workshop by default',
  'a model is offered the workshop toolset unless another is chosen',
  async () => {
    const box = sandbox({ 'a.txt': 'a\n' })
    const offered = async (...args: string[]) => {
      const { stdout } = await box.run(['run', 'Show me', '--output', 'json', ...args])
      const rows = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      return rows.find(({ row }) => row?.type === 'run-start').row.body
    }
    expect(await offered()).toMatchObject({
      toolset: 'workshop',
      reads: expect.arrayContaining(['read_file']),
    })
    expect(await offered('--toolset', 'workspace')).toMatchObject({ toolset: 'workspace' })
  },
)

describe('what is left behind', () => {
  verifies(
    ['CONTRACT §9 log', 'CONTRACT §9 log --jsonl'],
    'the log shows what happened, also as lines of JSON',
    async () => {
      const box = sandbox({ 'a.txt': 'a\n' })
      await call(box, 'read_file', { path: 'a.txt' })
      expect((await box.run(['log'])).stdout).toMatch(/call-start {2}read_file \{"path":"a.txt"\}/)
      const lines = (await box.run(['log', '--jsonl'])).stdout.trim().split('\n')
      const rows = lines.map(line => JSON.parse(line))
      expect(rows.at(-1)).toMatchObject({
        type: 'tool_result',
        content: expect.stringContaining('1|a'),
      })
    },
  )
  test('the log counts all lines that were read, although it keeps only the first', async () => {
    const box = sandbox({ 'long.txt': 'a line of some length\n'.repeat(200) })
    await call(box, 'workspace_read_file', { path: 'long.txt' })
    expect((await box.run(['log'])).stdout).toContain('lines 1-200 of 200')
  })

  verifies(
    ['CONTRACT §9 state folder', 'CONTRACT §9 nothing in the workspace'],
    'all of it in the state folder, and nothing in the workspace',
    async () => {
      const box = sandbox({ 'a.txt': 'a\n' })
      await call(box, 'write_text_file', { path: 'b.txt', content: 'b\n' })
      await call(box, 'workspace_create_file', { path: 'c.txt', content: 'c\n' }, '--yes')
      expect(filesOf(box)).toEqual(['a.txt', 'c.txt'])
      expect(JSON.stringify((await box.run(['draft', 'list'])).stdout)).toContain('b.txt')
    },
  )

  verifies(
    'CONTRACT §9 doctor',
    'the doctor describes the machine, and nothing of the files or the token',
    async () => {
      const box = sandbox({ 'secret-plan.txt': 'a\n' })
      await call(box, 'read_file', { path: 'secret-plan.txt' })
      await box.run(['config', 'set', 'api-key', 'a-key'])
      const { stdout } = await box.run(['doctor'])
      expect(stdout).toContain(manifest.version)
      expect(stdout).toMatch(/^keys +of the base URL$/m)
      expect(stdout).not.toContain('a-key')
      expect(stdout).not.toContain('secret-plan')
      expect(stdout).not.toContain(readFileSync(join(box.state, 'token'), 'utf8').trim())
    },
  )

  test('the doctor says how files are replaced on the disk of a folder, and leaves nothing there', async () => {
    const box = sandbox({ 'a.txt': 'a\n' })
    const told = async (env?: Record<string, string>) =>
      (await box.run(['doctor', '-C', '.'], { env })).stdout
    expect(await told()).toMatch(/^ {2}replacing +by an atomic exchange, so that a name is never/m)
    const off = await told({ FILEWRIGHT_EXCHANGE: 'off' })
    expect(off).toMatch(/^ {2}replacing +by moving the old file away .*ENOSYS$/m)
    expect(readdirSync(box.dir)).toEqual(['a.txt'])
  })

  verifies(
    ['CONTRACT §9 no colour without a terminal', 'CONTRACT §9 stderr the rest'],
    'no colour, and every remark on stderr',
    async () => {
      const box = sandbox({ 'a.txt': 'a\n' })
      for (const args of [['draft', 'list'], ['approvals', 'list'], ['rules'], ['--help']]) {
        const { stdout, stderr } = await box.run(args)
        expect(stdout + stderr).not.toContain('\u001b[')
      }
      expect(await box.run(['rules'])).toMatchObject({
        stdout: '',
        stderr: expect.stringContaining('There are no rules'),
      })
    },
  )

  verifies('CONTRACT §2 active by cli', 'files are made active and inactive again', async () => {
    const box = sandbox({ 'src/A.cs': 'class A {}\n' })
    expect(await box.run(['active', 'add', 'src/A.cs'])).toMatchObject({ code: 0 })
    expect((await box.run(['active'])).stdout).toContain('src/A.cs')
    expect(await box.run(['active', 'remove', 'src/A.cs'])).toMatchObject({ code: 0 })
    expect((await box.run(['active'])).stdout).not.toContain('src/A.cs')
  })
})

type Answer = { code: number | null } & Record<string, unknown>

/** One tool call as a script makes it: how it ended, and its envelope. */
async function call(
  box: Sandbox,
  tool: string,
  input: unknown,
  ...flags: string[]
): Promise<Answer> {
  const { code, result } = await box.call(tool, input, flags)
  return { code, ...result }
}

function filesOf({ dir }: Sandbox): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()
}

function counting(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
