import { join } from 'node:path'
import { openDiskWorkspace, startClient } from '@filewright/client'
import { loadFormat } from '@filewright/documents'
import { createInProcessEngine } from '@filewright/engine'
import { unwrap } from '@filewright/protocol'
import { describeClient } from './client.contract.ts'
import { startSecondClient } from './second-client.ts'

describeClient("the product's client", async ({ origin, token, key, dir, stateRoot }) => {
  const engine = createInProcessEngine({ loadFormat })
  return startClient({
    workspace: unwrap(await openDiskWorkspace(dir)),
    stateRoot,
    engines: { text: engine, hostile: engine },
    fetch: request => fetch(request),
    origin,
    token,
    key,
    name: 'own',
  })
})

describeClient('a second client of another make', ({ stateRoot, ...options }) =>
  startSecondClient({ ...options, stateFile: join(stateRoot, 'outcomes.jsonl') }),
)
