import {
  type BatchId,
  createIdSource,
  type DocPath,
  type RelativePath,
  type SessionId,
  type Sha256,
  type ToolCallId,
  unwrap,
  type WorkspaceId,
} from '@filewright/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import type { NewBatch, Patches, StoredBatch } from './patches.ts'

const HERE = 'ws_here' as WorkspaceId
const ELSEWHERE = 'ws_elsewhere' as WorkspaceId

/** What every patch store does. `make` gives a new, empty one. */
export function patchesContract(name: string, make: () => Promise<Patches>): void {
  describe(name, () => {
    let patches: Patches
    beforeEach(async () => {
      patches = await make()
    })
    const store = async (batch = aBatch()) => (await patches.store(batch)).batch
    const fatesOf = async ({ batchId }: StoredBatch) => {
      const { batch } = unwrap(await patches.find(HERE, batchId))
      return [batch.fate, ...batch.files.map(f => [f.fate, ...f.changes.map(c => c.fate)])]
    }

    verifies(
      ['TUL-002 §7.1 batchId', 'TUL-002 §7.1 filePatchId', 'TUL-002 §7.1 changeId'],
      'batch, file patches and changes each get an id of their own',
      async () => {
        const all = [await store(), await store(aBatch({ toolCallId: 'tc_2' as ToolCallId }))]
        const ids = all.flatMap(batch => [
          batch.batchId,
          ...batch.files.flatMap(f => [f.filePatchId, ...f.changes.map(c => c.changeId)]),
        ])
        expect(new Set(ids).size).toBe(2 * (1 + 2 + 3))
      },
    )

    test('everything that was sent comes back with the ids', async () => {
      const sent = aBatch()
      const stored = await store(sent)
      expect(stored).toMatchObject(sent)
      expect(unwrap(await patches.find(HERE, stored.batchId)).batch).toEqual(stored)
    })

    verifies(
      'TUL-002 §5.1.1 changeId not needed in requests',
      'an id that the model sends does not become the id',
      async () => {
        const [file] = aBatch().files
        const changes = [{ ...file!.changes[0]!, changeId: 'chg_mine' }]
        const stored = await store(aBatch({ files: [{ ...file!, changes }] }))
        expect(stored.files[0]!.changes[0]!.changeId).not.toBe('chg_mine')
        expect(await patches.find(HERE, 'chg_mine' as BatchId)).toMatchObject({
          failure: { code: 'NOT_FOUND' },
        })
      },
    )

    verifies(
      ['TUL-002 §7.1 retrieval by id', 'TUL-002 §2.1 found again by id'],
      'each of the three ids finds its part and its parents',
      async () => {
        const batch = await store()
        const filePatch = batch.files[1]!
        const change = filePatch.changes[0]!
        expect(unwrap(await patches.find(HERE, batch.batchId))).toEqual({ batch })
        expect(unwrap(await patches.find(HERE, filePatch.filePatchId))).toEqual({
          batch,
          filePatch,
        })
        expect(unwrap(await patches.find(HERE, change.changeId))).toEqual({
          batch,
          filePatch,
          change,
        })
      },
    )

    verifies(
      'TUL-002 §7.1 ids across sessions',
      'an id is found from any session of its workspace and from no other workspace',
      async () => {
        const batch = await store(aBatch({ sessionId: 'ses_other' as SessionId }))
        expect((await patches.find(HERE, batch.batchId)).ok).toBe(true)
        const changeId = batch.files[0]!.changes[0]!.changeId
        for (const id of [batch.batchId, changeId])
          expect(await patches.find(ELSEWHERE, id)).toMatchObject({
            failure: { code: 'NOT_FOUND', kind: 'missing' },
          })
        expect(await patches.list(ELSEWHERE)).toEqual([])
        expect(await patches.setFate(ELSEWHERE, [batch.batchId], 'applied')).toMatchObject({
          failure: { code: 'NOT_FOUND' },
        })
      },
    )

    test('the same tool call stored again is the same batch', async () => {
      const [first, second] = await Promise.all([patches.store(aBatch()), patches.store(aBatch())])
      expect([first.existed, second.existed]).toEqual([false, true])
      expect(second.batch).toEqual(first.batch)
      expect(await patches.list(HERE)).toEqual([first.batch])
      expect(await patches.findByToolCall(HERE, 'tc_1' as ToolCallId)).toEqual(first.batch)
      expect(await patches.findByToolCall(HERE, 'tc_9' as ToolCallId)).toBeUndefined()
    })

    test('batches are listed newest first, in pages', async () => {
      for (const toolCallId of ['tc_1', 'tc_2', 'tc_3'] as ToolCallId[])
        await store(aBatch({ toolCallId }))
      const page = await patches.list(HERE, { limit: 2 })
      const rest = await patches.list(HERE, { limit: 2, before: page[1]!.batchId })
      expect([...page, ...rest].map(({ toolCallId }) => toolCallId)).toEqual([
        'tc_3',
        'tc_2',
        'tc_1',
      ])
    })

    test('the fate of a batch is that of its parts, each step with its time', async () => {
      const batch = await store()
      for (const fate of ['approved', 'applied', 'uploaded'] as const)
        unwrap(await patches.setFate(HERE, [batch.batchId], fate))
      const uploaded = ['uploaded', 'uploaded']
      expect(await fatesOf(batch)).toEqual(['uploaded', [...uploaded, 'uploaded'], uploaded])
      const { change } = unwrap(await patches.find(HERE, batch.files[0]!.changes[0]!.changeId))
      expect(change!.steps.map(({ fate }) => fate)).toEqual([
        'stored',
        'approved',
        'applied',
        'uploaded',
      ])
      expect(change!.steps.every(({ time }) => !Number.isNaN(Date.parse(time)))).toBe(true)
    })

    test('a refused change stays refused while its batch continues, with the reason', async () => {
      const batch = await store()
      const { changeId } = batch.files[0]!.changes[1]!
      unwrap(await patches.setFate(HERE, [changeId], 'refused', 'not this one'))
      unwrap(await patches.setFate(HERE, [batch.batchId], 'approved'))
      unwrap(await patches.setFate(HERE, [batch.batchId], 'applied'))
      expect(await fatesOf(batch)).toEqual([
        'applied',
        ['applied', 'applied', 'refused'],
        ['applied', 'applied'],
      ])
      const { change } = unwrap(await patches.find(HERE, changeId))
      expect(change!.steps).toContainEqual(
        expect.objectContaining({ fate: 'refused', reason: 'not this one' }),
      )
    })

    test('a report that is repeated or comes late changes nothing', async () => {
      const batch = await store()
      for (const fate of ['approved', 'applied', 'approved', 'applied', 'stored'] as const)
        unwrap(await patches.setFate(HERE, [batch.batchId], fate))
      const { steps } = unwrap(await patches.find(HERE, batch.batchId)).batch
      expect(steps.map(({ fate }) => fate)).toEqual(['stored', 'approved', 'applied'])
    })

    test('an applied change cannot be refused, a refused one cannot be applied', async () => {
      const applied = await store()
      unwrap(await patches.setFate(HERE, [applied.batchId], 'applied'))
      const refused = await store(aBatch({ toolCallId: 'tc_2' as ToolCallId }))
      unwrap(await patches.setFate(HERE, [refused.batchId], 'refused'))
      for (const [batch, fate] of [
        [applied, 'refused'],
        [refused, 'applied'],
      ] as const) {
        expect(await patches.setFate(HERE, [batch.batchId], fate)).toMatchObject({
          failure: { code: 'CONFLICT' },
        })
      }
      const both = [applied.files[0]!.filePatchId, refused.batchId]
      expect((await patches.setFate(HERE, both, 'uploaded')).ok).toBe(false)
      expect(new Set((await fatesOf(applied)).flat())).toEqual(new Set(['applied']))
    })
  })
}

const digits = { next: 0 }
export const testIds = createIdSource(length =>
  (++digits.next).toString(16).padStart(length, '0').slice(-length),
)

export function aBatch(changed: Partial<NewBatch> = {}): NewBatch {
  return {
    workspaceId: HERE,
    sessionId: 'ses_1' as SessionId,
    toolCallId: 'tc_1' as ToolCallId,
    batchKey: 'rename',
    batchLabel: 'Rename the total',
    files: [
      {
        docPath: 'src/a.ts' as DocPath,
        path: 'Src/a.ts' as RelativePath,
        sha256: 'a'.repeat(64) as Sha256,
        fileKey: 'a',
        fileLabel: 'The sum',
        eol: 'lf',
        changes: [
          { operation: 'insert', afterLine: 0, newLines: ['// total'], changeKey: 'head' },
          {
            operation: 'delete',
            startLine: 2,
            endLine: 2,
            expectedOriginalLines: [''],
            description: 'An empty line',
          },
        ],
      },
      {
        docPath: 'b.ts' as DocPath,
        path: 'b.ts' as RelativePath,
        sha256: 'b'.repeat(64) as Sha256,
        changes: [
          {
            operation: 'replace',
            startLine: 1,
            endLine: 1,
            expectedOriginalLines: ['x'],
            newLines: ['y'],
          },
        ],
      },
    ],
    ...changed,
  }
}
