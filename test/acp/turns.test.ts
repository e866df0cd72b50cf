import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { finished, sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { PATIENCE } from '../patience.ts'
import { untilSays } from '../until-says.ts'
import { verifies } from '../verifies.ts'
import { type FakeEditorOptions, fakeEditor } from './fake-editor.ts'

const EDIT: FakeStep = {
  text: 'I put it in.',
  calls: [
    {
      name: 'edit_text_file',
      arguments: { path: 'notes.txt', edits: [{ search: 'two', replace: '2' }] },
    },
  ],
}
const READ: FakeStep = {
  text: 'I look.',
  calls: [{ name: 'read_file', arguments: { path: 'notes.txt', line_start: 2 } }],
}
const DONE: FakeStep = { text: 'Done.' }
const NOTES = 'one\ntwo\nthree\n'

async function begun(steps: readonly FakeStep[], options: FakeEditorOptions = {}) {
  const box = sandbox({ 'notes.txt': NOTES })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake', ...options.env }
  const editor = await fakeEditor(box, { ...options, env })
  const { sessionId } = await editor.begin()
  return { box, model, env, editor, sessionId }
}

const callsIn = (updates: readonly SessionUpdate[]) =>
  updates.filter(
    update => update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update',
  )

verifies(
  'CONTRACT §9 acp',
  'a message is answered: text and calls as they come, the diff of an edit, and the draft is published after a yes',
  async () => {
    const { box, editor, sessionId } = await begun([READ, EDIT, DONE])
    expect(await editor.prompt(sessionId, 'Change the notes.')).toBe('end_turn')
    expect(box.read('notes.txt')).toBe('one\n2\nthree\n')
    expect(editor.said()).toMatch(/I look\.[\s\S]*I put it in\.[\s\S]*Done\.[\s\S]*notes\.txt/)
    const path = `${box.dir}/notes.txt`
    expect(callsIn(editor.updates)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          sessionUpdate: 'tool_call',
          kind: 'read',
          name: 'read_file',
          status: 'in_progress',
          locations: [{ path, line: 2 }],
        }),
        expect.objectContaining({
          sessionUpdate: 'tool_call',
          kind: 'edit',
          name: 'edit_text_file',
        }),
        expect.objectContaining({
          sessionUpdate: 'tool_call_update',
          status: 'completed',
          content: [{ type: 'diff', path, oldText: NOTES, newText: 'one\n2\nthree\n' }],
        }),
      ]),
    )
    expect(editor.permissions.map(({ options }) => options.map(({ kind }) => kind))).toEqual([
      ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
    ])
    expect(editor.updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'usage_update', used: 1100 }),
    )
    expect(editor.updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'available_commands_update' }),
    )
  },
)

test('thoughts and text come as they are made, each once', async () => {
  const { editor, sessionId } = await begun([
    { thoughts: 'First I think.', text: 'Then I say it.', pieces: 3 },
  ])
  await editor.prompt(sessionId, 'Hello.')
  const chunks = editor.updates.flatMap(update =>
    (update.sessionUpdate === 'agent_thought_chunk' ||
      update.sessionUpdate === 'agent_message_chunk') &&
    update.content.type === 'text'
      ? [[update.sessionUpdate, update.content.text]]
      : [],
  )
  const [thoughts, said] = ['agent_thought_chunk', 'agent_message_chunk'].map(kind =>
    chunks.filter(([each]) => each === kind).map(([, text]) => text),
  )
  expect(thoughts).toEqual(['First ', 'I ', 'think.'])
  expect(said!.length).toBeGreaterThan(2)
  expect(said!.join('')).toMatch(/^Then I say it\.\n\nNo file was changed/)
  expect(chunks[0]![0]).toBe('agent_thought_chunk')
})

test('a draft that nobody publishes waits for /publish, /discard or /undo', async () => {
  const answers = ['reject_once', 'allow_once']
  const { box, editor, sessionId } = await begun([EDIT, DONE], { choose: () => answers.shift()! })
  await editor.prompt(sessionId, 'Change the notes.')
  expect(box.read('notes.txt')).toBe(NOTES)
  expect(await editor.prompt(sessionId, '/review')).toBe('end_turn')
  expect(box.read('notes.txt')).toBe(NOTES)
  await editor.prompt(sessionId, '/publish')
  expect(box.read('notes.txt')).toBe('one\n2\nthree\n')
  await editor.prompt(sessionId, '/undo')
  expect(box.read('notes.txt')).toBe(NOTES)
  expect(editor.said()).toContain('Taken back: notes.txt.')
})

const PATCH: FakeStep = {
  text: '',
  calls: [
    {
      name: 'workspace_create_file',
      arguments: { path: 'made.txt', content: 'made\n' },
    },
  ],
}

test.each([
  ['allow_once', true, 0],
  ['allow_always', true, 1],
  ['reject_once', false, 0],
  ['reject_always', false, 1],
])('in the workspace mode a change is asked for: %s', async (kind, isWritten, rules) => {
  const { box, editor, sessionId, model } = await begun([PATCH, DONE], { choose: () => kind })
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'workspace' })
  expect(await editor.prompt(sessionId, 'Make it.')).toBe('end_turn')
  expect(box.exists('made.txt')).toBe(isWritten)
  expect(editor.permissions).toHaveLength(1)
  expect(editor.permissions[0]!.toolCall.content).toContainEqual({
    type: 'diff',
    path: `${box.dir}/made.txt`,
    oldText: null,
    newText: 'made\n',
  })
  expect(model.requests.at(-1)!.messages.at(-1)!.content).toMatch(
    isWritten ? /made\.txt/ : /denied/i,
  )
  const listed = JSON.parse((await box.run(['rules', 'list', '--json'])).stdout)
  expect(listed).toHaveLength(rules)
})

test('a cancelled prompt ends as cancelled, in the middle of an answer and of a question', async () => {
  let editor: Awaited<ReturnType<typeof fakeEditor>>
  const started = await begun([PATCH, DONE], {
    async choose({ sessionId }) {
      await editor.agent.notify('session/cancel', { sessionId })
      return 'cancelled'
    },
  })
  const { box, model, sessionId } = started
  editor = started.editor
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'workspace' })
  expect(await editor.prompt(sessionId, 'Make it.')).toBe('cancelled')
  expect(box.exists('made.txt')).toBe(false)
  model.onRequest = async () => {
    await editor.agent.notify('session/cancel', { sessionId })
    return false
  }
  expect(await editor.prompt(sessionId, 'Try again.')).toBe('cancelled')
})

test('a plan comes with its steps, and a failed one says why', async () => {
  const steps = [
    { step: 'Read it', status: 'done' },
    { step: 'Change it', status: 'doing' },
    { step: 'Send it', status: 'failed', reason: 'no mail here' },
  ]
  const plan = { text: '', calls: [{ name: 'update_plan', arguments: { steps } }] }
  const { editor, sessionId } = await begun([plan, DONE])
  await editor.prompt(sessionId, 'Plan it.')
  expect(editor.updates).toContainEqual({
    sessionUpdate: 'plan',
    entries: [
      { content: 'Read it', priority: 'medium', status: 'completed' },
      { content: 'Change it', priority: 'medium', status: 'in_progress' },
      {
        content: 'Send it (failed: no mail here)',
        priority: 'medium',
        status: 'completed',
      },
    ],
  })
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const LOOK: ContentBlock[] = [
  { type: 'text', text: 'What is ' },
  { type: 'image', mimeType: 'image/png', data: PIXEL },
]

test('a picture in a message reaches a model that sees', async () => {
  const { editor, sessionId, model } = await begun([DONE])
  model.sees = true
  expect(await editor.prompt(sessionId, LOOK)).toBe('end_turn')
  const message = model.requests[0]!.messages.findLast(({ role }) => role === 'user')
  expect(message!.content).toEqual([
    { type: 'text', text: 'What is [picture 1]' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
  ])
})

test('for a model without eyes the person is told, in an editor with notices and in one without', async () => {
  const plain = await begun([DONE])
  await plain.editor.prompt(plain.sessionId, LOOK)
  expect(plain.editor.said()).toContain('The picture of your message was not sent')
  expect(JSON.stringify(plain.model.requests)).not.toContain(PIXEL)

  const { editor, sessionId } = await begun([DONE], { capabilities: { session: { notices: {} } } })
  await editor.prompt(sessionId, LOOK)
  expect(editor.said()).not.toContain('was not sent')
  expect(editor.updates).toContainEqual(
    expect.objectContaining({
      sessionUpdate: 'notice',
      title: expect.stringContaining('was not sent'),
    }),
  )
})

test('a picture that no model takes is refused with the reason, and the next message is answered', async () => {
  const { editor, sessionId, model } = await begun([DONE])
  const image = (mimeType: string, data: string) =>
    editor.prompt(sessionId, [{ type: 'image', mimeType, data }])
  const tooLong = Buffer.alloc((4 << 20) + 1).toString('base64')
  await expect(image('image/png', tooLong)).rejects.toThrow('4194305 bytes')
  await expect(image('image/heic', PIXEL)).rejects.toThrow('image/heic')
  await expect(image('image/gif', PIXEL)).rejects.toThrow('it is image/png')
  await expect(image('image/png', 'no picture')).rejects.toThrow('of no PNG')
  const many = Array.from({ length: 9 }, () => LOOK[1]!)
  await expect(editor.prompt(sessionId, many)).rejects.toThrow('9 pictures')
  expect(model.requests).toEqual([])
  expect(await editor.prompt(sessionId, 'Hello.')).toBe('end_turn')
})

const ASK: FakeStep = {
  text: '',
  calls: [{ name: 'ask_person', arguments: { question: 'Which one?', choices: ['red', 'blue'] } }],
}

test('a question of the model is a form, and the next message where there are no forms', async () => {
  const form = await begun([ASK, DONE], {
    capabilities: { elicitation: { form: {} } },
    fill: () => ({ choice: 'blue' }),
  })
  expect(await form.editor.prompt(form.sessionId, 'Paint it.')).toBe('end_turn')
  expect(form.model.requests.at(-1)!.messages.at(-1)!.content).toContain('blue')

  const plain = await begun([ASK, DONE])
  expect(await plain.editor.prompt(plain.sessionId, 'Paint it.')).toBe('end_turn')
  expect(plain.editor.said()).toContain('1. red\n2. blue')
  expect(await plain.editor.prompt(plain.sessionId, '1')).toBe('end_turn')
  expect(plain.model.requests.at(-1)!.messages.at(-1)!.content).toContain('red')
})

test('what is no message gets an error, and the process ends with its editor', async () => {
  const { editor, sessionId } = await begun([DONE])
  expect(await editor.raw('{"jsonrpc": nonsense')).toMatchObject({ error: { code: -32700 } })
  expect(await editor.raw('[]')).toMatchObject({ error: { code: -32600 } })
  const long = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { x: 'x'.repeat(41 << 20) } })
  expect(await editor.raw(long)).toMatchObject({ error: { code: -32600 } })
  await expect(
    editor.agent.request('session/prompt', { sessionId: 'ses_none', prompt: [] }),
  ).rejects.toMatchObject({ code: -32002 })
  await expect(
    editor.agent.request('session/set_mode', { sessionId, modeId: 'none' }),
  ).rejects.toMatchObject({ code: -32602 })
  await expect(
    editor.agent.request('session/new', { cwd: 'not/absolute', mcpServers: [] }),
  ).rejects.toMatchObject({ code: -32602 })
  expect((await finished(editor.child)).code).toBe(0)
})

test('it ends when its editor is killed', async () => {
  // The other end of its pipe stays open here: only the missing parent tells that the editor is gone.
  const { bin, dir, state } = sandbox()
  const script = `
    const { spawn } = require('node:child_process')
    const holder = spawn('sleep', ['60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const agent = spawn(process.execPath, [process.argv[1], 'acp'], { stdio: [holder.stdout, 'ignore', 'ignore'] })
    console.log(agent.pid)
    setInterval(() => {}, 1000)`
  const env = { PATH: process.env.PATH, FILEWRIGHT_STATE: state, HOME: dir }
  const host = spawn(process.execPath, ['-e', script, bin], { cwd: dir, env })
  const pid = Number(await untilSays(host, /^\d+/))
  await expect.poll(() => existsSync(join(state, 'owner.sock')), PATIENCE).toBe(true)
  host.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), PATIENCE).toBe(false)
})

test('other commands do not load the library', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const env = { NODE_DEBUG: 'module' }
  const { code, stderr } = await box.run(['call', 'read_file', '{"path":"a.txt"}'], { env })
  expect(code).toBe(0)
  expect(stderr).not.toContain('acp-sdk')
  expect((await box.run(['acp'], { env, input: '' })).stderr).toContain('acp-sdk')
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
