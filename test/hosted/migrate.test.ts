import type { TokenSummary } from '@filewright/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox } from '../cli.ts'
import { S3_KEYS, startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

const OWNER = 'the-token-that-all-instances-take'

describe.skipIf(whyNoStores)('a state folder that moves', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()

  const newPlace = async () => ({
    FILEWRIGHT_DATABASE: await shared.database(),
    FILEWRIGHT_BLOBS: shared.bucket(),
    AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    FILEWRIGHT_TOKEN: OWNER,
  })

  async function serve(env: Readonly<Record<string, string>>) {
    const child = sandbox().start(['serve', '--port', '0'], { env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const { origin } = new URL(await untilSays(child, PAGE_ADDRESS))
    return async (token: string, path: string, body?: unknown) => {
      const response = await fetch(`${origin}/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
      return { status: response.status, value: (await response.json()) as any }
    }
  }

  test('its tokens let in whom they let in before, with what they have used and decided', async () => {
    const box = sandbox({ 'a.txt': 'one\n' })
    const tokens = async (...args: readonly string[]) => {
      const { code, stdout } = await box.run(['tokens', ...args, '--json'])
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    const create = (name: string, ...more: readonly string[]) =>
      tokens('create', name, '--right', 'read', 'admin', '--workspace', 'all', ...more)
    const kept = await create('kept', '--storage-bytes', '5000')
    const gone = await create('gone')
    expect((await box.run(['tokens', 'revoke', gone.tokenId])).code).toBe(0)
    expect((await box.run(['call', 'list_files', '{}'])).code).toBe(0)
    const [before, log] = [await tokens('list', '--all'), await tokens('log')]

    const env = await newPlace()
    const moved = await box.run(['migrate', '--json'], { env })
    expect(moved.code).toBe(0)
    const { tables } = JSON.parse(moved.stdout)
    expect(tables).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'access_tokens', rows: 2 }),
        expect.objectContaining({ name: 'decisions', rows: log.decisions.length }),
      ]),
    )
    const ask = await serve(env)
    expect(await ask(gone.token, '/workspaces')).toMatchObject({ status: 401 })
    expect(await ask(kept.token, '/workspaces')).toMatchObject({ status: 200 })
    const listed = (await ask(OWNER, '/tokens?all=true')).value.tokens
    expect(listed.map(withoutUse)).toEqual(before.map(withoutUse))
    expect((await ask(OWNER, '/decisions')).value).toEqual(log)
    const made = await ask(OWNER, '/tokens', { name: 'new', rights: ['read'], workspaces: 'all' })
    expect(made.status).toBe(200) // numbers go on after those that were moved
  })

  const withoutUse = ({ lastUsed: _, ...token }: TokenSummary) => token

  test('it does not move into a database that somebody uses', async () => {
    const env = await newPlace()
    const ask = await serve(env)
    expect((await ask(OWNER, '/workspaces/new', { name: 'theirs' })).status).toBe(200)
    const box = sandbox({ 'a.txt': 'one\n' })
    expect((await box.run(['call', 'list_files', '{}'])).code).toBe(0)
    const refused = await box.run(['migrate'], { env })
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain('Name an empty one')
  })
})
