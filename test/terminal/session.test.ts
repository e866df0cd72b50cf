import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { NOWHERE, sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { PATIENCE } from '../patience.ts'
import { verifies } from '../verifies.ts'
import { CTRL_C, CTRL_D, ENTER, personAt } from './person-at-terminal.ts'

const LINES = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`)
const THREE_EDITS: readonly FakeStep[] = [
  {
    text: 'I change three lines.',
    calls: [
      {
        name: 'edit_text_file',
        arguments: {
          path: 'a.txt',
          edits: [1, 5, 9].map(line => ({ search: `line ${line}`, replace: `LINE ${line}` })),
        },
      },
    ],
  },
  { text: '# Done\n\nThree **lines** changed.' },
]
const CREATE: readonly FakeStep[] = [
  {
    text: 'I add it.',
    calls: [{ name: 'workspace_create_file', arguments: { path: 'new.md', content: '# New\n' } }],
  },
  { text: 'I see.' },
]

async function modelEnv(steps: readonly FakeStep[]) {
  const model = await fakeModel(steps)
  return { model, env: { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' } }
}

verifies(
  ['CONTRACT §9 interactive'],
  'a task, then some changes accepted, one refused, one left: only the accepted ones are written, and undo takes them back',
  async () => {
    const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
    const { env } = await modelEnv(THREE_EDITS)
    const person = await personAt(box, env)
    await person.sees('Type a task')
    person.type(`Change lines${ENTER}`)
    await person.sees('1 file in the draft: a.txt')
    expect(person.said).toContain('Three lines changed.')
    expect(person.said).not.toContain('To review') // the last line of the run says it
    expect(person.said).not.toContain('**')
    person.type(`/publish pick${ENTER}`)
    for (const answer of ['a', 'r', 'l']) {
      await person.sees(/\d of 3: a accept[^:]*:/)
      person.type(`${answer}${ENTER}`)
    }
    await person.sees('Publish 1 change, refuse 1, leave 1?')
    person.type(`y${ENTER}`)
    await person.sees('Published')
    expect(
      box
        .read('a.txt')
        .split('\n')
        .filter(line => line.startsWith('LINE')),
    ).toEqual(['LINE 1'])
    person.type(`/review${ENTER}`)
    await person.sees('+ LINE 9')
    person.type(`/undo${ENTER}`)
    await person.sees('Undone: a.txt')
    expect(box.read('a.txt')).toBe(`${LINES.join('\n')}\n`)
    person.type(CTRL_D)
    await person.ended()
  },
)

test('an approval is refused in place, its reason reaches the model, and what was typed ahead answers nothing', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const { model, env } = await modelEnv(CREATE)
  const person = await personAt(box, env, { toolset: 'workspace' })
  await person.sees('Type a task')
  person.type(`Add it${ENTER}`)
  person.type('y') // ahead: it stays in the field
  await person.sees('Approve? y yes')
  person.type(ENTER)
  await person.sees('Left for later')
  expect(box.exists('new.md')).toBe(false)
  person.type(ENTER) // as a message it would overtake what waits
  await person.sees('Your answer to this comes first')
  await person.sees('Approve? y yes')
  person.type(`l${ENTER}`)
  await person.sees('Left for later')
  person.type(`${CTRL_C}/approvals${ENTER}`)
  await person.sees('Approve? y yes')
  person.type(`no, it belongs into docs${ENTER}`)
  await person.sees('Refused: it belongs into docs')
  await person.sees('No file was changed')
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('it belongs into docs')
  expect(person.said).not.toContain('Do not send it again') // that is for the model
  expect(box.exists('new.md')).toBe(false)
})

test('always shows its rule first; after a yes the next write of that file asks nobody', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const { env } = await modelEnv(CREATE)
  const person = await personAt(box, env, { toolset: 'workspace' })
  await person.sees('Type a task')
  person.type(`Add it${ENTER}`)
  await person.sees('Approve? y yes')
  person.type(`a${ENTER}`)
  await person.sees('may write new.md without asking')
  await person.sees('Make this rule?')
  person.type(`y${ENTER}`)
  await person.sees('1 file written')
  expect(box.read('new.md')).toBe('# New\n')
  person.type(`/rules${ENTER}`)
  await person.sees(/workspace_create_file\s+new\.md/)
})

test('an earlier conversation is shown again, and its last message taken back, changed and sent anew', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const { model, env } = await modelEnv(THREE_EDITS)
  const first = await personAt(box, env)
  first.type(`Change lines${ENTER}`) // before the folder is open: it waits
  await first.sees('1 file in the draft: a.txt')
  first.type(CTRL_D)
  await first.ended()
  const person = await personAt(box, env, { continue: true })
  await person.sees('To review: a.txt 3 changes')
  expect(person.said).toMatch(/> Change lines\nDone\n\nThree lines changed\./)
  person.type(`/edit${ENTER}`)
  await person.sees('Out of the draft again: a.txt')
  person.type(` now${ENTER}`)
  // the earlier conversation had the same last line
  await expect
    .poll(() => JSON.stringify(model.requests.at(-1)!.messages), PATIENCE)
    .toContain('Change lines now')
  expect(JSON.stringify(model.requests.at(-1)!.messages)).not.toContain('Change lines"')
})

test('Tab completes a file after an @, also by a part of its name, in quotes where it needs them', async () => {
  const box = sandbox({ 'docs/year plan.txt': 'x\n' })
  const { model, env } = await modelEnv([{ text: 'I see.' }])
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type('Read @plan')
  await expect
    .poll(() => {
      person.type('\t')
      return person.said
    }, PATIENCE)
    .toContain('Read @"docs/year plan.txt" ')
  person.type(ENTER)
  await person.sees('No file was changed')
  expect(JSON.stringify(model.requests[0]!.messages)).toContain('docs/year plan.txt')
})

test('without a model and a key the first message plays a demonstration that says so', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const person = await personAt(box, { OLLAMA_HOST: NOWHERE })
  await person.sees('Model: none is set up')
  person.type(`Hello${ENTER}`)
  await person.sees('This is a scripted demonstration, not a model')
  await person.sees(/\d files? in the draft/)
  expect(person.said).toContain('"filewright help models" says how')
  expect(person.isEnded).toBe(false)
})

test('what is typed while a run goes on reaches the model before its calls are run', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const { model, env } = await modelEnv([THREE_EDITS[0]!, ...THREE_EDITS])
  let release = (_: boolean) => {}
  const released = new Promise<boolean>(resolve => {
    release = resolve
  })
  model.onRequest = step => step > 0 || released
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type(`Change lines${ENTER}`)
  await expect.poll(() => model.requests.length, PATIENCE).toBe(1)
  person.type(`And say why${ENTER}`)
  await person.sees('1 waiting; /take-back')
  release(true)
  await person.sees('A call that had not begun was not run.')
  await person.sees('1 file in the draft: a.txt')
  expect(JSON.stringify(model.requests[0]!.messages)).not.toContain('And say why')
  expect(JSON.stringify(model.requests[1]!.messages)).toContain('And say why')
})

test('Ctrl-C stops the run and not the session; a message sent meanwhile waits, and /resume goes on', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const { model, env } = await modelEnv(THREE_EDITS)
  let hangs = true
  model.onRequest = () => !hangs
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type(`Change lines${ENTER}`)
  await expect.poll(() => model.requests.length, PATIENCE).toBe(1)
  await person.sees('Ctrl-C stops')
  person.type(CTRL_C)
  await person.sees('/resume goes on')
  hangs = false
  person.type(`/resume${ENTER}`)
  await person.sees('1 file in the draft: a.txt')
  expect(person.isEnded).toBe(false)
})

test('a plan is read only, edited at the prompt, and then worked through', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const plan = {
    steps: [
      { step: 'Read it', status: 'open' },
      { step: 'Change it', status: 'open' },
    ],
  }
  const { model, env } = await modelEnv([
    { text: 'A plan.', calls: [{ name: 'update_plan', arguments: plan }] },
    { text: 'What do you think?' },
    { text: 'On it.' },
  ])
  const person = await personAt(box, env, { plan: true })
  await person.sees('plan first')
  person.type(`Change lines${ENTER}`)
  await person.sees('Work through it?')
  person.type(`e${ENTER}`)
  await person.sees('Read it; Change it')
  person.type(`; Check it${ENTER}`)
  await person.sees('On it.')
  const offered = (request: number) =>
    model.requests[request]!.tools!.map(each => each.function.name)
  expect(offered(0)).not.toContain('edit_text_file')
  expect(offered(2)).toContain('edit_text_file')
  expect(JSON.stringify(model.requests[2]!.messages)).toContain('3. Check it')
})

test('of a plan that goes on, the items that changed are shown', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const plan = (...statuses: readonly string[]) => {
    const steps = ['Read it', 'Change it'].map((step, at) => ({ step, status: statuses[at] }))
    return [{ name: 'update_plan', arguments: { steps } }]
  }
  const { env } = await modelEnv([
    { text: '', calls: plan('doing', 'open') },
    { text: '', calls: plan('done', 'open') },
    { text: 'That is all.' },
  ])
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type(`Do it${ENTER}`)
  await person.sees('No file was changed')
  const items = person.said.split('\n').filter(line => /^ {2}\[/.test(line))
  expect(items).toEqual(['  [>] Read it', '  [ ] Change it', '  [x] Read it'])
})

test('a tool that is not there is one short line; the list of those that are is for the model', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const { model, env } = await modelEnv([
    { text: '', calls: [{ name: 'read_text_file', arguments: { path: 'a.txt' } }] },
    { text: 'I see.' },
  ])
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type(`Read it${ENTER}`)
  await person.sees('No file was changed')
  expect(person.said).toContain('The model asked for a tool that it does not have.')
  expect(person.said).not.toContain('search_files')
  expect(JSON.stringify(model.requests[1]!.messages)).toContain('The tools are')
})

test('nothing in a model’s words, a file’s name or its content steers the terminal', async () => {
  const box = sandbox({ 'a\u001b[2J.txt': 'x\n' })
  const evil = '\u001b[2J\u001b]0;owned\u0007\u202egnp.exe'
  const { env } = await modelEnv([
    {
      text: `Look: ${evil}`,
      calls: [
        { name: 'write_text_file', arguments: { path: 'b.txt', content: `${evil}\n` } },
        { name: 'read_file', arguments: { path: `a${evil}` } },
      ],
    },
    { text: `\`\`\`\n${evil}\n\`\`\`\n| a${evil} | b |\n` },
  ])
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type(`Show it${ENTER}`)
  await person.sees('1 file in the draft')
  person.type(`/review${ENTER}`)
  await person.sees('b.txt')
  person.type(`/open${ENTER}`)
  await person.sees('> /open')
  expect(person.raw).not.toContain('\u001b[2J')
  expect(person.raw).not.toContain('\u001b]0;')
  expect(person.raw).not.toContain('\u202e')
})

test('at 80 columns no line is longer, and no repaint clears the screen', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const { env } = await modelEnv([{ text: `${'word '.repeat(80)}\n\n${'x'.repeat(300)}\n` }])
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type(`Say much${ENTER}`)
  await person.sees('No file was changed')
  expect(Math.max(...person.said.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
  expect(person.raw).not.toMatch(/\u001b\[[23]J/)
})

verifies('CONTRACT §9 --plain', 'plain lines have no control sequences at all', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const { env } = await modelEnv(THREE_EDITS)
  const person = await personAt(box, env, { isPlain: true })
  await person.sees('Type a task')
  person.type('Change lines\n')
  await person.sees('1 file in the draft: a.txt')
  expect(person.raw).toContain('\nDone\n\nThree lines changed.\n')
  person.type('/publish\n')
  await person.sees('Publish 3 changes')
  person.type('y\n')
  await person.sees('Published')
  expect(box.read('a.txt')).toContain('LINE 5')
  expect(person.raw).not.toContain('\u001b')
})

test('an answer that is none decides nothing: it is asked again', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const changes = [1, 5, 9].map(line => ({
    operation: 'replace',
    startLine: line,
    endLine: line,
    newLines: [`LINE ${line}`],
    expectedOriginalLines: [`line ${line}`],
  }))
  const originalSha256 = createHash('sha256').update(box.read('a.txt')).digest('hex')
  const files = [{ docPath: 'a.txt', originalSha256, changes }]
  const calls = [{ name: 'workspace_write_patch', arguments: { files } }]
  const { model, env } = await modelEnv([{ text: '', calls }, { text: 'Done.' }])
  const person = await personAt(box, env, { toolset: 'workspace' })
  await person.sees('when you approve')
  person.type(`Change lines${ENTER}`)
  await person.sees('Approve? y yes')
  person.type(`s${ENTER}`)
  for (const answer of ['maybe', 'n, not this', 'nope', 'n', 'y']) {
    await person.sees('This one? y yes')
    person.type(`${answer}${ENTER}`)
    if (/^(maybe|nope)$/.test(answer)) await person.sees('Please answer with y, n or l.')
  }
  await person.sees('1 file written')
  expect(box.read('a.txt')).toMatch(/^line 1\n[^L]*line 5\n[^L]*LINE 9\n$/)
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain('not this')
})

test('a word that is no answer leaves no change behind', async () => {
  const box = sandbox({ 'a.txt': `${LINES.join('\n')}\n` })
  const { env } = await modelEnv(THREE_EDITS)
  const person = await personAt(box, env)
  await person.sees('Type a task')
  person.type(`Change lines${ENTER}`)
  await person.sees('1 file in the draft: a.txt')
  person.type(`/publish pick${ENTER}`)
  for (const answer of ['aa', 'A']) {
    await person.sees(/1 of 3: a accept[^:]*:/)
    person.type(`${answer}${ENTER}`)
  }
  await person.sees('Publish 3 changes?')
})

test('words at a plan are what should be different', async () => {
  const box = sandbox({ 'a.txt': 'a\n' })
  const plan = { steps: [{ step: 'Read it', status: 'open' }] }
  const { model, env } = await modelEnv([
    { text: '', calls: [{ name: 'update_plan', arguments: plan }] },
    { text: 'What do you think?' },
    { text: 'Once more.' },
  ])
  const person = await personAt(box, env, { plan: true })
  await person.sees('plan first')
  person.type(`Change lines${ENTER}`)
  await person.sees('Work through it? y yes')
  person.type(`check it too${ENTER}`)
  await person.sees('Once more.')
  expect(JSON.stringify(model.requests[2]!.messages)).toContain('check it too')
  const offered = model.requests[2]!.tools!.map(each => each.function.name)
  expect(offered).not.toContain('edit_text_file') // it plans still
})
