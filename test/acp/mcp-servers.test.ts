import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { McpServer } from '@agentclientprotocol/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { noteStep, SERVER } from '../mcp/outside/box.ts'
import { verifies } from '../verifies.ts'
import { type FakeEditorOptions, fakeEditor } from './fake-editor.ts'

const DONE = { text: 'Done.' }
const note = (text: string) => noteStep(text, 'My-notes__note')

verifies(
  'CONTRACT §9 mcp add',
  'the servers of an editor are used in its sessions alone: each call is a permission, and "always" is a rule',
  async () => {
    const { box, editor, begin, calls, run, model } = await prepare([
      ...[note('one'), note('two'), DONE],
      ...[note('three'), DONE],
      DONE,
    ])
    const { sessionId } = await begin()
    expect(await editor.prompt(sessionId, 'Take notes.')).toBe('end_turn')
    expect(calls()).toEqual(['one', 'two'])
    expect(editor.permissions).toHaveLength(1)
    expect(editor.permissions[0]).toMatchObject({
      toolCall: { title: expect.stringContaining('"note" of the MCP server "My-notes" with') },
      options: ['allow_once', 'allow_always', 'reject_once'].map(kind => ({ kind })),
    })
    expect(await editor.prompt(sessionId, 'One more.')).toBe('end_turn')
    expect(calls()).toEqual(['one', 'two', 'three'])
    expect(editor.permissions).toHaveLength(1)
    expect((await run(['rules'])).stdout).toContain('call  My-notes__note')

    await run(['run', 'Without an editor.', '--model', 'fake'])
    const names = model.requests.at(-1)!.tools!.map(tool => tool.function.name)
    expect(names.filter(name => name.includes('__'))).toEqual([])
    expect(existsSync(join(box.state, 'mcp.json'))).toBe(false)
  },
)

test('a no ends the call and not the run; the server that was given again with the session is used in another process', async () => {
  const steps = [note('one'), DONE, note('two'), DONE]
  const { box, editor, begin, calls, servers, env, model } = await prepare(steps, {
    choose: () => 'reject_once',
  })
  const { sessionId } = await begin()
  expect(await editor.prompt(sessionId, 'Take notes.')).toBe('end_turn')
  expect(calls()).toEqual([])
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('the person said no')
  editor.child.kill('SIGKILL')

  const other = await fakeEditor(box, { env, choose: () => 'allow_once' })
  await other.agent.request('session/load', { sessionId, cwd: box.dir, mcpServers: servers })
  expect(await other.prompt(sessionId, 'Again.')).toBe('end_turn')
  expect(calls()).toEqual(['two'])
})

test('a server over SSE, one without encryption and one with a password in its address are refused', async () => {
  const { box, editor } = await prepare([])
  const begin = (server: McpServer) =>
    editor.agent.request('session/new', { cwd: box.dir, mcpServers: [server] })
  const at = (type: 'http' | 'sse', url: string) => ({ type, name: 'x', url, headers: [] })
  await expect(begin(at('sse', 'https://mcp.example/'))).rejects.toThrow('is not offered')
  await expect(begin(at('http', 'http://mcp.example/'))).rejects.toThrow('not encrypted')
  await expect(begin(at('http', 'https://a:b@mcp.example/'))).rejects.toThrow('in a header')
})

async function prepare(
  steps: Parameters<typeof fakeModel>[0],
  options: FakeEditorOptions = { choose: () => 'allow_always' },
) {
  const box: Sandbox = sandbox({ 'a.txt': 'a\n' })
  const folder = mkdtempSync(join(tmpdir(), 'filewright-acp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const editor = await fakeEditor(box, { ...options, env })
  const servers: McpServer[] = [
    { name: 'My notes!', command: process.execPath, args: [SERVER, folder], env: [] },
  ]
  return {
    box,
    editor,
    model,
    env,
    servers,
    begin: () => editor.agent.request('session/new', { cwd: box.dir, mcpServers: servers }),
    run: (args: readonly string[]) => box.run(args, { env }),
    calls(): string[] {
      const file = join(folder, 'calls.log')
      if (!existsSync(file)) return []
      const lines = readFileSync(file, 'utf8').trim().split('\n')
      return lines.map(line => JSON.parse(line).given.text)
    },
  }
}
