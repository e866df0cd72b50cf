import type { ChildProcess } from 'node:child_process'
import { expect, test } from 'vitest'
import { finished, type Ran, type Sandbox, sandbox } from '../cli.ts'
import { type FakeModel, type FakeStep, fakeModel } from '../fake-model.ts'

const IS_FULL = process.env.FILEWRIGHT_FULL === '1'
const STEPS = 40
const FILES = 10
const BORDERS = IS_FULL ? 1 : 8 // every border, or every eighth
const RANDOM_KILLS = IS_FULL ? 200 : 3

const fileOf = (step: number) => `f${step % FILES}.txt`

/** Alternates reads and edits; each edit increments a count in its file, so an effect that happens twice shows. */
const SCRIPT: FakeStep[] = [
  ...Array.from({ length: STEPS }, (_, step): FakeStep => {
    const path = fileOf(step >> 1)
    const count = Math.floor((step >> 1) / FILES)
    const edit = { search: `value ${count}`, replace: `value ${count + 1}\nstep ${step}` }
    const call =
      step % 2 === 0
        ? { name: 'read_file', arguments: { path } }
        : { name: 'edit_text_file', arguments: { path, edits: [edit] } }
    return { text: `Step ${step}.`, calls: [call] }
  }),
  { text: 'All done.' },
]

const INPUT = Object.fromEntries(
  Array.from({ length: FILES }, (_, i) => [fileOf(i), `file ${i}\nvalue 0\n`]),
)

function expectedTree(): Record<string, string> {
  const tree = { ...INPUT }
  for (let step = 1; step < STEPS; step += 2) {
    const path = fileOf(step >> 1)
    const count = Math.floor((step >> 1) / FILES)
    tree[path] = tree[path]!.replace(`value ${count}`, `value ${count + 1}\nstep ${step}`)
  }
  return tree
}

const RUN = ['run', 'Count up in every file.', '--model', 'fake', '--publish', 'auto']
const RESUME = ['resume', '--publish', 'auto']

test(`a run of ${STEPS} steps killed -9 at its borders and resumed ends as if nothing had happened`, async () => {
  const { box, model, start } = await prepare()
  const killed = new Set<number>()
  let child: ChildProcess
  model.onRequest = step => {
    if (step % BORDERS !== 0 || killed.has(step)) return true
    killed.add(step)
    child.kill('SIGKILL')
    return false
  }
  child = start(RUN)
  let ran = await finished(child)
  while (ran.code === null) {
    child = start(RESUME)
    ran = await finished(child)
  }
  await expectDone(box, ran)
  expect(killed.size).toBe(Math.ceil((STEPS + 1) / BORDERS))
}, 300_000)

test(`runs killed -9 at ${RANDOM_KILLS} random moments in all, each resumed to its end`, async () => {
  for (let kills = 0; kills < RANDOM_KILLS; )
    kills += await runWithKills(kills, RANDOM_KILLS - kills)
}, 900_000)

/** One run in its own folder; returns how often it was killed. */
async function runWithKills(seed: number, most: number): Promise<number> {
  const { box, start } = await prepare()
  let ran: Ran = { code: null, stdout: '', stderr: '' }
  let kills = 0
  for (let tries = 0; ran.code === null; tries++) {
    const hasBegun = tries > 0 && (await hasBegunRun(box))
    const child = start(hasBegun ? RESUME : RUN)
    const ms = 150 + (((seed + tries) * 61) % 500)
    const timer = kills < most ? setTimeout(() => child.kill('SIGKILL'), ms) : undefined
    ran = await finished(child)
    clearTimeout(timer)
    if (ran.code === null) kills++
  }
  await expectDone(box, ran)
  return kills
}

async function prepare(): Promise<{
  box: Sandbox
  model: FakeModel
  start: (args: readonly string[]) => ChildProcess
}> {
  const box = sandbox(INPUT)
  const model = await fakeModel(SCRIPT)
  const env = { FILEWRIGHT_BASE_URL: model.baseUrl, FILEWRIGHT_API_KEY: 'key' }
  return { box, model, start: args => box.start(args, { env }) }
}

async function hasBegunRun(box: Sandbox): Promise<boolean> {
  return (await box.run(['log', '--jsonl'])).stdout.includes('user_message')
}

async function expectDone(box: Sandbox, ran: Ran) {
  expect(ran).toMatchObject({ code: 0 })
  for (const [path, text] of Object.entries(expectedTree())) expect(box.read(path)).toBe(text)
  const log = await box.run(['log', '--jsonl'])
  const lines = log.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const calls = lines.flatMap(line =>
    (line.tool_calls ?? []).map((call: { id: string }) => call.id),
  )
  const results = lines.filter(line => line.type === 'tool_result').map(line => line.tool_call_id)
  expect(calls).toHaveLength(STEPS)
  expect(results.sort()).toEqual(calls.sort())
}
