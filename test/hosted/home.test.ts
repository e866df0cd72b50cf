import { apply, findUndoable, openStoredState, recover, undo } from '@filewright/client'
import {
  type ChangeSet,
  type ChangeSetId,
  type DocPath,
  inline,
  type RelativePath,
  type Sha256,
  unwrap,
} from '@filewright/protocol'
import { HomeLost, type HostedHold, type Stores } from '@filewright/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256Of } from '../../packages/client/src/workspace/tree/hash-content.ts'
import { startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { holdNew, newPlace, openFiles } from './held.ts'

describe.skipIf(whyNoStores)('the home of a hosted workspace', async () => {
  if (whyNoStores) return
  const shared = await startSharedStores()

  async function open(count: number): Promise<Stores[]> {
    const openOne = await newPlace(shared)
    const all = await Promise.all(Array.from({ length: count }, openOne))
    onTestFinished(async () => void (await Promise.all(all.map(stores => stores.close()))))
    return all
  }

  test('one that was taken over writes nothing more, and loses nothing that it wrote', async () => {
    const [old, fresh] = (await open(2)) as [Stores, Stores]
    const { workspaceId, hold } = await holdNew(old)
    const { write } = await openFiles(hold.files)
    await write('a.txt', 'one')
    await hold.lines.append('drafts/open/drf_1', 'first')
    const sha256 = await hold.blobs('drafts').put(Buffer.from('kept'))

    const taken = (await fresh.hosted!.claim(workspaceId))! // the old one never said that it is up
    const tries = [
      () => hold.lines.append('drafts/open/drf_1', 'late'),
      () => hold.lines.replace('rules', ['late']),
      () => hold.lines.remove('drafts/open/drf_1'),
      () => hold.blobs('drafts').put(Buffer.from('late')),
      () => hold.blobs('drafts').remove(sha256, { unusedSince: Date.now() + 60_000 }),
      () => write('a.txt', 'late'),
      () => write('b.txt', 'late'),
    ]
    for (const attempt of tries) await expect(attempt()).rejects.toThrow(HomeLost)
    expect(hold.lines.isBroken).toBe(true)
    expect(await old.hosted!.held()).toEqual(new Map())
    expect(await fresh.hosted!.held()).toEqual(new Map([[workspaceId, taken.epoch]]))

    expect(await taken.lines.read('drafts/open/drf_1')).toEqual(['first'])
    expect(await taken.lines.read('rules')).toEqual([])
    expect(await textOf(taken, 'a.txt')).toBe('one')
    expect((await taken.files.list()).map(({ path }) => path)).toEqual(['a.txt'])
    expect(Buffer.from((await taken.blobs('drafts').get(sha256))!).toString()).toBe('kept')
    await hold.release() // too late to matter
    expect(await fresh.hosted!.held()).toEqual(new Map([[workspaceId, taken.epoch]]))
  })

  test('an instance that is up keeps its workspaces, and one that left or fell silent loses them', async () => {
    const [here, there] = (await open(2)) as [Stores, Stores]
    await here.homes!.announce('http://127.0.0.1:1')
    const { workspaceId, hold } = await holdNew(here)
    expect(await there.hosted!.claim(workspaceId)).toBeUndefined()
    expect(await there.homes!.elsewhere(workspaceId)).toBe('http://127.0.0.1:1')
    expect(await here.hosted!.claim(workspaceId)).toMatchObject({ epoch: expect.any(Number) })
    await hold.release() // an older epoch of its own
    expect(await there.hosted!.claim(workspaceId)).toBeUndefined()
    await here.homes!.settle(workspaceId)
    await here.homes!.leave(workspaceId) // the epoch says whose it is, not who attached last
    expect(await there.hosted!.claim(workspaceId)).toBeUndefined()
    await here.homes!.retire()
    expect(await there.hosted!.claim(workspaceId)).toMatchObject({ epoch: expect.any(Number) })
  })

  test('what somebody else takes for the state of its files never moves them', async () => {
    const [stores] = (await open(1)) as [Stores]
    const { workspaceId, hold } = await holdNew(stores)
    const { write } = await openFiles(hold.files)
    await write('a.txt', 'one')
    await write('old.txt', 'old')
    const old = (await hold.files.list()).find(({ path }) => path === 'old.txt')!
    const move = (sha256: Sha256 | null) =>
      stores.sources.moveHeads(
        workspaceId,
        [{ docPath: 'a.txt' as DocPath, path: 'a.txt' as RelativePath, sha256, sizeBytes: 3 }],
        { kind: 'read-through' },
      )
    expect(await move(old.sha256)).toMatchObject({ failure: { code: 'CONFLICT' } })
    expect(await move(null)).toMatchObject({ failure: { code: 'CONFLICT' } })
    expect(await move(sha256Of(Buffer.from('one')))).toMatchObject({ ok: true })
    expect(await textOf(hold, 'a.txt')).toBe('one')
  })

  test('a workspace is removed with all it has, and no other', async () => {
    const [stores] = (await open(1)) as [Stores]
    const { workspaceId, hold } = await holdNew(stores)
    const other = await holdNew(stores)
    for (const each of [hold, other.hold]) {
      await (await openFiles(each.files)).write('a.txt', 'the same')
      await each.lines.append('rules', 'one')
      await each.blobs('drafts').put(Buffer.from('base'))
    }
    await stores.hosted!.remove(workspaceId)
    expect(await stores.hosted!.find(workspaceId)).toBeUndefined()
    expect(await stores.hosted!.claim(workspaceId)).toBeUndefined()
    expect(await hold.files.list()).toEqual([])
    await expect(hold.lines.append('rules', 'two')).rejects.toThrow(HomeLost)
    expect(await textOf(other.hold, 'a.txt')).toBe('the same')
    expect(await other.hold.lines.read('rules')).toEqual(['one'])
    expect(await other.hold.blobs('drafts').list()).toHaveLength(1)
  })

  test('a change set is written all or none, and taken back from old versions', async () => {
    const [stores] = (await open(1)) as [Stores]
    const ports = await openPorts((await holdNew(stores)).hold)
    const { workspace } = ports
    const read = async (path: string) => {
      const found = await workspace.read(path)
      return found.ok ? Buffer.from(found.value.bytes).toString() : found.failure.code
    }
    const first = changeSet('cs_1', [created('Sub/A.txt', 'one'), created('b.bin', LARGE)])
    expect(unwrap(await apply(first, ports))).toMatchObject({
      files: [{ after: hashOf('one') }, {}],
    })

    const edited = changed('Sub/A.txt', 'one', 'two')
    const clash = changeSet('cs_2', [edited, changed('b.bin', 'not this', 'x')])
    expect(await apply(clash, ports)).toMatchObject({ failure: { code: 'CONFLICT' } })
    expect(await read('sub/a.txt')).toBe('one')

    const slices = [
      { from: 'base', start: LARGE.length - 3, end: LARGE.length },
      { from: 'inline', bytes: Buffer.from('!') },
      { from: 'base', start: 0, end: 2 },
    ] as const
    const cut = { ...changed('b.bin', LARGE, 'xxx!xx'), content: slices }
    const moved = [deleted('Sub/A.txt', 'one'), created('Sub/a.txt', 'two')] // spelled in another way
    unwrap(await apply(changeSet('cs_3', [...moved, cut]), ports))
    expect(await read('b.bin')).toBe('xxx!xx')
    expect(await workspace.locate('SUB/a.txt')).toMatchObject({ value: { path: 'Sub/a.txt' } })

    const last = findUndoable(await ports.checkpoints.list())!
    expect(last.changeSetId).toBe('cs_3')
    unwrap(await undo(last.changeSetId, ports, { as: 'cs_4' as ChangeSetId }))
    expect(await read('Sub/A.txt')).toBe('one')
    expect(await read('b.bin')).toBe(LARGE)
    unwrap(await undo('cs_1' as ChangeSetId, ports, { as: 'cs_5' as ChangeSetId }))
    expect(await read('Sub/A.txt')).toBe('NOT_FOUND')
    expect(await (await workspace.openTree()).folder('').then(root => root.entries())).toEqual([])
  })

  test('a start learns from the store whether a change set happened', async () => {
    const [stores] = (await open(1)) as [Stores]
    const { workspaceId, hold } = await holdNew(stores)
    const ports = await openPorts(hold)
    const { atOnce } = ports.workspace
    const cutOff = async (id: string, when: 'before' | 'after') => {
      const workspace = {
        ...ports.workspace,
        atOnce: {
          ...atOnce,
          move: async (...given: Parameters<typeof atOnce.move>) => {
            if (when === 'after') unwrap(await atOnce.move(...given))
            throw new Error('killed')
          },
        },
      }
      const set = changeSet(id, [created(`${id}.txt`, id)])
      await expect(apply(set, { ...ports, workspace })).rejects.toThrow('killed')
      const again = await openPorts((await stores.hosted!.claim(workspaceId))!)
      const recovered = await recover(again)
      Object.assign(ports, again)
      return recovered
    }
    const done = await cutOff('cs_1', 'after')
    expect(done).toMatchObject({ finished: [{ changeSetId: 'cs_1' }], undone: [] })
    const undone = await cutOff('cs_2', 'before')
    expect(undone).toMatchObject({ finished: [], undone: ['cs_2'] })
    const ids = (await ports.checkpoints.list()).map(({ changeSetId }) => changeSetId)
    expect(ids).toEqual(['cs_1'])
    expect((await hold.files.list()).map(({ path }) => path)).toEqual(['cs_1.txt'])
  })
})

const LARGE = 'x'.repeat(5 * 1024 * 1024)

async function openPorts(hold: HostedHold) {
  const { workspace } = await openFiles(hold.files)
  const { journal, checkpoints } = await openStoredState(hold, workspace.atOnce)
  let count = 0
  const randomHex = (digits: number) => String(++count).padStart(digits, '0')
  return { workspace, journal, checkpoints, now: Date.now, randomHex }
}

type Files = ChangeSet['files']

function changeSet(id: string, files: Files): ChangeSet {
  return { id: id as ChangeSetId, label: id, files }
}

function created(path: string, text: string): Files[number] {
  return { ...place(path), base: null, content: inline(Buffer.from(text)), sha256: hashOf(text) }
}

function changed(path: string, before: string, after: string): Files[number] {
  return { ...created(path, after), base: hashOf(before) }
}

function deleted(path: string, before: string): Files[number] {
  return { ...place(path), base: hashOf(before), content: null, sha256: null }
}

function place(path: string) {
  return { docPath: path.toLowerCase() as DocPath, path: path as RelativePath }
}

function hashOf(text: string): Sha256 {
  return sha256Of(Buffer.from(text))
}

async function textOf({ files }: HostedHold, path: string): Promise<string | undefined> {
  const file = (await files.list()).find(each => each.path === path)
  const bytes = file && (await files.read(file.sha256))
  return bytes && Buffer.from(bytes).toString()
}
