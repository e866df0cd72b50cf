import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { textOf, untilDecided } from '../mcp/frames.ts'
import { noteStep, outsideBox } from '../mcp/outside/box.ts'
import { connectStdio } from '../mcp/stdio-client.ts'
import { verifies } from '../verifies.ts'
import { type Serving, serving } from './serving.ts'

const DENIED = { status: 403, value: { errorCode: 'DENIED' } }

/** The person's own agent has a draft with one new file, and others hold tokens of each kind. */
async function drafted() {
  const box = sandbox()
  const served = await serving(box)
  const client = await connectStdio(box, { era: '2025-11-25' })
  await client.call('write_text_file', { path: 'a.txt', content: 'written\n' })
  return { box, client, ...served }
}

async function questions({ ask, owner }: Serving) {
  const { value } = await ask(owner, 'listQuestions')
  return value as { id: string; question: string; choices: string[]; decides?: string }[]
}

/** The first question that waits. */
async function theQuestion(served: Serving) {
  await expect.poll(async () => (await questions(served)).length).toBe(1)
  return (await questions(served))[0]!
}

const answering = (served: Serving, token: string, questionId: string, answer: string) =>
  served.ask(token, 'answerQuestion', { params: { questionId }, body: { answer } })

verifies(
  ['CONTRACT §8 question that decides', 'CONTRACT §8 question leaves a decision'],
  'a question that publishes is answered by who may approve, and the answer is a decision',
  async () => {
    const { box, client, ...served } = await drafted()
    const publishing = client.call('publish_draft')
    const { id, decides } = await theQuestion(served)
    expect(decides).toBe('publish')
    for (const [rights, isAgent] of [
      [['read'], false],
      [['edit'], true],
      [['edit'], false],
      [['admin'], false],
    ] as const) {
      const token = await served.tokenOf(`no ${rights[0]}`, rights, isAgent)
      for (const answer of ['Publish', '1', 'Leave it as it is', 'Other words'])
        expect(await answering(served, token, id, answer), rights[0]).toMatchObject(DENIED)
    }
    expect(box.exists('a.txt')).toBe(false)
    const anna = await served.tokenOf('anna', ['approve'])
    expect(await answering(served, anna, id, 'Publish')).toMatchObject({ status: 200 })
    expect(await untilDecided(publishing, () => client.call('publish_draft'))).toContain(
      'change set is',
    )
    expect(box.read('a.txt')).toBe('written\n')
    const { value } = await served.ask(served.owner, 'listDecisions')
    expect(value.decisions).toContainEqual(
      expect.objectContaining({
        ...{ action: 'answerQuestion', name: 'anna', target: id, outcome: 'done' },
        details: { decides: 'publish', subject: expect.stringMatching(/^drf_/), answer: 'Publish' },
      }),
    )
  },
)

test('who asks for a yes does not give it, and takes the question back', async () => {
  const served = await serving(sandbox({ 'a.txt': 'a\n' }))
  const both = await served.tokenOf('both', ['edit', 'approve'])
  const { value: session } = await served.ask(both, 'createSession', { body: {} })
  const asked = () =>
    served.ask(both, 'askForYes', {
      params: { sessionId: session.sessionId },
      body: { deed: 'undo', subject: 'cs_1', question: 'Undo cs_1?', choices: ['Undo', 'No'] },
    })
  const { value: first } = await asked()
  expect(first).toEqual({ questionId: expect.stringMatching(/^qst_/), answer: null })
  expect(await answering(served, both, first.questionId, 'Undo')).toMatchObject(DENIED)
  expect((await asked()).value).toEqual(first)
  expect(await answering(served, both, first.questionId, 'No')).toMatchObject({ status: 200 })
  expect((await asked()).value.answer).toMatchObject({ isYes: false, by: 'both' })
})

verifies(
  'CONTRACT §8 question bound',
  'a question made beforehand under another name or with other words publishes nothing',
  async () => {
    const { box, client, ...served } = await drafted()
    const reader = await served.tokenOf('reader', ['read'])
    const editor = await served.tokenOf('editor', ['edit'], true)
    const { value: drafts } = await served.ask(reader, 'listDrafts')
    const [{ id: draftId, revision, sessionId }] = drafts
    const subject = `${draftId} at revision ${revision}`
    const guessed = createHash('sha256').update(`publish_draft\n${subject}`).digest('hex')
    const params = { sessionId }
    const words = { question: 'Do you like tea?', choices: ['Publish', 'Leave it as it is'] }
    await served.ask(reader, 'callAsModel', {
      params,
      body: { tool: 'ask_person', arguments: words, toolCallId: `agent ${guessed.slice(0, 32)}` },
    })
    const deed = { deed: 'publish', subject, ...words }
    expect(await served.ask(reader, 'askForYes', { params, body: deed })).toMatchObject(DENIED)
    await served.ask(editor, 'askForYes', { params, body: deed })
    const harmless = await questions(served)
    expect(harmless.map(({ question }) => question)).toEqual([words.question, words.question])
    for (const { id } of harmless) await answering(served, served.owner, id, 'Publish')

    const publishing = client.call('publish_draft')
    const real = await theQuestion(served)
    expect(real.question).toContain(draftId)
    expect(harmless.map(({ id }) => id)).not.toContain(real.id)
    await answering(served, served.owner, real.id, 'Leave it as it is')
    expect(textOf(await publishing)).toMatch(/^DENIED: Nothing was written/)
    expect(box.exists('a.txt')).toBe(false)
  },
)

verifies(
  'CONTRACT §8 answer makes a rule',
  'who started a run does not allow what it asks outside, once or always',
  async () => {
    const { box, run, env, calls, model } = await outsideBox([
      noteStep('one'),
      { text: 'Done.' },
      noteStep('two'),
      { text: 'Done.' },
    ])
    const served = await serving(box, { env })
    const { ask, tokenOf } = served
    const starter = await tokenOf('starter', ['edit', 'approve'])
    const { value: session } = await ask(starter, 'createSession', { body: {} })
    const params = { sessionId: session.sessionId }
    const say = () => ask(starter, 'sendMessage', { params, body: { text: 'Go.', model: 'fake' } })
    expect(await say()).toMatchObject({ status: 200 })
    const { id, choices, decides } = await theQuestion(served)
    expect(decides).toBe('call')
    const agent = await tokenOf('agent', ['edit'], true)
    for (const token of [starter, agent])
      for (const answer of ['1', '2', choices[1]!, '3', 'no'])
        expect(await answering(served, token, id, answer)).toMatchObject(DENIED)
    const editing = await tokenOf('edits too', ['edit', 'approve'])
    expect(await answering(served, editing, id, '2')).toMatchObject(DENIED) // a rule would answer its own calls
    expect((await ask(served.owner, 'listRules')).value).toEqual([])
    expect(calls()).toEqual([])

    const anna = await tokenOf('anna', ['approve'])
    expect(await answering(served, anna, id, '2')).toMatchObject({ status: 200 })
    await expect.poll(calls).toHaveLength(1)
    expect((await ask(served.owner, 'listRules')).value).toMatchObject([{ effect: 'call' }])
    const { value } = await ask(served.owner, 'listDecisions')
    expect(
      value.decisions.filter(({ outcome }: { outcome: string }) => outcome === 'done'),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ action: 'answerQuestion', name: 'anna', target: id },
          details: expect.objectContaining({ decides: 'call', makesRule: true }),
        }),
      ]),
    )
    expect(model.requests.length).toBeGreaterThan(1)
    await run(['approvals', 'list'])
  },
)

test('a question that decides nothing is answered by who may edit, and is no decision', async () => {
  const served = await serving(sandbox({ 'a.txt': 'a\n' }))
  const [reader, editor, approver] = await Promise.all([
    served.tokenOf('reader', ['read']),
    served.tokenOf('editor', ['edit']),
    served.tokenOf('approver', ['approve']),
  ])
  const { value: session } = await served.ask(editor, 'createSession', { body: {} })
  await served.ask(editor, 'callAsModel', {
    params: { sessionId: session.sessionId },
    body: { tool: 'ask_person', arguments: { question: 'Which year?', choices: ['1', '2'] } },
  })
  const { id, decides } = await theQuestion(served)
  expect(decides).toBeUndefined()
  expect(await answering(served, reader, id, '1')).toMatchObject(DENIED)
  expect(await answering(served, approver, id, '1')).toMatchObject(DENIED)
  expect(await answering(served, editor, id, '1')).toMatchObject({ status: 200 })
  const { value } = await served.ask(served.owner, 'listDecisions')
  expect(value.decisions.map(({ action }: { action: string }) => action)).not.toContain(
    'answerQuestion',
  )
})
