import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { startBalancer } from '../instances/balancer.ts'
import { follow } from '../instances/follow.ts'
import { S3_KEYS, startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

const TOKEN = 'the-token-that-all-instances-take'
const TURNS = 10
const isFull = process.env.FILEWRIGHT_FULL === '1'
/** When the home is killed while it publishes: before, in the middle of, and after its one step. */
const KILLED_AFTER_MS = isFull ? [0, 5, 10, 20, 30, 45, 60, 90, 150] : [10, 40]
const PUBLISHED = 40

describe.skipIf(whyNoStores)('a hosted workspace', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()

  async function startInstances(count: number, modelUrl: string) {
    const database = await shared.database()
    const env = {
      FILEWRIGHT_DATABASE: database,
      FILEWRIGHT_BLOBS: shared.bucket(),
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
      FILEWRIGHT_TOKEN: TOKEN,
      FILEWRIGHT_BASE_URL: modelUrl,
    }
    return Promise.all(
      Array.from({ length: count }, async () => {
        const child = sandbox().start(['serve', '--port', '0'], { env })
        onTestFinished(() => void child.kill('SIGKILL'))
        const port = Number(new URL(await untilSays(child, PAGE_ADDRESS)).port)
        return { child, port, database, ...reaching(`http://127.0.0.1:${port}`) }
      }),
    )
  }

  test('a person with a browser alone makes one, works in it at any instance, and deletes it', async () => {
    const model = await fakeModel([...steps(2), { text: 'Written.' }])
    const [here, there] = await startInstances(2, model.baseUrl)
    const made = await here!.ask('POST', '/workspaces/new', { name: 'Papers' })
    expect(made).toMatchObject({ name: 'Papers', workspaceId: expect.stringMatching(/^ws_/) })
    const at = `/workspaces/${made.workspaceId}`
    const bytes = Buffer.from([0, 255, 13, 10, 239, 187, 191])
    await there!.put(`${at}/content?path=Data%2FRaw.bin`, bytes)
    await here!.put(`${at}/content?path=notes.txt`, Buffer.from('one\r\ntwo\n'))
    const twice = await there!.put(`${at}/content?path=NOTES.txt`, bytes)
    expect(twice).toMatchObject({ errorCode: 'CONFLICT' })
    const paths = async () =>
      (await there!.ask('GET', `${at}/files`)).files.map(({ path }: { path: string }) => path)
    expect(await paths()).toEqual(['Data/Raw.bin', 'notes.txt'])
    expect(Buffer.from(await here!.get(`${at}/content?path=data%2Fraw.bin`))).toEqual(bytes)

    const { sessionId } = await here!.ask('POST', `${at}/sessions`, {})
    const session = `${at}/sessions/${sessionId}`
    const heard = follow(`http://127.0.0.1:${there!.port}/api${session}/events`, TOKEN)
    onTestFinished(heard.stop)
    await there!.ask('POST', `${session}/messages`, { text: 'Write them.' })
    await expect.poll(() => heard.rows.some(({ type }) => type === 'run-end')).toBe(true)
    const [draft] = await there!.ask('GET', `${at}/drafts?state=open`)
    const review = await here!.ask('GET', `${at}/review?draftId=${draft.id}`)
    expect(review.diffs).toHaveLength(2)
    expect(await there!.ask('POST', `${at}/publish`, {})).toMatchObject({ errorCode: 'DENIED' })
    const reviewer = await there!.reviewing()
    expect((await reviewer.ask('POST', `${at}/publish`, {})).files).toHaveLength(2)
    expect(await paths()).toHaveLength(4)
    expect((await here!.ask('POST', `${at}/undo`, {})).files).toHaveLength(2)
    expect(await paths()).toHaveLength(2)
    expect((await there!.ask('POST', `${at}/redo`, {})).files).toHaveLength(2)
    expect(text(await here!.get(`${at}/content?path=file-1.txt`))).toBe('1\n')

    const refused = await here!.ask('POST', '/folders', { path: '/' })
    expect(refused).toMatchObject({
      errorCode: 'DENIED',
      message: expect.stringContaining('store'),
    })
    for (const set of [{ baseUrl: 'http://10.0.0.1/v1' }, { model: 'demo' }, { apiKey: 'key' }])
      expect(await here!.ask('POST', '/models', set)).toMatchObject({ errorCode: 'DENIED' })
    const linked = await here!.ask('GET', `${at}/link`)
    expect(linked).toMatchObject({ errorCode: 'DENIED' })

    expect(await there!.ask('PUT', at, { name: 'Old papers' })).toMatchObject({ isHosted: true })
    const listed = await here!.ask('GET', '/workspaces')
    expect(listed).toMatchObject({
      opensFolders: false,
      workspaces: [{ name: 'Old papers', isHosted: true, isAttached: true }],
    })
    expect(await there!.ask('DELETE', at)).toBeNull()
    for (const { ask } of [here!, there!])
      expect(await ask('GET', `${at}/files`)).toMatchObject({ errorCode: 'NOT_FOUND' })
    expect(await here!.ask('GET', '/workspaces')).toMatchObject({ workspaces: [] })
    const { decisions } = await there!.ask('GET', '/decisions')
    const deleted = { action: 'deleteWorkspace', name: 'owner', outcome: 'done' }
    expect(decisions[0]).toMatchObject({ ...deleted, target: made.workspaceId })
    expect(decisions.map(({ action }: { action: string }) => action)).toContain('publish')
  })

  test('a run goes on at another instance when its home is killed or frozen', async () => {
    const model = await fakeModel([...steps(TURNS), { text: 'All written.' }])
    const all = await startInstances(3, model.baseUrl)
    const balancer = await startBalancer(all.map(({ port }) => port))
    const { ask, reviewing } = reaching(balancer.origin)
    const { workspaceId } = await ask('POST', '/workspaces/new', {})
    const at = `/workspaces/${workspaceId}`
    const { sessionId } = await ask('POST', `${at}/sessions`, {})
    const session = `${at}/sessions/${sessionId}`
    const heard = follow(`${balancer.origin}/api${session}/events`, TOKEN)
    onTestFinished(heard.stop)
    const homeNow = async () => {
      const [home] = await shared.find(all[0]!.database, HOME)
      return all.find(({ port }) => home.url.endsWith(`:${port}`))!
    }
    const down: Awaited<ReturnType<typeof homeNow>>[] = []
    const faults = new Map<number, NodeJS.Signals>([
      [3, 'SIGKILL'],
      [6, 'SIGSTOP'],
    ])
    model.onRequest = async step => {
      const signal = faults.get(step)
      faults.delete(step)
      if (signal === undefined) return true
      const home = await homeNow() // any of those that are left may have taken it over
      home.child.kill(signal)
      balancer.leaveOut(home.port)
      down.push(home)
      return false
    }
    await ask('POST', `${session}/messages`, { text: 'Write them.' })
    const isDone = () => heard.rows.some(({ type }) => type === 'run-end')
    await expect.poll(isDone, { timeout: 60_000 }).toBe(true)
    const frozen = down[1]!
    const survivor = all.find(each => !down.includes(each))!
    frozen.child.kill('SIGCONT') // it wakes, and may write nothing any more

    expect(heard.rows.map(({ seq }) => seq)).toEqual(heard.rows.map((_, i) => i + 1))
    expect(heard.rows.findLast(({ type }) => type === 'run-end')!.body).toMatchObject({
      reason: 'final',
    })
    expect(heard.rows.filter(({ type }) => type === 'tool_result')).toHaveLength(TURNS)
    const reviewer = await reviewing()
    expect((await reviewer.ask('POST', `${at}/publish`, {})).files).toHaveLength(TURNS)
    balancer.takeIn(frozen.port)
    for (const asked of [ask, frozen.ask]) {
      const { files } = await untilHome(() => asked('GET', `${at}/files`))
      expect(files).toHaveLength(TURNS)
    }
    for (let turn = 0; turn < TURNS; turn++)
      expect(text(await survivor.get(`${at}/content?path=file-${turn}.txt`))).toBe(`${turn}\n`)
  })

  test('a publish that a kill cut off happened as a whole or not at all, and is not done twice', async () => {
    const model = await fakeModel([])
    const all = await startInstances(KILLED_AFTER_MS.length + 1, model.baseUrl)
    const { workspaceId } = await all[0]!.ask('POST', '/workspaces/new', {})
    const at = `/workspaces/${workspaceId}`
    const { token } = await all[0]!.reviewing()
    for (const [round, wait] of KILLED_AFTER_MS.entries()) {
      const [home, next] = [all[round]!, all[round + 1]!]
      const [reviewer, nextReviewer] = [reaching(home.origin, token), reaching(next.origin, token)]
      const { sessionId } = await untilHome(() => home.ask('POST', `${at}/sessions`, {}))
      const call = (tool: string, args: unknown) =>
        home.ask('POST', `${at}/sessions/${sessionId}/calls`, { tool, arguments: args })
      for (let n = 0; n < PUBLISHED; n++) {
        const content = `round ${round}\n${'x'.repeat(n * 1000)}\n`
        const path = `folder/File ${n}.txt`
        expect(await call('write_text_file', { path, content })).toMatchObject({ success: true })
      }
      const [draft] = await home.ask('GET', `${at}/drafts?state=open`)
      const publishing = reviewer
        .ask('POST', `${at}/publish`, { draftId: draft.id })
        .catch(() => 'cut')
      await new Promise(resolve => setTimeout(resolve, wait))
      home.child.kill('SIGKILL')
      await publishing

      const { changeSets } = await untilHome(() => next.ask('GET', `${at}/change-sets`))
      const before = round
      const isThere = changeSets.length === before + 1
      expect([before, before + 1]).toContain(changeSets.length)
      const rounds = await roundsOf(next, at)
      const expected = isThere ? `round ${round}` : before === 0 ? undefined : `round ${round - 1}`
      expect(rounds).toEqual(expected === undefined ? [] : Array(PUBLISHED).fill(expected))
      if (!isThere) {
        const again = await nextReviewer.ask('POST', `${at}/publish`, { draftId: draft.id })
        expect(again.files).toHaveLength(PUBLISHED)
      }
      expect(await roundsOf(next, at)).toEqual(Array(PUBLISHED).fill(`round ${round}`))
      const after = await next.ask('GET', `${at}/change-sets`)
      expect(after.changeSets).toHaveLength(before + 1)
      expect(await next.ask('GET', `${at}/drafts?state=open`)).toEqual([])
    }
  })

  async function roundsOf({ ask, get }: { ask: Ask; get: Get }, at: string): Promise<string[]> {
    const { files } = await ask('GET', `${at}/files`)
    const lines = files.map(async ({ path }: { path: string }) => {
      const content = text(await get(`${at}/content?path=${encodeURIComponent(path)}`))
      return content.split('\n')[0]!
    })
    return Promise.all(lines)
  }
})

/** The one workspace of a database has one home. */
const HOME = 'select url from homes join instances using (instance)'

function steps(count: number): FakeStep[] {
  return Array.from({ length: count }, (_, turn) => ({
    text: `File ${turn}.`,
    calls: [
      { name: 'write_text_file', arguments: { path: `file-${turn}.txt`, content: `${turn}\n` } },
    ],
  }))
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
type Ask = (method: string, path: string, body?: unknown) => Promise<any>
type Get = (path: string) => Promise<ArrayBuffer>

/** While a dead instance is still taken for the home, for seconds, the others say so. */
async function untilHome<Answer extends { readonly kind?: string }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await ask()
  await expect
    .poll(
      async () => {
        if (answer.kind === 'unavailable') answer = await ask()
        return answer.kind
      },
      { timeout: 60_000 },
    )
    .not.toBe('unavailable')
  return answer
}

function text(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString()
}

interface Reaching {
  readonly origin: string
  readonly token: string
  readonly ask: Ask
  readonly get: Get
  readonly put: (path: string, bytes: Uint8Array) => Promise<unknown>
  /** Somebody who did none of the work: in a hosted installation nobody decides about their own. */
  readonly reviewing: () => Promise<Reaching>
}

function reaching(origin: string, token = TOKEN): Reaching {
  const send = (method: string, path: string, type: string, body?: string | Uint8Array) =>
    fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body !== undefined && { body: body as string }),
    })
  const ask: Ask = async (method, path, body) => {
    const given = body === undefined ? undefined : JSON.stringify(body)
    return (await send(method, path, 'application/json', given)).json()
  }
  return {
    origin,
    token,
    ask,
    get: async path => (await send('GET', path, 'application/json')).arrayBuffer(),
    put: async (path, bytes) => (await send('PUT', path, 'application/octet-stream', bytes)).json(),
    async reviewing() {
      const body = { name: 'reviewer', rights: ['approve'], workspaces: 'all' }
      return reaching(origin, (await ask('POST', '/tokens', body)).token)
    },
  }
}
