import { lineLogsContract } from '../kept/line-logs.contract.ts'
import { stateContract } from '../state/client-state.contract.ts'
import { createMemoryLines } from './memory-lines.ts'
import { createMemoryState } from './memory-state.ts'

stateContract('in memory', () => {
  const state = createMemoryState()
  return async () => state
})

lineLogsContract('logs in memory', () => {
  const lines = createMemoryLines()
  return async () => lines
})
