import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { unwrap } from '@filewright/protocol'
import { createFileBlobs } from '../embedded/blobs-embedded.ts'
import {
  type Committed,
  type Database,
  IN_MEMORY,
  openDatabase,
} from '../embedded/database/database.ts'
import { createSessionLog } from '../embedded/log/log-embedded.ts'
import { logContract } from '../log/log.contract.ts'
import { finderContract } from '../log/log-finder.contract.ts'
import { leaseContract } from '../log/log-lease.contract.ts'
import { createMemoryBlobs } from '../memory/blobs-memory.ts'
import { createMemoryLog } from '../memory/log-memory.ts'
import { tempFolder } from '../testing/temp-folder.ts'

const root = tempFolder()
let count = 0

const stores = {
  'the log of SQLite in memory': async () => {
    const blobs = createMemoryBlobs()
    const { database, ...faults } = breakable(unwrap(await openDatabase(IN_MEMORY)))
    return { blobs, log: createSessionLog(database, blobs, { blobGraceMs: 0 }), ...faults }
  },
  'the log of SQLite on disk': async () => {
    const folder = join(root, `${count++}`)
    const blobs = createFileBlobs(join(folder, 'blobs'))
    const opened = unwrap(await openDatabase(join(folder, 'filewright.db')))
    const { database, ...faults } = breakable(opened)
    return { blobs, log: createSessionLog(database, blobs, { blobGraceMs: 0 }), ...faults }
  },
  'the log whose writes arrive later': async () => {
    const blobs = createMemoryBlobs()
    let isBroken = false
    let sent = 0
    const arrive = async () => {
      await (++sent % 8 === 0 ? sleep(2) : nextTurn())
      if (isBroken) throw new Error('The connection is gone')
    }
    return {
      blobs,
      log: createMemoryLog(blobs, { blobGraceMs: 0, arrive }),
      breakDown: () => {
        isBroken = true
      },
      mend: () => {
        isBroken = false
      },
    }
  },
}

for (const [name, make] of Object.entries(stores)) {
  logContract(name, make)
  leaseContract(name, make)
  finderContract(name, async () => (await make()).log)
}

/** Flushes fail while it is broken. */
function breakable(whole: Database) {
  let isBroken = false
  const failing = <Kept extends Pick<Committed<void>, 'kept'>>(change: Kept): Kept => ({
    ...change,
    async kept(acknowledge) {
      await change.kept(acknowledge)
      if (isBroken) throw new Error('database or disk is full')
    },
  })
  const database: Database = {
    ...whole,
    change: (work, options) => failing(whole.change(work, options)),
    later: work => failing(whole.later(work)),
  }
  return {
    database,
    breakDown: () => {
      isBroken = true
    },
    mend: () => {
      isBroken = false
    },
  }
}
