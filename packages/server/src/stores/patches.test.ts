import { join } from 'node:path'
import { unwrap, type WorkspaceId } from '@filewright/protocol'
import { expect } from 'vitest'
import { verifies } from '../../../../test/verifies.ts'
import { aBatch, patchesContract, testIds } from '../patches/patches.contract.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { openMemoryStores, openStores } from './stores.ts'

const root = tempFolder()
let count = 0

patchesContract('patches in memory', async () => (await openMemoryStores({ ids: testIds })).patches)
patchesContract('patches on disk', async () => {
  return unwrap(await openStores(join(root, `${count++}`), { ids: testIds })).patches
})

verifies('CONTRACT §5 ids durable', 'ids and fates are found again after a restart', async () => {
  const folder = tempFolder()
  const before = unwrap(await openStores(folder))
  const { batch } = await before.patches.store(aBatch())
  const filePatch = batch.files[1]!
  unwrap(await before.patches.setFate(batch.workspaceId, [filePatch.filePatchId], 'conflict'))
  await before.close()

  const { patches, close } = unwrap(await openStores(folder))
  for (const id of [batch.batchId, filePatch.filePatchId, filePatch.changes[0]!.changeId])
    expect(unwrap(await patches.find('ws_here' as WorkspaceId, id)).batch.files[1]!.fate).toBe(
      'conflict',
    )
  await close()
})
