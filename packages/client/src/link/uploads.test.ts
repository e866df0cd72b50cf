import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Applied, createRouteClient, ok } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { openClientState } from '../embedded/open-client-state.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import type { StoreBlobs } from './store-blobs.ts'
import { openUploads } from './uploads.ts'

const sha = (n: number) => n.toString(16).padStart(64, '0')
const change = (n: number) =>
  ({
    changeSetId: `cs_${n}`,
    files: [{ docPath: 'a', path: 'a', before: null, after: sha(n), sizeBytes: 1 }],
  }) as unknown as Applied

test('a log of settled uploads is rewritten, and no waiting or intended upload is lost', async () => {
  const store = openStore()
  const before = await store.open()
  for (let n = 0; n < 150; n++) {
    await before.intend(`cs_${n}`)
    await before.add(change(n))
  }
  store.isAway = true
  await before.add(change(500))
  await before.intend('cs_600')
  const grown = store.lines().length
  expect(grown).toBeGreaterThan(400)

  const opened = await store.start(id => (id === 'cs_600' ? change(600) : undefined))
  expect(store.lines()).toHaveLength(2)
  await opened.intend('cs_700')
  expect(store.lines()).toHaveLength(3)

  store.isAway = false
  store.told.length = 0
  await store.start(() => undefined)
  expect(store.told).toEqual(['cs_500', 'cs_600'])
})

test('few lines stay as they are', async () => {
  const store = openStore()
  const before = await store.open()
  for (let n = 0; n < 5; n++) await before.add(change(n))
  const lines = store.lines()
  await store.start(() => undefined)
  expect(store.lines()).toEqual(lines)
})

test('a log that cannot be rewritten stays in use', async () => {
  const store = openStore()
  const before = await store.open()
  for (let n = 0; n < 200; n++) await before.add(change(n))
  mkdirSync(`${store.path}.new`)
  const after = await store.open()
  await expect(after.compact()).rejects.toMatchObject({ code: 'EISDIR' })
  await after.add(change(300))
  expect(store.told.at(-1)).toBe('cs_300')
  expect(store.lines().length).toBeGreaterThan(400)
})

test('a line that a crash cut off is ignored; damage before it is reported and kept, and the rest continues', async () => {
  const store = openStore()
  store.isAway = true
  const before = await store.open()
  for (let n = 0; n < 3; n++) await before.add(change(n))
  const whole = store.lines()
  writeFileSync(store.path, `${whole.join('\n')}\n{"add":{"chang`)
  expect((await store.open()).trouble).toEqual([])
  expect(existsSync(join(store.root, 'damaged'))).toBe(false)

  writeFileSync(store.path, `${whole[0]}\n${whole[1]!.slice(9)}\nnull\n${whole[2]}\n`)
  store.isAway = false
  const opened = await store.start(() => undefined)
  expect(opened.trouble).toEqual([expect.stringMatching(/2 of its lines .+damaged\/uploads-/)])
  expect(store.told).toEqual(['cs_0', 'cs_2'])
  expect(readdirSync(join(store.root, 'damaged'))).toHaveLength(1)
  expect((await store.start(() => undefined)).trouble).toEqual([])
})

/** A store that receives change sets, or is away. */
function openStore() {
  const root = makeTempFolder()
  const path = join(root, 'uploads.jsonl')
  const told: string[] = []
  const blobs: StoreBlobs = {
    send: async (_, { only }) => ok({ sha256: only }) as never,
    put: async () => {},
  }
  const store = {
    ...{ root, path, told, isAway: false },
    lines: () => readFileSync(path, 'utf8').trimEnd().split('\n'),
    async open() {
      return openUploads({
        list: (await openClientState(root)).uploads,
        blobs,
        call: createRouteClient({
          fetch: async request => {
            if (store.isAway) throw new Error('away')
            told.push(((await request.json()) as { changeSetId: string }).changeSetId)
            return new Response('{}')
          },
          origin: 'http://store.local',
          token: 't',
        }).call,
        workspaceId: 'ws_1',
        allowsReading: () => false,
        onError: () => {},
      })
    },
    /** As a client does when it starts. */
    async start(find: (id: string) => Applied | undefined) {
      const uploads = await store.open()
      await uploads.settle(async id => find(id))
      await uploads.catchUp()
      await uploads.compact()
      return uploads
    },
  }
  return store
}
