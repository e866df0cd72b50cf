import { join } from 'node:path'
import { openDiskWorkspace } from '@filewright/client'
import { unwrap } from '@filewright/protocol'
import { describeClient } from './client.contract.ts'
import { startSecondClient } from './second-client.ts'
import { startOwnClient } from './start-own-client.ts'

describeClient("the product's client", async ({ dir, key, stateRoot, ...server }) => {
  const workspace = unwrap(await openDiskWorkspace(dir))
  return startOwnClient(server, { workspace, stateRoot, key })
})

describeClient('a second, independent client', ({ stateRoot, ...options }) =>
  startSecondClient({ ...options, stateFile: join(stateRoot, 'outcomes.jsonl') }),
)
