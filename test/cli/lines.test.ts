import { request } from 'node:http'
import { readConfig } from '@filewright/host'
import { describe, expect, test } from 'vitest'
import { sandbox } from '../cli.ts'

describe('call --lines', () => {
  test('lines sent all at once are done in order and answered in order', async () => {
    const box = sandbox({ 'a.txt': 'start\n' })
    const lines: object[] = []
    for (let i = 0; i < 40; i++) {
      lines.push({
        tool: 'edit_text_file',
        arguments: {
          path: 'a.txt',
          edits: [{ search: i === 0 ? 'start' : `step ${i - 1}`, replace: `step ${i}` }],
        },
        id: `e${i}`,
      })
      if (i % 10 === 0) lines.push({ tool: 'read_file', arguments: { path: 'a.txt' }, id: `r${i}` })
    }
    const { code, stdout } = await box.run(['call', '--lines'], {
      input: lines.map(line => `${JSON.stringify(line)}\n`).join(''),
    })
    expect(code).toBe(0)
    const answers = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(answers.map(({ id }) => id)).toEqual(lines.map(line => (line as { id: string }).id))
    expect(answers.every(({ result }) => result.success)).toBe(true)
    for (const { id, result } of answers)
      if (id.startsWith('r')) expect(result.content).toBe(`step ${id.slice(1)}\n`)
    const { stdout: log } = await box.run(['log'])
    expect(log).toContain('a.txt')
  })

  test('a line that waits says how to approve it from any folder, and approving all shows which', async () => {
    const box = sandbox()
    const create = (path: string) => ({
      tool: 'workspace_create_file',
      arguments: { path, content: 'x' },
    })
    const input = [create('a.txt'), create('b.txt')].map(line => `${JSON.stringify(line)}\n`)
    const { stdout } = await box.run(['call', '--lines'], { input: input.join('') })
    for (const line of stdout.trim().split('\n'))
      expect(JSON.parse(line).result.message).toMatch(/approve apr_\w+ -C \S/)
    const approved = await box.run(['approvals', 'approve', 'all'])
    expect(approved.stdout).toBe('Create a.txt: File created.\nCreate b.txt: File created.\n')
  })

  test('long and short answers are whole and in order for a reader that is slow', async () => {
    const long = 'a "quoted" line, \u{1f600}\tand a tab\r\n'.repeat(40_000)
    const box = sandbox({ 'long.txt': long, 'short.txt': 'short\n' })
    const child = box.start(['call', '--lines'])
    const paths = ['long', 'short', 'long', 'short', 'short', 'long'].map(name => `${name}.txt`)
    child.stdin!.end(
      paths
        .map(path => `${JSON.stringify({ tool: 'workspace_read_file', arguments: { path } })}\n`)
        .join(''),
    )
    let text = ''
    child.stdout!.setEncoding('utf8')
    for await (const chunk of child.stdout!) {
      text += chunk
      await new Promise(resolve => setTimeout(resolve, text.length < 1_000_000 ? 20 : 0))
    }
    const contents = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).result.file.content)
    const isSame = contents.map(
      (content, i) => content === (paths[i] === 'long.txt' ? long : 'short\n'),
    )
    expect(isSame).toEqual(paths.map(() => true))
  })

  test('a tool named in addition is refused, and nothing is run', async () => {
    const box = sandbox({ 'a.txt': 'x\n' })
    expect(await box.run(['call', '--lines', 'read_file', '{"path":"a.txt"}'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('filewright call TOOL JSON'),
    })
  })
})

test('a state folder that cannot be created is reported in one sentence', async () => {
  const box = sandbox({ 'a.txt': 'x\n' })
  const { code, stdout, stderr } = await box.run(['call', 'list_files', '{}'], {
    env: { FILEWRIGHT_STATE: '/proc/x/y' },
  })
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
  expect(stderr).toContain('Cannot keep state in "/proc/x/y"')
})

test('a body that is not JSON is refused on the local socket', async () => {
  const box = sandbox({ 'a.txt': 'x\n' })
  const owner = box.start(['call', '--lines'])
  const answered = new Promise(resolve => owner.stdout!.once('data', resolve))
  owner.stdin!.write('{"tool":"list_files"}\n')
  await answered
  const { socketPath } = readConfig({ FILEWRIGHT_STATE: box.state })
  for (const body of ['{"dir":', '[]', '7'])
    expect(await post(socketPath, box.read('../state/token').trim(), body)).toMatchObject({
      status: 400,
      answer: { errorCode: 'INVALID_ARGUMENT', kind: 'invalid' },
    })
  owner.kill()
})

function post(socketPath: string, token: string, body: string) {
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        socketPath,
        path: '/api/local/workspaces',
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', chunk => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode, answer: JSON.parse(text) }))
      },
    )
    asking.on('error', reject)
    asking.end(body)
  })
}
