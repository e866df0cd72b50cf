import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type FakeRequest, type FakeStep, fakeModel } from '../fake-model.ts'
import { S3_KEYS, startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'
import { verifies } from '../verifies.ts'
import { startBalancer } from './balancer.ts'
import { follow } from './follow.ts'

const TOKEN = 'the-token-that-all-instances-take'
const TURNS = 12
const isFull = process.env.FILEWRIGHT_FULL === '1'
const SESSIONS = 100
/** Until the model is asked again. The goal is 5 s; other tests may use the processor meanwhile. */
const MOST_TAKEOVER_MS = isFull ? 5_000 : 30_000

describe.skipIf(whyNoStores)('several instances on one database and bucket', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()

  const newPlace = async () => ({
    FILEWRIGHT_DATABASE: await shared.database(),
    FILEWRIGHT_BLOBS: shared.bucket(),
    AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  })

  async function startInstances(count: number, modelUrl: string) {
    const place = await newPlace()
    const env = { ...place, FILEWRIGHT_TOKEN: TOKEN, FILEWRIGHT_BASE_URL: modelUrl }
    return Promise.all(
      Array.from({ length: count }, async () => {
        const child = sandbox().start(['serve', '--port', '0'], { env })
        onTestFinished(() => void child.kill('SIGKILL'))
        const port = Number(new URL(await untilSays(child, PAGE_ADDRESS)).port)
        return { child, port }
      }),
    )
  }

  test('a run goes on at another instance when its own is killed or frozen', async () => {
    const model = await fakeModel([...steps(TURNS), { text: 'All written.' }])
    const all = await startInstances(3, model.baseUrl)
    const ports = all.map(({ port }) => port)
    const balancer = await startBalancer(ports)
    const others = await startBalancer(ports.toReversed()) // the reader asks an instance that must pass it on
    const near = sandbox({ 'a.txt': 'a\n' })
    const attaching = near.start(['attach', '-C', near.dir, '--server', balancer.origin, '--yes'], {
      env: { FILEWRIGHT_TOKEN: TOKEN },
    })
    const workspaceId = (await untilSays(attaching, /as ws_\w+/)).slice(3)

    const ask = asking(others.origin)
    const workspace = `/workspaces/${workspaceId}`
    const { sessionId } = await ask('POST', `${workspace}/sessions`, {})
    const session = `${workspace}/sessions/${sessionId}`
    const heard = follow(`${others.origin}/api${session}/events`, TOKEN)
    onTestFinished(heard.stop)

    const takeovers: number[] = []
    let downSince = 0
    const down = ({ child, port }: (typeof all)[number], signal: NodeJS.Signals) => {
      child.kill(signal)
      balancer.leaveOut(port)
      others.leaveOut(port)
      downSince = performance.now()
    }
    const faults = new Map<number, () => void>([
      [3, () => down(all[0]!, 'SIGKILL')],
      [6, () => down(all[1]!, 'SIGSTOP')],
    ])
    model.onRequest = step => {
      const fault = faults.get(step)
      faults.delete(step)
      if (downSince > 0) takeovers.push(performance.now() - downSince)
      downSince = 0
      fault?.()
      return !fault // whoever asked is gone
    }
    await ask('POST', `${session}/messages`, { text: 'Write them.' })
    await expect.poll(() => heard.rows.some(({ type }) => type === 'run-end')).toBe(true)

    expect(heard.rows.map(({ seq }) => seq)).toEqual(heard.rows.map((_, i) => i + 1))
    expect(heard.rows.at(-1)!.body).toMatchObject({ type: 'run-end', reason: 'final' })
    const results = heard.rows.filter(({ type }) => type === 'tool_result')
    expect(results).toHaveLength(TURNS)
    all[1]!.child.kill('SIGCONT') // it wakes, and may write nothing any more
    const published = await (await reviewing(others.origin))('POST', `${workspace}/publish`, {})
    expect(published.files).toHaveLength(TURNS)
    for (let turn = 0; turn < TURNS; turn++) expect(near.read(`file-${turn}.txt`)).toBe(`${turn}\n`)
    expect(takeovers).toHaveLength(2)
    expect(Math.max(...takeovers)).toBeLessThan(MOST_TAKEOVER_MS)
  })

  test.skipIf(!isFull)(
    'sessions end whole while the database cuts connections and the bucket is busy',
    async () => {
      const model = await fakeModel([])
      model.scriptFor = request => [...steps(TURNS, taskOf(request)), { text: 'All written.' }]
      const all = await startInstances(2, model.baseUrl)
      const balancer = await startBalancer(all.map(({ port }) => port))
      const near = sandbox()
      const attaching = near.start(
        ['attach', '-C', near.dir, '--server', balancer.origin, '--yes'],
        {
          env: { FILEWRIGHT_TOKEN: TOKEN },
        },
      )
      const workspace = `/workspaces/${(await untilSays(attaching, /as ws_\w+/)).slice(3)}`
      const ask = asking(balancer.origin)
      const tasks = Array.from({ length: SESSIONS }, (_, i) => `task${i}`)
      const heard = await Promise.all(
        tasks.map(async task => {
          const { sessionId } = await ask('POST', `${workspace}/sessions`, {})
          const session = `${workspace}/sessions/${sessionId}`
          const followed = follow(`${balancer.origin}/api${session}/events`, TOKEN)
          onTestFinished(followed.stop)
          await ask('POST', `${session}/messages`, { text: task })
          return followed
        }),
      )
      shared.refuseBucket(0.2)
      const cutting = setInterval(() => void shared.administer(CUT_SOME).catch(() => {}), 700)
      onTestFinished(() => clearInterval(cutting))
      const areDone = () => heard.every(({ rows }) => rows.some(({ type }) => type === 'run-end'))
      await expect.poll(areDone, { timeout: 240_000 }).toBe(true)
      clearInterval(cutting)
      shared.refuseBucket(0)

      for (const { rows } of heard) {
        expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
        expect(rows.findLast(({ type }) => type === 'run-end')!.body).toMatchObject({
          reason: 'final',
        })
        const results = rows.filter(({ body }) => body.type === 'tool_result' && body.success)
        expect(results).toHaveLength(TURNS)
      }
      const review = await reviewing(balancer.origin)
      for (const { id } of await ask('GET', `${workspace}/drafts`))
        expect((await review('POST', `${workspace}/publish`, { draftId: id })).files).toHaveLength(
          TURNS,
        )
      for (const task of tasks)
        for (let turn = 0; turn < TURNS; turn++)
          expect(near.read(`${task}-${turn}.txt`)).toBe(`${turn}\n`)
    },
  )

  verifies(
    'CONTRACT §9 migrate',
    'a state folder moves to a database and a bucket, and everything is there as it was',
    async () => {
      const box = sandbox({ 'a.txt': 'one\ntwo\n' })
      const env = await newPlace()
      const read = await box.call('workspace_read_file', { path: 'a.txt' })
      const changes = [
        { operation: 'delete', startLine: 1, endLine: 1, expectedOriginalLines: ['one'] },
      ]
      const { version } = read.result.file
      const files = [{ docPath: 'a.txt', originalSha256: version, changes }]
      expect((await box.call('workspace_write_patch', { files }, ['--yes'])).code).toBe(0)
      await box.call('write_text_file', { path: 'b.txt', content: 'b\n' })
      expect((await box.run(['publish', '--yes'])).code).toBe(0)
      const log = (await box.run(['log', '--jsonl'])).stdout

      const moved = await box.run(['migrate', '--json'], { env })
      expect(moved.code).toBe(0)
      const { tables, blobs, missing } = JSON.parse(moved.stdout)
      const rows = Object.fromEntries(
        tables.map(({ name, rows }: { name: string; rows: number }) => [name, rows]),
      )
      expect(rows).toMatchObject({ sessions: 1, heads: 2, batches: 1, fates: expect.any(Number) })
      expect(rows.fates).toBeGreaterThan(1)
      expect([blobs, missing]).toEqual([3, []])
      const again = await box.run(['migrate'], { env })
      expect(again).toMatchObject({ code: 4, stdout: '' })

      expect((await box.run(['log', '--jsonl'], { env })).stdout).toBe(log)
      expect((await box.run(['undo'], { env })).code).toBe(0)
      expect(box.exists('b.txt')).toBe(false)
      expect((await box.run(['migrate', '--from', box.dir], { env })).code).toBe(3)
      expect((await box.run(['migrate'])).code).toBe(2)
    },
  )
})

/** Any moment will do: nothing depends on which connections go. */
const CUT_SOME = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname like 'test_%' and random() < 0.4`

function taskOf({ messages }: FakeRequest): string {
  return /task\d+/.exec(JSON.stringify(messages))![0]
}

function steps(count: number, name = 'file'): FakeStep[] {
  return Array.from({ length: count }, (_, turn) => ({
    text: `File ${turn}.`,
    calls: [
      { name: 'write_text_file', arguments: { path: `${name}-${turn}.txt`, content: `${turn}\n` } },
    ],
  }))
}

/** Somebody who did none of the work: with several instances, nobody decides about their own. */
async function reviewing(origin: string) {
  const body = { name: 'reviewer', rights: ['approve'], workspaces: 'all' }
  const { token } = await asking(origin)('POST', '/tokens', body)
  return asking(origin, token)
}

function asking(origin: string, token = TOKEN) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
    return (await response.json()) as any
  }
}
