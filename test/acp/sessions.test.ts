import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { type FakeEditorOptions, fakeEditor } from './fake-editor.ts'

const READ: FakeStep = {
  text: 'I look.',
  calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }],
}
const DONE: FakeStep = { text: 'Done.' }

async function started(steps: readonly FakeStep[], files: Record<string, string> = {}) {
  const box = sandbox({ 'notes.txt': 'one\ntwo\n', ...files })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  return {
    box,
    model,
    open: (options: FakeEditorOptions = {}) => fakeEditor(box, { ...options, env }),
  }
}

test('a session is loaded with what was said, resumed without, listed, and deleted', async () => {
  const { box, model, open } = await started([READ, DONE, DONE, DONE])
  const first = await open()
  const { sessionId } = await first.begin()
  await first.begin() // nothing is ever said in it
  await first.prompt(sessionId, 'Look at it.')
  first.child.stdin!.end()
  await new Promise(resolve => first.child.once('exit', resolve))

  const second = await open()
  const { sessions } = await second.agent.request('session/list', { cwd: box.dir })
  expect(sessions).toMatchObject([{ sessionId, cwd: box.dir, title: 'Look at it.' }])
  expect((await second.agent.request('session/list', { cwd: '/nowhere' })).sessions).toEqual([])
  const given = { sessionId, cwd: box.dir, mcpServers: [] }
  const loaded = await second.agent.request('session/load', given)
  expect(loaded).toMatchObject({ modes: { currentModeId: 'workshop' } })
  const kinds = second.updates.map(({ sessionUpdate }) => sessionUpdate)
  expect(kinds.slice(0, 2)).toEqual(['user_message_chunk', 'agent_message_chunk'])
  expect(kinds).toContain('tool_call')
  expect(second.said()).toMatch(/I look\.[\s\S]*Done\./)
  await second.prompt(sessionId, 'And again.')
  const heard = model.requests.at(-1)!.messages.map(({ content }) => content)
  expect(heard.join('\n')).toMatch(/Look at it\.[\s\S]*And again\./)

  await second.agent.request('session/close', { sessionId })
  await expect(second.prompt(sessionId, 'Closed.')).rejects.toMatchObject({ code: -32002 })
  const before = second.updates.length
  await second.agent.request('session/resume', given)
  await second.prompt(sessionId, 'Once more.')
  const later = second.updates.slice(before).map(({ sessionUpdate }) => sessionUpdate)
  expect(later).not.toContain('user_message_chunk')
  await second.agent.request('session/delete', { sessionId })
  expect((await second.agent.request('session/list', {})).sessions).toEqual([])
})

test('a person chooses mode, model and effort, and only what there is', async () => {
  const { open } = await started([DONE])
  const editor = await open()
  const { sessionId, configOptions } = await editor.begin()
  expect(configOptions?.map(({ id }) => id)).toEqual(['mode', 'model', 'effort'])
  const set = (configId: string, value: string) =>
    editor.agent.request('session/set_config_option', { sessionId, configId, value })
  const chosen = (await set('mode', 'plan')).configOptions
  expect(chosen[0]).toMatchObject({ id: 'mode', currentValue: 'plan' })
  expect(editor.updates).toContainEqual({
    sessionUpdate: 'current_mode_update',
    currentModeId: 'plan',
  })
  await expect(set('mode', 'none')).rejects.toMatchObject({ code: -32602 })
  await expect(set('colour', 'red')).rejects.toMatchObject({ code: -32602 })
})

test('a session has one folder: others are refused with the reason', async () => {
  const { box, open } = await started([DONE])
  const editor = await open()
  const begin = (additionalDirectories: string[]) =>
    editor.agent.request('session/new', { cwd: box.dir, mcpServers: [], additionalDirectories })
  await expect(begin(['/usr'])).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('/usr'),
  })
  expect((await begin([`${box.dir}/below`])).sessionId).toBeTruthy()
})

test('after a logout nothing works until the editor authenticates', async () => {
  const { open } = await started([DONE])
  const editor = await open()
  await editor.begin()
  await editor.agent.request('logout', {})
  await expect(editor.begin()).rejects.toMatchObject({ code: -32000 })
  await editor.agent.request('authenticate', { methodId: 'settings' })
  expect((await editor.begin()).sessionId).toBeTruthy()
})

test('a file that tells agents how to work is followed after a yes', async () => {
  const { model, open } = await started([DONE, DONE], { 'AGENTS.md': 'Speak like a pirate.\n' })
  const editor = await open()
  const { sessionId } = await editor.begin()
  await editor.prompt(sessionId, 'Hello.')
  expect(editor.permissions.map(({ toolCall }) => toolCall.title)).toEqual([
    'Follow AGENTS.md, which tells agents how to work here',
  ])
  const heard = model.requests.at(-1)!.messages.map(({ content }) => content)
  expect(heard.join('\n')).toContain('Speak like a pirate.')
})
