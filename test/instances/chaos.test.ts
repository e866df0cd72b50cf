import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogRow } from '@filewright/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { type FakeRequest, fakeModel } from '../fake-model.ts'
import {
  S3_KEYS,
  type SharedStores,
  startSharedStores,
  whyNoStores,
} from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'
import { contentAfter, nextStep, seeded, type Task, tasks } from './chaos.ts'
import { type Followed, follow } from './follow.ts'
import { startWatchingBalancer, type WatchingBalancer } from './watching-balancer.ts'

const TOKEN = 'the-token-that-all-instances-take'
const isFull = process.env.FILEWRIGHT_FULL === '1'
const SEED = Number(process.env.FILEWRIGHT_SEED ?? 1)
const SESSIONS = isFull ? 100 : 6
const STEPS = isFull ? 12 : 5
const FOLDERS = isFull ? 4 : 2
const FAULTS = isFull ? 24 : 5
const THINKING_MS = isFull ? 500 : 400
/** From the death of an instance until another holds all of its sessions. Other tests may use the processor meanwhile. */
const MOST_TAKEOVER_MS = isFull ? 5_000 : 30_000

/** From the last fault until every session has ended. */
const MOST_MS = isFull ? 900_000 : 200_000

describe.skipIf(whyNoStores)('instances, database and bucket fail at random', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()

  test('every session ends with the right tree, and every client hears all of it in order', {
    timeout: 2 * MOST_MS,
  }, async () => {
    const random = seeded(SEED)
    const all = tasks(SESSIONS)
    const model = await fakeModel([])
    model.answerTo = request => nextStep(taskOf(all, request), STEPS, request)
    model.onRequest = () =>
      new Promise(done => setTimeout(done, THINKING_MS * (0.5 + random()), true))
    const place = await newPlace(shared)
    const env = { ...place, FILEWRIGHT_TOKEN: TOKEN, FILEWRIGHT_BASE_URL: model.baseUrl }
    const balancer = await startWatchingBalancer(random)
    const instances = await Promise.all([1, 2, 3].map(() => startInstance(env, balancer)))
    const review = await reviewing(balancer.origin)
    const folders = await Promise.all(
      Array.from({ length: FOLDERS }, () => attachFolder(balancer.origin)),
    )
    const running = await Promise.all(
      all.map((task, i) => startSession(task, folders[folderOf(i)]!, balancer.origin)),
    )
    const chaos = createChaos({ shared, env, balancer, instances, random })
    const unfinished = () =>
      running
        .filter(({ heard }) => !heard.rows.some(isRunEnd))
        .map(({ task, heard }) => `${task.name}: ${heard.rows.at(-1)?.type} ${heard.rows.length}`)
    for (let fault = 0; fault < FAULTS && unfinished().length > 0; fault++) {
      await chaos.fault(fault)
    }
    await chaos.end()
    await expect.poll(unfinished, { timeout: MOST_MS }).toEqual([])
    console.warn(JSON.stringify({ seed: SEED, ...chaos.figures(), ...failuresIn(running) }))

    const ask = asking(balancer.origin)
    for (const { task, folder, session, heard } of running) {
      const { rows: kept } = await ask('GET', `${session}/log`)
      await expect.poll(() => heard.rows.length).toBe(kept.length)
      expect(heard.rows).toEqual(kept)
      expect(heard.rows.map(({ seq }) => seq)).toEqual(heard.rows.map((_, i) => i + 1))
      expectEachOnce(heard.rows)
      if (task.kind === 'draft') {
        const drafts = await ask('GET', `/workspaces/${folder.workspaceId}/drafts`)
        const sessionId = session.split('/').at(-1)
        const own = drafts.find((draft: { sessionId: string }) => draft.sessionId === sessionId)
        await review('POST', `/workspaces/${folder.workspaceId}/publish`, { draftId: own.id })
      }
    }
    for (const [i, folder] of folders.entries()) {
      const own = all.filter((_, at) => folderOf(at) === i)
      expect(treeOf(folder.near)).toEqual(
        Object.fromEntries(own.map(({ path }) => [path, contentAfter(STEPS)])),
      )
    }
    expect(Math.max(...chaos.takeovers)).toBeLessThan(MOST_TAKEOVER_MS)
  })
})

/** Each has tasks of both kinds. */
function folderOf(task: number): number {
  return Math.floor(task / 2) % FOLDERS
}

interface Instance {
  child: ChildProcess
  port: number
  isDown: boolean
}

type Env = Readonly<Record<string, string>>

async function newPlace(shared: SharedStores) {
  return {
    FILEWRIGHT_DATABASE: await shared.database(),
    FILEWRIGHT_BLOBS: shared.bucket(),
    AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  }
}

async function startInstance(env: Env, balancer: WatchingBalancer): Promise<Instance> {
  const child = sandbox().start(['serve', '--port', '0'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const port = Number(new URL(await untilSays(child, PAGE_ADDRESS)).port)
  balancer.add(port)
  return { child, port, isDown: false }
}

async function attachFolder(origin: string) {
  const near = sandbox()
  const child = near.start(['attach', '-C', near.dir, '--server', origin, '--yes'], {
    env: { FILEWRIGHT_TOKEN: TOKEN },
  })
  return { near, workspaceId: (await untilSays(child, /as ws_\w+/)).slice(3) }
}

async function startSession(
  task: Task,
  folder: { near: Sandbox; workspaceId: string },
  origin: string,
) {
  const ask = asking(origin)
  const workspace = `/workspaces/${folder.workspaceId}`
  const { sessionId } = await ask('POST', `${workspace}/sessions`, {})
  const session = `${workspace}/sessions/${sessionId}`
  const heard = follow(`${origin}/api${session}/events`, TOKEN)
  onTestFinished(heard.stop)
  const toolset = task.kind === 'draft' ? 'workshop' : 'workspace'
  const message = { text: `Do ${task.name}.`, toolset }
  await fetchOnce(origin, `${session}/messages`, message).catch(async () => {
    // nobody knows whether it arrived
    const { rows } = await ask('GET', `${session}/log`)
    if (rows.length === 0) await ask('POST', `${session}/messages`, message)
  })
  return { task, folder, session, heard }
}

interface ChaosParts {
  readonly shared: SharedStores
  readonly env: Env & { readonly FILEWRIGHT_DATABASE: string }
  readonly balancer: WatchingBalancer
  readonly instances: Instance[]
  readonly random: () => number
}

/** One fault after the other, a moment apart; of three instances at least one stays up. */
function createChaos({ shared, env, balancer, instances, random }: ChaosParts) {
  const takeovers: number[] = []
  const counts = { killed: 0, frozen: 0, cut: 0, refused: 0, network: 0 }
  const under: Promise<unknown>[] = []
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

  async function takeover({ child }: Instance) {
    const since = performance.now()
    const held = await shared.find(
      env.FILEWRIGHT_DATABASE,
      `select session from sessions where state = 'running' and holder like '${child.pid}-%'`,
    )
    if (held.length === 0) return
    const ids = held.map(({ session }) => `'${session}'`).join(',')
    for (;;) {
      await pause(100)
      const [{ left }] = await shared
        .find(
          env.FILEWRIGHT_DATABASE,
          `select count(*)::int as left from sessions where session in (${ids}) and state = 'running'
            and (holder is null or holder like '${child.pid}-%')`,
        )
        .catch(() => [{ left: 1 }])
      if (left === 0 || performance.now() - since > 60_000) break
    }
    takeovers.push(Math.round(performance.now() - since))
  }

  function aliveOne(): Instance | undefined {
    const up = instances.filter(({ isDown }) => !isDown)
    return up.length > 1 ? up[Math.floor(random() * up.length)] : undefined
  }

  async function kill() {
    const one = aliveOne()
    if (!one) return
    counts.killed++
    one.isDown = true
    one.child.kill('SIGKILL')
    balancer.remove(one.port)
    under.push(restart(one), takeover({ ...one }))
  }

  /** As a supervisor does: a start that meets a fault ends with exit code 8. */
  async function restart(one: Instance): Promise<void> {
    for (;;) {
      const fresh = await startInstance(env, balancer).catch(() => undefined)
      if (fresh) return void Object.assign(one, fresh)
      await pause(500)
    }
  }

  async function freeze() {
    const one = aliveOne()
    if (!one) return
    counts.frozen++
    one.isDown = true
    one.child.kill('SIGSTOP')
    const taken = takeover(one)
    under.push(taken)
    await Promise.race([taken, pause(2_000 + random() * 4_000)])
    one.child.kill('SIGCONT')
    one.isDown = false
  }

  const faults = [
    kill,
    freeze,
    async () => {
      counts.cut++
      await shared.administer(CUT_SOME).catch(() => {})
    },
    async () => {
      counts.refused++
      shared.refuseBucket(random() < 0.5 ? 1 : 0.4)
      await pause(1_500)
      shared.refuseBucket(0)
    },
    async () => {
      counts.network++
      balancer.cut(0.5, random)
    },
  ]
  return {
    takeovers,
    async fault(n: number) {
      await pause(isFull ? 400 + random() * 800 : 300)
      await faults[isFull ? Math.floor(random() * faults.length) : n % faults.length]!()
    },
    async end() {
      shared.refuseBucket(0)
      await Promise.all(under)
    },
    figures: () => ({ ...counts, takeovers }),
  }
}

/** Any moment will do: nothing depends on which connections go. */
const CUT_SOME = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname like 'test_%' and random() < 0.5`

function failuresIn(running: readonly { heard: Followed }[]) {
  const failed = running
    .flatMap(({ heard }) => heard.rows)
    .flatMap(({ body }) => (body.type === 'tool_result' && !body.success ? [body.error_code] : []))
  return { failedCalls: failed }
}

function isRunEnd({ type }: LogRow): boolean {
  return type === 'run-end'
}

/** One result for each call that began, one end for the run, and that the model's own. */
function expectEachOnce(rows: readonly LogRow[]) {
  const begun = rows.flatMap(({ body }) => (body.type === 'call-start' ? [body.tool_call_id] : []))
  const ended = rows.flatMap(({ body }) => (body.type === 'tool_result' ? [body.tool_call_id] : []))
  expect(new Set(ended).size).toBe(ended.length)
  expect(begun.filter(id => !ended.includes(id))).toEqual([])
  const ends = rows.flatMap(({ body }) => (body.type === 'run-end' ? [body.reason] : []))
  expect(ends).toEqual(['final'])
}

function taskOf(all: readonly Task[], { messages }: FakeRequest): Task {
  const [, name] = /Do (task\d+x)\./.exec(JSON.stringify(messages))! // files of other tasks are named too
  return all.find(task => task.name === name)!
}

function treeOf({ dir }: Sandbox): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dir).map(name => [name, readFileSync(join(dir, name), 'utf8')]),
  )
}

async function fetchOnce(origin: string, path: string, body: unknown) {
  const response = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** Somebody who does none of the work: with several instances, nobody decides about their own. */
async function reviewing(origin: string) {
  const body = { name: 'reviewer', rights: ['approve'], workspaces: 'all' }
  const { token } = await asking(origin)('POST', '/tokens', body)
  return asking(origin, token)
}

/** Asks again when a connection was cut or no instance could answer, as clients of a service do. */
function asking(origin: string, token = TOKEN) {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    for (;;) {
      const response = await fetch(`${origin}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => undefined)
      if (response?.ok) return response.json()
      if (response && response.status < 500)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
}
