import { lineLogsContract } from '../kept/line-logs.contract.ts'
import { stateContract } from '../state/client-state.contract.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { openLogFolder } from './log-folder.ts'
import { openClientState } from './open-client-state.ts'
import { createUnsynced } from './unsynced.ts'

stateContract('in a folder', () => {
  const root = makeTempFolder()
  return () => openClientState(root)
})

lineLogsContract('logs in a folder', () => {
  const root = makeTempFolder()
  return async () => openLogFolder(root, createUnsynced())
})
