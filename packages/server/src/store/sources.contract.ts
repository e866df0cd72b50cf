import {
  type ChangeSetId,
  type DocPath,
  type RelativePath,
  type Sha256,
  toDocPath,
  toVersion,
  unwrap,
  type Version,
  type WorkspaceId,
} from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { Blobs } from './blobs.ts'
import type { HeadMove, Origin, Sources } from './sources.ts'

const HERE = 'ws_here' as WorkspaceId
const ELSEWHERE = 'ws_elsewhere' as WorkspaceId
const UPLOAD: Origin = { kind: 'upload' }

/** What every source store does. `make` gives a new, empty one and the blobs it refers to. */
export function sourcesContract(
  name: string,
  make: () => Promise<{ sources: Sources; blobs: Blobs }>,
): void {
  describe(name, () => {
    let sources: Sources
    let blobs: Blobs
    beforeEach(async () => {
      ;({ sources, blobs } = await make())
    })

    async function put(content: string) {
      return unwrap(await blobs.put(new TextEncoder().encode(content)))
    }
    async function move(path: string, content: string | null, expected?: Sha256 | null) {
      const ref = content === null ? { sha256: null, sizeBytes: 0 } : await put(content)
      const docPath = toDocPath(path as RelativePath)
      return { docPath, path: path as RelativePath, ...ref, expected } satisfies HeadMove
    }
    async function upload(path: string, content: string | null): Promise<Sha256> {
      const [head] = unwrap(await sources.moveHeads(HERE, [await move(path, content)], UPLOAD))
      return head!.sha256!
    }
    const head = async (docPath: string) => sources.head(HERE, docPath as DocPath)

    test('a file is found by its docPath and keeps its spelling', async () => {
      const sha256 = await upload('Src/App.ts', 'one')
      expect(await head('src/app.ts')).toMatchObject({
        docPath: 'src/app.ts',
        path: 'Src/App.ts',
        sha256,
        sizeBytes: 3,
        origin: { kind: 'upload' },
      })
      expect(await head('other')).toBeUndefined()
      const heads = await sources.heads(HERE, ['src/app.ts', 'other'] as DocPath[])
      expect([...heads.keys()]).toEqual(['src/app.ts'])
    })

    verifies(
      'CONTRACT §5 heads swapped together',
      'a change set moves all heads, or none when one moved meanwhile',
      async () => {
        const a = await upload('a', 'a1')
        const b = await upload('b', 'b1')
        const origin = { kind: 'change-set', changeSetId: 'cs_1' as ChangeSetId } as const
        const moves = [
          await move('a', 'a2', a),
          await move('b', 'b2', b),
          await move('c', 'c1', null),
        ]
        const other = await upload('b', 'b-other')

        expect(await sources.moveHeads(HERE, moves, origin)).toMatchObject({
          failure: { code: 'CONFLICT', details: { moved: [{ docPath: 'b', sha256: other }] } },
        })
        expect((await head('a'))?.sha256).toBe(a)
        expect(await head('c')).toBeUndefined()

        moves[1] = await move('b', 'b2', other)
        const heads = unwrap(await sources.moveHeads(HERE, moves, origin))
        expect(heads.map(({ docPath, sha256 }) => [docPath, sha256])).toEqual(
          moves.map(({ docPath, sha256 }) => [docPath, sha256]),
        )
        expect(await head('c')).toMatchObject({ origin })
      },
    )

    test('a file that must not exist is a conflict where it does, with its hash', async () => {
      const sha256 = await upload('a', 'there')
      expect(await sources.moveHeads(HERE, [await move('a', 'new', null)], UPLOAD)).toMatchObject({
        failure: { code: 'CONFLICT', details: { moved: [{ docPath: 'a', sha256 }] } },
      })
    })

    test('a change set sent again is in already, also after later changes', async () => {
      const origin = { kind: 'change-set', changeSetId: 'cs_1' as ChangeSetId } as const
      const moves = [await move('a', 'a1', null)]
      const first = unwrap(await sources.moveHeads(HERE, moves, origin))
      expect(unwrap(await sources.moveHeads(HERE, moves, origin))).toEqual(first)
      const later = await upload('a', 'a2')
      expect(unwrap(await sources.moveHeads(HERE, moves, origin))).toEqual(first)
      expect((await head('a'))?.sha256).toBe(later)
    })

    test('bytes that have not arrived are named, and nothing is stored', async () => {
      const sha256 = 'f'.repeat(64) as Sha256
      const moves = [await move('a', 'a1'), { ...(await move('b', 'b1')), sha256 }]
      expect(await sources.moveHeads(HERE, moves, UPLOAD)).toMatchObject({
        failure: { code: 'NOT_FOUND', details: { missing: [sha256] } },
      })
      expect(await head('a')).toBeUndefined()
    })

    verifies(
      'CONTRACT §5 store keeps the base',
      'the history keeps every version, deletions and returns included',
      async () => {
        const one = await upload('a', 'one')
        const two = await upload('a', 'two')
        await upload('a', null)
        await upload('a', 'one')
        const history = await sources.history(HERE, 'a' as DocPath)
        expect(history.items.map(version => version.sha256)).toEqual([one, null, two, one])
        expect(await sources.read(HERE, 'a' as DocPath, two)).toEqual(
          new TextEncoder().encode('two'),
        )
      },
    )

    test('a history is paged', async () => {
      for (const content of ['1', '2', '3']) await upload('a', content)
      const first = await sources.history(HERE, 'a' as DocPath, { limit: 2 })
      const rest = await sources.history(HERE, 'a' as DocPath, { limit: 2, before: first.next! })
      expect([first.items.length, rest.items.length, rest.next]).toEqual([2, 1, undefined])
    })

    test('a read through of a known version adds nothing', async () => {
      await upload('a', 'same')
      await sources.moveHeads(HERE, [await move('a', 'same')], { kind: 'read-through' })
      expect((await sources.history(HERE, 'a' as DocPath)).items).toHaveLength(1)
    })

    test('a deleted file has a head of null', async () => {
      await upload('a', 'a')
      await upload('a', null)
      expect((await head('a'))?.sha256).toBeNull()
      expect((await sources.moveHeads(HERE, [await move('a', 'again', null)], UPLOAD)).ok).toBe(
        true,
      )
    })

    verifies(
      'CONTRACT §2 version of its own docPath',
      'a version identifies a hash only among the versions of its docPath',
      async () => {
        const old = await upload('a', 'old')
        await upload('a', 'new')
        const foreign = await upload('b', 'other')
        const resolve = (version: string) =>
          sources.resolveVersion(HERE, 'a' as DocPath, version as Version)
        expect(await resolve(toVersion(old))).toEqual({ ok: true, value: old })
        expect(await resolve(old)).toEqual({ ok: true, value: old })
        expect(await resolve(toVersion(foreign))).toMatchObject({ failure: { code: 'CONFLICT' } })
      },
    )

    verifies(
      'CONTRACT §2 version ambiguous',
      'a prefix of two versions is refused with both',
      async () => {
        const [first, second] = await Promise.all(TWINS.map(content => put(content)))
        expect(toVersion(first!.sha256)).toBe(toVersion(second!.sha256))
        for (const content of TWINS) await upload('a', content)
        const resolved = await sources.resolveVersion(
          HERE,
          'a' as DocPath,
          toVersion(first!.sha256),
        )
        expect(resolved).toMatchObject({
          failure: {
            code: 'AMBIGUOUS_VERSION',
            details: {
              candidates: expect.toSatisfy(
                (hashes: Sha256[]) =>
                  hashes.length === 2 &&
                  hashes.includes(first!.sha256) &&
                  hashes.includes(second!.sha256),
              ),
            },
          },
        })
      },
    )

    verifies(
      'CONTRACT §2 unsaved buffer is no head',
      'an unsaved buffer is a version and never a head',
      async () => {
        const saved = await upload('a', 'saved')
        const { sha256, sizeBytes } = await put('unsaved')
        const place = { docPath: 'a' as DocPath, path: 'a' as RelativePath }
        unwrap(await sources.addVersion(HERE, { ...place, sha256, sizeBytes }))
        unwrap(await sources.addVersion(HERE, { ...place, sha256, sizeBytes }))
        expect((await head('a'))?.sha256).toBe(saved)
        const resolved = await sources.resolveVersion(HERE, place.docPath, toVersion(sha256))
        expect(resolved).toEqual({ ok: true, value: sha256 })
        expect((await sources.history(HERE, place.docPath)).items).toHaveLength(2)
      },
    )

    test('nothing of one workspace is seen from another', async () => {
      const sha256 = await upload('a', 'secret')
      expect(await sources.head(ELSEWHERE, 'a' as DocPath)).toBeUndefined()
      expect(await sources.read(ELSEWHERE, 'a' as DocPath, sha256)).toBeUndefined()
      expect(await sources.read(HERE, 'b' as DocPath, sha256)).toBeUndefined()
      expect(await sources.knows(ELSEWHERE, sha256)).toBe(false)
      expect(await sources.knows(HERE, sha256)).toBe(true)
      expect(await sources.pathsOf(HERE, sha256)).toEqual(['a'])
      expect(await sources.pathsOf(ELSEWHERE, sha256)).toEqual([])
      expect(await sources.heads(ELSEWHERE, ['a' as DocPath])).toEqual(new Map())
      expect((await sources.history(ELSEWHERE, 'a' as DocPath)).items).toEqual([])
      expect(
        await sources.resolveVersion(ELSEWHERE, 'a' as DocPath, toVersion(sha256)),
      ).toMatchObject({ failure: { code: 'CONFLICT' } })
    })
  })
}

/** Two contents whose hashes share their first 8 digits. */
const TWINS = ['version 73599', 'version 143091']
