import type { ContentBlock } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { type FakeEditorOptions, fakeEditor } from './fake-editor.ts'

const DONE: FakeStep = { text: 'Done.' }
const EDIT: FakeStep = {
  text: '',
  calls: [
    {
      name: 'edit_text_file',
      arguments: { path: 'a.txt', edits: [{ search: 'a', replace: 'b' }] },
    },
  ],
}
const SESSIONS = process.env.FILEWRIGHT_FULL === '1' ? 1_000 : 100

async function prepare(steps: readonly FakeStep[] = [DONE], options: FakeEditorOptions = {}) {
  const box = sandbox({ 'a.txt': 'a\n' })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const editor = await fakeEditor(box, { ...options, env })
  const { sessionId } = await editor.begin()
  const path = `${box.dir}/a.txt`
  const heard = () => JSON.stringify(model.requests)
  return { box, model, editor, sessionId, path, heard }
}

test('messages of every wrong shape are refused, and the next one is answered', async () => {
  const { editor, sessionId, box } = await prepare()
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const wrong: [method: string, params: unknown][] = [
    ['__proto__', {}],
    ['constructor', {}],
    ['session/sing', {}],
    ['session/new', null],
    ['session/new', []],
    ['session/new', { cwd: 5, mcpServers: [] }],
    ['session/new', { cwd: box.dir, mcpServers: 'all' }],
    ['session/new', { cwd: `${box.dir}\0/x`, mcpServers: [] }],
    ['session/new', { cwd: `${box.dir}/a.txt`, mcpServers: [] }],
    ['session/new', { cwd: `${box.dir}/none`, mcpServers: [] }],
    ['session/load', { sessionId: '__proto__', cwd: box.dir, mcpServers: [] }],
    ['session/load', { sessionId: '../../x', cwd: box.dir, mcpServers: [] }],
    ['session/prompt', { sessionId, prompt: 'words' }],
    ['session/prompt', { sessionId, prompt: [] }],
    ['session/prompt', { sessionId, prompt: [{ type: 'text', text: 5 }] }],
    ['session/prompt', { sessionId, prompt: [{ type: 'image', mimeType: 'image/png' }] }],
    ['session/prompt', { sessionId: { $ne: null }, prompt: [] }],
    ['session/set_mode', { sessionId, modeId: '__proto__' }],
    ['session/set_config_option', { sessionId, configId: '__proto__', value: 'x' }],
    ['session/set_config_option', { sessionId, configId: 'mode', value: { x: 1 } }],
  ]
  for (const [at, [method, params]] of wrong.entries()) {
    const line = JSON.stringify({ jsonrpc: '2.0', id: `wrong-${at}`, method, params })
    const answer = await editor.raw(line)
    expect(answer, line.slice(0, 200)).toMatchObject({ id: `wrong-${at}`, error: {} })
    expect(JSON.stringify(answer), line).not.toContain('node_modules')
  }
  const answer = await editor.raw(
    `{"jsonrpc":"2.0","id":"deep","method":"session/prompt","params":{"x":${deep}}}`,
  )
  expect(answer).toMatchObject({ error: {} })
  expect(await editor.prompt(sessionId, 'Hello.')).toBe('end_turn')
})

test('files outside of the folder are words of the person, and none is read', async () => {
  const { editor, sessionId, box, heard } = await prepare()
  const uris = [
    'file:///etc/passwd',
    `file://${box.dir}/../../../../../../../../etc/passwd`,
    `file://${box.dir}/%2e%2e/%2e%2e/etc/passwd`,
    '/etc/passwd',
    `${box.dir}/../outside.txt`,
    'file://elsewhere/share/x',
    `file://${box.dir}/%00`,
  ]
  const links: ContentBlock[] = uris.map(uri => ({ type: 'resource_link', uri, name: 'x' }))
  const given: ContentBlock[] = uris.map(uri => {
    return { type: 'resource', resource: { uri, text: 'typed' } }
  })
  expect(await editor.prompt(sessionId, [...links, ...given])).toBe('end_turn')
  expect(heard()).not.toContain('root:')
  expect(heard()).toContain('typed')
})

test(`${SESSIONS} sessions at once are begun, and those without a message are not kept`, async () => {
  const { editor, sessionId } = await prepare()
  const begun = await Promise.all(Array.from({ length: SESSIONS }, () => editor.begin()))
  expect(new Set(begun.map(each => each.sessionId)).size).toBe(SESSIONS)
  expect(await editor.prompt(sessionId, 'Hello.')).toBe('end_turn')
  expect((await editor.agent.request('session/list', {})).sessions).toHaveLength(1)
})

test.each([
  ['no text', () => ({ content: 5 })],
  ['nothing', () => null],
])('an editor that gives %s for a file has none of it', async (_, give) => {
  const { editor, sessionId, path, box } = await prepare([EDIT, DONE], {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    read: give,
  })
  const link: ContentBlock = { type: 'resource_link', uri: path, name: 'a' }
  expect(await editor.prompt(sessionId, [link])).toBe('end_turn')
  expect(box.read('a.txt')).toBe('b\n')
})

test('an editor that never gives a file is not waited for, and a cancel ends it at once', async () => {
  const { editor, sessionId, path, model } = await prepare([DONE], {
    capabilities: { fs: { readTextFile: true } },
    read: () => new Promise(() => {}),
  })
  const link: ContentBlock = { type: 'resource_link', uri: path, name: 'a' }
  const asked = editor.prompt(sessionId, [link])
  await expect.poll(() => editor.reads).toEqual([path])
  await editor.agent.notify('session/cancel', { sessionId })
  expect(await asked).toBe('cancelled')
  expect(model.requests).toEqual([])
  expect(await editor.prompt(sessionId, [link])).toBe('end_turn')
})

test.each([
  ['another option', { outcome: { outcome: 'selected', optionId: 'allow_everything' } }],
  ['no option', { outcome: { outcome: 'selected' } }],
  ['no outcome', {}],
  ['nothing', null],
])('a permission that is answered with %s is no yes', async (_, answer) => {
  const { editor, sessionId, box } = await prepare([EDIT, DONE], { permit: () => answer })
  expect(await editor.prompt(sessionId, 'Change it.')).toBe('end_turn')
  expect(editor.permissions).toHaveLength(1)
  expect(box.read('a.txt')).toBe('a\n')
  expect(await editor.prompt(sessionId, '/discard')).toBe('end_turn')
})
