import { openStoredState } from '@filewright/client'
import { describe } from 'vitest'
import { lineLogsContract } from '../../packages/client/src/kept/line-logs.contract.ts'
import { stateContract } from '../../packages/client/src/state/client-state.contract.ts'
import { createStoredLogs } from '../../packages/client/src/stored/line-logs.ts'
import { describeWorkspace } from '../../packages/client/src/workspace/tree/workspace.contract.ts'
import { startSharedStores, whyNoStores } from '../shared/shared-stores.ts'
import { holdNew, newPlace, openFiles } from './held.ts'

describe.skipIf(whyNoStores)('a hosted workspace', async () => {
  if (whyNoStores) return
  const stores = await (await newPlace(await startSharedStores()))()

  /** Opened again, it is read again. */
  const opening = () => {
    const begun = holdNew(stores)
    return async () => (await begun).hold
  }

  stateContract('in PostgreSQL and a bucket', () => {
    const open = opening()
    return async () => openStoredState(await open())
  })

  lineLogsContract('logs in PostgreSQL', () => {
    const open = opening()
    return async () => createStoredLogs((await open()).lines)
  })

  describeWorkspace('whose files are versions in a store', async () => {
    const { hold } = await holdNew(stores)
    return {
      ...(await openFiles(hold.files)),
      link() {},
      ignoresCase: true, // a docPath has one head
      cannotHave: {
        links: 'there are only files in a store',
        'strange names': 'a name without a docPath has no head',
      },
    }
  })
})
