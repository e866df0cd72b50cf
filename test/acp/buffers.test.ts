import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'
import { fakeEditor } from './fake-editor.ts'

const EDIT: FakeStep = {
  text: '',
  calls: [
    {
      name: 'edit_text_file',
      arguments: { path: 'notes.txt', edits: [{ search: 'three', replace: '3' }] },
    },
  ],
}
const DONE: FakeStep = { text: 'Done.' }
const LINES = ['one', 'two', 'three', 'four', 'five']
const NOTES = LINES.map(line => `${line}\r\n`).join('')
const lf = (text: string) => text.replaceAll('\r\n', '\n')

async function begun(steps: readonly FakeStep[]) {
  const box = sandbox({ 'notes.txt': NOTES })
  const model = await fakeModel(steps)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  const editor = await fakeEditor(box, {
    env,
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
  })
  editor.save = (_, content) => box.write('notes.txt', content)
  const { sessionId } = await editor.begin()
  const path = `${box.dir}/notes.txt`
  const attached = (words: string, text: string) => [
    { type: 'text' as const, text: `${words} ` },
    { type: 'resource' as const, resource: { uri: `file://${encodeURI(path)}`, text } },
  ]
  const context = () =>
    model.requests
      .at(-1)!
      .messages.map(({ content }) => content)
      .join('\n')
  const notices = () => editor.said()
  return { box, model, editor, sessionId, path, attached, context, notices }
}

verifies(
  'CONTRACT §2 active by editor',
  'a file that the editor attaches is active: with its unsaved text, until that is saved',
  async () => {
    const list = { text: '', calls: [{ name: 'workspace_list_active_files', arguments: {} }] }
    const { box, editor, sessionId, path, attached, context } = await begun([
      list,
      DONE,
      list,
      DONE,
    ])
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'workspace' })
    const typed = lf(NOTES).replace('five', 'FIVE')
    editor.buffers.set(path, typed)
    await editor.prompt(sessionId, attached('Read this.', typed))
    expect(context()).toContain('FIVE')
    expect(context()).toMatch(/"isDirty": ?true/)
    box.write('notes.txt', typed.replaceAll('\n', '\r\n'))
    await editor.prompt(sessionId, 'And now?')
    expect(context()).toMatch(/"isDirty": ?false/)
  },
)

test('text with other line ends is no unsaved text, and the file keeps its own', async () => {
  const { box, editor, sessionId, path, attached } = await begun([EDIT, DONE])
  editor.buffers.set(path, lf(NOTES))
  await editor.prompt(sessionId, attached('Change it.', lf(NOTES)))
  expect(box.read('notes.txt')).toBe(NOTES.replace('three', '3'))
  expect(editor.writes).toEqual([])
})

test('a stale text of the editor overwrites nothing', async () => {
  const { box, editor, sessionId, path, attached, notices } = await begun([EDIT, DONE, EDIT, DONE])
  editor.buffers.set(path, lf(NOTES))
  await editor.prompt(sessionId, attached('Change it.', lf(NOTES)))
  const written = NOTES.replace('three', '3')
  expect(box.read('notes.txt')).toBe(written)
  // the editor still gives the old text, and somebody else has changed the file meanwhile
  const changed = `zero\r\n${written.replace('3', 'three')}`
  box.write('notes.txt', changed)
  await editor.prompt(sessionId, attached('Change it again.', lf(NOTES)))
  expect(notices()).toContain('older text')
  expect(box.read('notes.txt')).toBe(changed.replace('three', '3'))
  expect(editor.writes).toEqual([])
})

test('a text that nobody knows, beside a file that is newer, overwrites nothing', async () => {
  const { box, editor, sessionId, path, attached } = await begun([EDIT, DONE])
  const old = lf(NOTES).replace('five', 'of last week')
  editor.buffers.set(path, old)
  await editor.prompt(sessionId, attached('Change it.', old))
  expect(editor.writes).toEqual([])
  expect(box.read('notes.txt')).toContain('five')
  expect(box.read('notes.txt')).not.toContain('last week')
})

test('unsaved text gets the change, and the editor writes both', async () => {
  const { box, editor, sessionId, path, attached } = await begun([DONE, EDIT, DONE])
  editor.buffers.set(path, lf(NOTES))
  await editor.prompt(sessionId, attached('Read this.', lf(NOTES)))
  editor.buffers.set(path, lf(NOTES).replace('five', 'FIVE'))
  await editor.prompt(sessionId, 'Change it.')
  const both = NOTES.replace('three', '3').replace('five', 'FIVE')
  expect(editor.writes).toEqual([{ path, content: both }])
  expect(box.read('notes.txt')).toBe(both)
  expect(editor.said()).toContain('written by the editor')
})

test('an unsaved change of the same line is a conflict, and nothing is written', async () => {
  const { box, editor, sessionId, path, attached } = await begun([DONE, EDIT, DONE])
  editor.buffers.set(path, lf(NOTES))
  await editor.prompt(sessionId, attached('Read this.', lf(NOTES)))
  editor.buffers.set(path, lf(NOTES).replace('three', 'THREE'))
  await editor.prompt(sessionId, 'Change it.')
  expect(box.read('notes.txt')).toBe(NOTES)
  expect(editor.writes).toEqual([])
})
