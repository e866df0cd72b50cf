import type { ChildProcess } from 'node:child_process'
import { expect, test } from 'vitest'
import { finished, sandbox } from '../cli.ts'
import { type FakeRequest, type FakeStep, fakeModel } from '../fake-model.ts'

const IS_FULL = process.env.FILEWRIGHT_FULL === '1'
const PAGE = 'A line of words that says nothing in particular, again and again.\n'.repeat(200)

test('a run killed -9 at its requests, those for summaries among them, does nothing twice and loses nothing', async () => {
  const last = IS_FULL ? 40 : 22
  const { kinds, kills, text, said } = await runKilled({
    window: 8_000,
    last,
    answer: step =>
      step % 3 === 1
        ? edit(step)
        : { name: 'read_file', arguments: { path: `${step}.txt`, line_count: 190 } },
  })
  expect(kinds).toContain('summary')
  expect(kills).toBeGreaterThanOrEqual(IS_FULL ? last : 1)
  expect(text).toBe(expectedText(last))
  // In full the next request kills the process too, often before its line is out.
  if (!IS_FULL) expect(said).toContain('· The conversation so far was summarized')
})

test('a run killed -9 at its requests, those of its helper among them, does nothing twice and loses nothing', async () => {
  const { kinds, text } = await runKilled({
    window: 64_000,
    last: 8,
    answer: step =>
      step === 3
        ? { name: 'delegate', arguments: { question: QUESTION } }
        : step % 3 === 1
          ? edit(step)
          : { name: 'read_file', arguments: { path: `${step}.txt` } },
  })
  expect(kinds.filter(kind => kind === 'helper').length).toBeGreaterThanOrEqual(2)
  expect(text).toBe(expectedText(8))
})

const QUESTION = 'Which of the pages says nothing?'

interface Killed {
  readonly window: number
  readonly last: number
  readonly answer: (step: number) => { name: string; arguments: unknown }
}

/** Each request kills the process the first time it is seen; `npm test` does so with summaries and helpers alone. */
async function runKilled({ window, last, answer }: Killed) {
  const pages = Array.from({ length: last }, (_, step) => [`${step}.txt`, PAGE])
  const box = sandbox({ 'count.txt': 'the end\n', ...Object.fromEntries(pages) })
  const model = await fakeModel([])
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_MODEL: 'fake' }
  await box.run(['models', 'set', 'fake', '--context', String(window)])
  const seen = new Set<string>()
  const kinds: string[] = []
  let child: ChildProcess
  let kills = 0
  let isKilled = false
  model.answerTo = request => {
    const kind = kindOf(request)
    const name = `${kind} ${stepOf(request)} ${request.messages.length}`
    isKilled = !seen.has(name) && (IS_FULL || kind !== 'own')
    seen.add(name)
    if (isKilled) kills++
    kinds.push(kind)
    return answerTo(request, kind, last, answer)
  }
  model.onRequest = () => {
    if (isKilled) child.kill('SIGKILL')
    return !isKilled
  }
  child = box.start(['run', 'Count up. Step -1.', '--publish', 'auto', '--max-turns', '90'], {
    env,
  })
  let ran = await finished(child)
  let said = ran.stderr
  while (ran.code === null) {
    child = box.start(['resume', '--publish', 'auto'], { env })
    ran = await finished(child)
    said += ran.stderr
  }
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
  return { kinds, kills, said, text: box.read('count.txt') }
}

type Kind = 'own' | 'summary' | 'helper'

function kindOf({ tools = [], messages }: FakeRequest): Kind {
  if (tools.length === 0) return 'summary'
  return messages.some(({ role, content }) => role === 'user' && content === QUESTION)
    ? 'helper'
    : 'own'
}

/** The newest step that the request has, in the conversation or in its summary: the model keeps no state. */
function stepOf({ messages }: FakeRequest): number {
  const steps = JSON.stringify(messages).matchAll(/Step (-?\d+)\./g)
  return Math.max(-1, ...[...steps].map(([, step]) => Number(step)))
}

function answerTo(
  request: FakeRequest,
  kind: Kind,
  last: number,
  answer: Killed['answer'],
): FakeStep {
  const step = stepOf(request) + 1
  if (kind === 'summary') return { text: `So far: Step ${step - 1}.` }
  if (kind === 'helper')
    return request.messages.some(({ role }) => role === 'tool')
      ? { text: 'All of them.' }
      : { text: '', calls: [{ name: 'read_file', arguments: { path: '0.txt' } }] }
  if (step >= last) return { text: 'All done.' }
  return { text: `Step ${step}.`, calls: [answer(step)] }
}

/** Done twice it is there twice. */
function edit(step: number) {
  const edits = [{ search: 'the end', replace: `step ${step}\nthe end` }]
  return { name: 'edit_text_file', arguments: { path: 'count.txt', edits } }
}

function expectedText(last: number): string {
  const steps = Array.from({ length: last }, (_, step) => step).filter(step => step % 3 === 1)
  return `${steps.map(step => `step ${step}\n`).join('')}the end\n`
}
