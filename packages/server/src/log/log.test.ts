import { join } from 'node:path'
import { unwrap } from '@filewright/protocol'
import { createFileBlobs } from '../store/blobs-embedded.ts'
import { createMemoryBlobs } from '../store/blobs-memory.ts'
import { IN_MEMORY, openDatabase } from '../store/database.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { logContract } from './log.contract.ts'
import { createSessionLog } from './log-embedded.ts'

const root = tempFolder()
let count = 0

logContract('the log in memory', async () => {
  const blobs = createMemoryBlobs()
  const database = unwrap(await openDatabase(IN_MEMORY))
  return { blobs, log: createSessionLog(database, blobs, { blobGraceMs: 0 }) }
})

logContract('the log on disk', async () => {
  const folder = join(root, `${count++}`)
  const blobs = createFileBlobs(join(folder, 'blobs'))
  const database = unwrap(await openDatabase(join(folder, 'filewright.db')))
  return { blobs, log: createSessionLog(database, blobs, { blobGraceMs: 0 }) }
})
