import { describe, expect, test } from 'vitest'
import { checkpointsContract } from '../apply/checkpoints.contract.ts'
import { applyJournalContract } from '../apply/journal.contract.ts'
import { draftStoreContract } from '../draft/draft-store.contract.ts'
import type { ClientState } from './client-state.ts'
import { draftLogsContract } from './draft-logs.contract.ts'
import { ruleListContract } from './rule-list.contract.ts'
import { stateBlobsContract } from './state-blobs.contract.ts'
import { uploadListContract } from './upload-list.contract.ts'

/** What every state of a client does. `make` gives how to open a new, empty one, and to open it again later. */
export function stateContract(name: string, make: () => () => Promise<ClientState>): void {
  const part =
    <Name extends keyof ClientState>(which: Name) =>
    () => {
      const open = make()
      return async () => (await open())[which]
    }
  draftLogsContract(`drafts ${name}`, part('drafts'))
  draftStoreContract(`a store of drafts ${name}`, part('drafts'))
  ruleListContract(`rules ${name}`, part('rules'))
  uploadListContract(`uploads ${name}`, part('uploads'))
  stateBlobsContract(`blobs ${name}`, part('blobs'))
  applyJournalContract(`the journal ${name}`, part('journal'))
  checkpointsContract(`checkpoints ${name}`, part('checkpoints'))

  describe(`the mark of the last cleaning ${name}`, () => {
    test('is the last one written, even after a restart', async () => {
      const open = part('cleaning')()
      const mark = await open()
      expect(await mark.read()).toBeUndefined()
      await mark.write(1000)
      await mark.write(2000)
      expect(await (await open()).read()).toBe(2000)
    })
  })
}
