import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { createFileBlobs } from '../embedded/blobs-embedded.ts'
import { IN_MEMORY, openDatabase } from '../embedded/database/database.ts'
import { createSessionLog } from '../embedded/log/log-embedded.ts'
import { logContract } from '../log/log.contract.ts'
import { finderContract } from '../log/log-finder.contract.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { tempFolder } from '../testing/temp-folder.ts'

const root = tempFolder()
let count = 0

const stores = {
  'the log in memory': async () => {
    const blobs = createMemoryBlobs()
    const database = unwrap(await openDatabase(IN_MEMORY))
    return { blobs, log: createSessionLog(database, blobs, { blobGraceMs: 0 }) }
  },
  'the log on disk': async () => {
    const folder = join(root, `${count++}`)
    const blobs = createFileBlobs(join(folder, 'blobs'))
    const database = unwrap(await openDatabase(join(folder, 'filewright.db')))
    return { blobs, log: createSessionLog(database, blobs, { blobGraceMs: 0 }) }
  },
}

for (const [name, make] of Object.entries(stores)) {
  logContract(name, make)
  finderContract(name, async () => (await make()).log)
}
